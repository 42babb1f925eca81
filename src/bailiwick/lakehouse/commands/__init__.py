"""The commands of the lakehouse, a file a noun."""
