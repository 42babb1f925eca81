"""The tenancy on the wire, a file a noun."""
