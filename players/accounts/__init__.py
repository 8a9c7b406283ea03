"""Accounts: registration, passwords, mail, deletion and data export."""
