"""How staff sign in to the admin: passwords, the second factor and their sessions."""
