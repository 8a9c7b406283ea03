"""The verifiers, one file each: they may import nothing of the service, and nothing here is imported by it."""
