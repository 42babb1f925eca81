"""Who may do what: the tables, a second reading of them, random worlds and mutants."""
