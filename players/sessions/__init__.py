"""Sessions and tokens: who is calling, and which players are shown to whom."""
