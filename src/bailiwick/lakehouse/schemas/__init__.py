"""What the lakehouse sends and takes, a file a noun."""
