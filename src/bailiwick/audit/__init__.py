"""The append-only record of every change and every refusal."""
