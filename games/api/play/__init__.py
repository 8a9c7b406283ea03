"""Async handlers of the hot routes: actions, the game view, events and the event stream."""
