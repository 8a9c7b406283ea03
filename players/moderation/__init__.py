"""Staff actions, reports and roles."""
