"""The printed sheets of Qwixx as data, and the reader of that data."""
