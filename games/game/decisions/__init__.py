"""What commands decide: pure functions that refuse, or add facts to a draft."""
