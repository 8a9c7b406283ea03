"""The fast lane: plain async handlers of the calls that players make all the time; everything else is DRF's."""

from games.api.play.routes import Way, answer, application, way, way_of

__all__ = ["Way", "answer", "application", "way", "way_of"]
