"""Document “lakehouse”: layers, tables and volumes, and the pipelines over them."""
