"""How many rows of tables a query reads: unlike the names of plans, a law that does not depend on estimates."""

import json
from typing import Any

from django.db import connection


def rows_read(query: str, *parameters: Any) -> float:
    """Runs the query and counts the rows that it fetched from tables, also those that its filters dropped."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {query}", parameters)
        ((found,),) = cursor.fetchall()
    plans = json.loads(found) if isinstance(found, str) else found
    return _rows_read(plans[0]["Plan"])


def _rows_read(plan: dict[str, Any]) -> float:
    below = sum(_rows_read(child) for child in plan.get("Plans", ()))
    if "Relation Name" not in plan:
        return below
    dropped = sum(number for name, number in plan.items() if name.startswith("Rows Removed by"))
    return below + float(plan["Actual Loops"] * (plan["Actual Rows"] + dropped))
