"""How the tables of the bots are made. Nothing that plays imports it; numba, if it is there, makes it fast."""
