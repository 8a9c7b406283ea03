"""The printed extras of Qwixx sheets, one clause in each file; `bonus_rows.py` holds the class `BonusRows`."""
