"""The players' part of the REST API: how a caller is known, held to the limits, and served."""
