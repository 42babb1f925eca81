"""The tenancy's commands: yourself, members, groups and the tenant."""
