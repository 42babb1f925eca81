"""Where everything is kept: engine and transactions, column types, encryption at rest and migrations."""
