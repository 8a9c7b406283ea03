"""The text notation of games (docs/notation.md): written from an export, and read back to the same events."""
