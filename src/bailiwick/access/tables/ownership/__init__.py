"""Document “access rights”: ownership and availability of storages, data marts, destinations and reports."""
