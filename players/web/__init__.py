"""The pages that mailed links open."""
