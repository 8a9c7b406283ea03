"""Pages that mailed links open."""
