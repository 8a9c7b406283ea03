"""Screenshots of every screen in every size, theme and language, checked by script: `make screenshots`."""
