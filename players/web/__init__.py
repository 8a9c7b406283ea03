"""The pages that mailed links lead to."""
