"""Benchmarks: costs as ratios within one run; see `docs/speed.md`."""
