"""The permission tables, a folder a document and a file a table; read each beside its page in docs/access."""
