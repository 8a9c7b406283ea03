"""Which migrations could not run while the processes of the last release play: a linter for them (decision 29)."""

import re
import tomllib
from collections.abc import Callable, Iterator
from importlib import resources
from typing import Any

from django.contrib.postgres.operations import AddConstraintNotValid, AddIndexConcurrently
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

BODIES = re.compile(r"(?<!\bDO )\$(\w*)\$.*?\$\1\$", re.DOTALL)  # of functions: they run later
COMMENTS = re.compile(r"--[^\n]*")
# What a statement would do to processes that use the former schema, or to queries that wait behind its lock.
STATEMENTS = {
    r"\bDROP (TABLE|COLUMN|FUNCTION|TYPE|INDEX|TRIGGER)\b": "drops what the last release may use",
    r"\bRENAME (TO|COLUMN)\b": "renames what the last release may use",
    r"\bALTER TYPE\b": "changes a type that the last release has read",
    r"\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b": "rewrites a table under a lock",
    r"\bSET NOT NULL\b": "reads a whole table under a lock",
    r"\bCREATE (UNIQUE )?INDEX (?!CONCURRENTLY)": "builds an index under a lock: use AddIndexConcurrently",
    r"\b(UPDATE \w+ SET|DELETE FROM)\b": "changes all rows in one transaction: use a task that changes a few at a time",
}
REMOVALS = (
    operations.RemoveField,
    operations.DeleteModel,
    operations.RenameField,
    operations.RenameModel,
    operations.AlterModelTable,
)


def last_release() -> dict[str, Any]:
    return tomllib.loads((resources.files("qwixx_service.database") / "last_release.toml").read_text())


def problems() -> Iterator[str]:
    """One line for each operation of a later migration that is not safe while the last release runs."""
    released, loader = last_release()["migrations"], MigrationLoader(None)
    known = {key for app, name in released.items() for key in loader.graph.forwards_plan((app, name))}
    leaves = [key for key in loader.graph.leaf_nodes() if key[0] in released]
    later = dict.fromkeys(key for leaf in leaves for key in loader.graph.forwards_plan(leaf) if key not in known)
    before = loader.project_state(list(known))
    state = before.clone()
    for key in later:
        migration = loader.get_migration(*key)
        unused_since, is_known = getattr(migration, "unused_since", ""), hasattr(migration, "safe_because")
        for operation in migration.operations:
            if (why := problem(operation, key[0], before, state, unused_since)) and not is_known:
                yield f"{'.'.join(key)}: {operation.describe()}: {why}"
            operation.state_forwards(key[0], state)


def problem(operation: Operation, app: str, before: ProjectState, state: ProjectState, unused_since: str) -> str:
    """Why the last release could not go on during the operation; empty: it could."""
    if isinstance(operation, REMOVALS):
        return "" if unused_since else "the last release may use it; name the release that no longer does: unused_since"
    for kind, judge in JUDGES.items():
        if isinstance(operation, kind):
            return judge(operation, app, before, state)
    return ""


def _of_sql(operation: Any, *_: Any) -> str:
    text = operation.sql if isinstance(operation.sql, str) else "\n".join(map(str, operation.sql or ()))
    plain = " ".join(COMMENTS.sub("", BODIES.sub("", text)).split())
    return "; ".join(why for pattern, why in STATEMENTS.items() if re.search(pattern, plain, re.IGNORECASE))


def _of_added_field(operation: Any, app: str, before: ProjectState, _: ProjectState) -> str:
    field = operation.field
    if (app, operation.model_name_lower) not in before.models or field.null or field.has_db_default():
        return ""
    return "rows that the last release inserts lack the column: give it db_default, or allow NULL"


def _of_altered_field(operation: Any, app: str, before: ProjectState, state: ProjectState) -> str:
    if (app, operation.model_name_lower) not in before.models:
        return ""
    former = state.models[app, operation.model_name_lower].fields[operation.name]
    new = operation.field
    if former.get_internal_type() != new.get_internal_type() or (former.null and not new.null):
        return "changes the type of a column: add another one, and drop this one a release later"
    return ""


def _of_index(operation: Any, app: str, before: ProjectState, _: ProjectState) -> str:
    is_safe = isinstance(operation, AddIndexConcurrently) or (app, operation.model_name_lower) not in before.models
    return "" if is_safe else "builds an index under a lock: use AddIndexConcurrently"


def _of_constraint(operation: Any, app: str, before: ProjectState, _: ProjectState) -> str:
    is_safe = isinstance(operation, AddConstraintNotValid) or (app, operation.model_name_lower) not in before.models
    return "" if is_safe else "checks every row under a lock: use AddConstraintNotValid, and validate it later"


Judge = Callable[[Any, str, ProjectState, ProjectState], str]
JUDGES: dict[type[Operation], Judge] = {
    operations.RunSQL: _of_sql,
    operations.AddField: _of_added_field,
    operations.AlterField: _of_altered_field,
    operations.AddIndex: _of_index,
    operations.AddConstraint: _of_constraint,
}
