"""Tables that are made without any data to begin with."""
