"""The rules of every game as plain functions: standard library only, no clock, no luck, nothing stored or sent."""
