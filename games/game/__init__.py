"""One game as pure functions: events, the aggregate they fold into, its commands, and who may see what."""
