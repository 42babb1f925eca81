"""The third door: takes runs from the queue and executes them on Spark, as whom they act."""
