"""The tenancy over HTTP, a file a noun."""
