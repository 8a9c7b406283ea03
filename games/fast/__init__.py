"""The fast lane: plain async handlers of the calls that players make all the time; everything else is DRF's."""

from games.fast.lane import application, serves

__all__ = ["application", "serves"]
