"""The statistics of the admin: charts over a period, each with its table and its CSV file."""
