"""A made-up company to look around in, and the same company grown to any size."""
