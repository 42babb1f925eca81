"""Who is here: members, groups, tenant and security roles, invitations, sessions, API tokens and the plan."""
