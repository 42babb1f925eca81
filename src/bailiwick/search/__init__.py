"""Finding whatever one may see by its name, whatever it is."""
