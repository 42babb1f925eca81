"""Sources: where data comes in from, and their streams: what is read and the tables it lands in."""
