"""The trainer of the bots' weights; no other package imports it, and numba, if installed, makes it fast."""
