"""Programs that use an account: personal access tokens and bot accounts."""
