"""The page: a shell, the files it is made of, and what a phone wants to install it; all play goes through the API."""
