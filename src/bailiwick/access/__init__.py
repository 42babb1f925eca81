"""Who may do what: the documents' tables, compiled, and the questions they answer. Standard library only."""
