"""Everything that runs on Spark, and nothing else: it knows no database, no members and no HTTP."""
