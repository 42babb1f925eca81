"""Questions about access: may they, who can, what can they, and what would change if."""
