"""Redis by its address: one server, one that Sentinels name, or a cluster."""
