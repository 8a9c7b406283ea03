"""What it costs, as ratios within one run; nothing here is a test."""
