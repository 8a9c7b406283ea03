"""Blocks, mutes, and notifications to players."""
