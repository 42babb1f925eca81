"""A world of members and resources, held in memory: the facts of every pair, and every question about them."""
