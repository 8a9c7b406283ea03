"""Accounts: guests, registration, passwords, profiles, deletion and data export."""
