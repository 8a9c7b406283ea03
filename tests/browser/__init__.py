"""Tests of the page in a real Chromium, against a service that `manage.py up` started."""
