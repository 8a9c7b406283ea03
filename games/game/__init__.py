"""One game as pure functions: events, the aggregate they fold into, its commands, and what each viewer may see."""
