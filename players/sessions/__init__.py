"""Sessions and tokens: who sends a request, and how players are shown."""
