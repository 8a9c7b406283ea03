"""Log lines and traces: what is known of the request under way, what is hidden, and how lines are written."""
