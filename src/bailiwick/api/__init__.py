"""The HTTP door: `/api/v1` and the standard access questions, thin over the services."""
