"""The page as people use it: a real Chromium against a service that `manage.py up` started."""
