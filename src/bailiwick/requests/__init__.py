"""Access requests: a member asks for a level or a role, and whoever can give it grants or declines it."""
