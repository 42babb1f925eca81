"""Document “lakehouse”: levels on layers, tables and volumes, and the pipelines over them."""
