"""The web page: its shell, its files and what a phone needs to install it; it plays through the API."""
