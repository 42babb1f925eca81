"""Tables on their way out of the lakehouse."""
