"""The wide lane: DRF views of everything that is not asked all the time."""
