"""The roles of the service in PostgreSQL, and the deployment check of them."""
