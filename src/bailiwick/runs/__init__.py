"""What runs, when and as whom: the queue, leases, triggers, logs, cancelling and lineage."""
