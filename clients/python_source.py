"""Writes the generated modules of the Python client: its models by datamodel-codegen, its calls from the operations."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs/openapi.json"
PACKAGE = ROOT / "clients/python/src/qwixx_client"
METHODS = ("get", "put", "post", "patch", "delete")
JSON = "application/json"
OPTIONS = (
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict", "--target-python-version", "3.11"),
    *("--use-standard-collections", "--use-union-operator", "--enum-field-as-literal", "all", "--disable-timestamp"),
    *("--use-schema-description", "--formatters", "builtin"),
    *("--custom-file-header", '"""The schemas of docs/openapi.json. Generated: run `make clients`."""'),
)
HEADER = '''"""The operations of docs/openapi.json. Generated: run `make clients`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Literal, Unpack

from qwixx_client import models
'''
CLASS = '''

class {name}(ABC):
    """Every operation of the API as a method."""

    @abstractmethod
    {a}def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        key: str | None = None,
    ) -> Any:
        """Sends a request and returns the body of its answer; a refusal is raised as `ProblemError`."""
'''


class Operation(NamedTuple):
    name: str
    summary: str
    method: str
    path: str
    parameters: list[str]  # as Python declares them
    body: str  # the expression of the body
    query: str  # the expression of the query
    returned: str
    has_key: bool


def main(folder: Path = PACKAGE) -> None:
    document = json.loads(DOCUMENT.read_text())
    models(folder / "models.py")
    (folder / "calls.py").write_text(calls(document))
    _format(folder / "calls.py")
    _format(folder / "models.py")


def models(output: Path) -> None:
    program = [sys.executable, "-m", "datamodel_code_generator"]
    subprocess.run([*program, "--input", str(DOCUMENT), "--output", str(output), *OPTIONS], check=True)
    output.write_text(output.read_text().replace("\nfrom __future__", "\n# ruff: noqa: E501\nfrom __future__", 1))


def _format(path: Path) -> None:
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(ROOT / "pyproject.toml"), str(path)]
    subprocess.run([*ruff, "check", "-q", "--fix", "--select", "I,UP,F401", *config], check=True)
    subprocess.run([*ruff, "format", "-q", *config], check=True)


def calls(document: dict[str, Any]) -> str:
    found = list(_operations(document))
    texts = [HEADER]
    for name, prefix, wait in (("Calls", "", ""), ("AsyncCalls", "async ", "await ")):
        texts.append(CLASS.format(name=name, a=prefix))
        texts += [_method(operation, prefix, wait) for operation in found]
    return "".join(texts)


def _operations(document: dict[str, Any]) -> Iterator[Operation]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item and "text/event-stream" not in str(item[method]["responses"].get("200")):
                yield _operation(document, path, method, item[method])


def _operation(document: dict[str, Any], path: str, method: str, described: dict[str, Any]) -> Operation:
    given = described.get("parameters", [])
    in_path = [f"{name}: {_type_in_path(given, name)}" for name in re.findall(r"{(\w+)}", path)]
    query = [parameter for parameter in given if parameter["in"] == "query"]
    has_key = any(parameter["name"] == "Idempotency-Key" for parameter in given)
    body, expression = _body(document, described)
    named = [f"{each['name']}: {_type(each['schema'])} | None = None" for each in query]
    named += ["idempotency_key: str | None = None"] if has_key else []
    positional = [*in_path, *([body] if body and not body.startswith("**") else [])]
    parameters = ["self", *positional, *(["/"] if positional else []), *(["*", *named] if named else [])]
    return Operation(
        name=_snake(described["operationId"]),
        summary=described["summary"],
        method=method.upper(),
        path=path,
        parameters=[*parameters, *([body] if body.startswith("**") else [])],
        body=expression,
        query="{" + ", ".join(f'"{each["name"]}": {each["name"]}' for each in query) + "}" if query else "",
        returned=_returned(described),
        has_key=has_key,
    )


def _body(document: dict[str, Any], described: dict[str, Any]) -> tuple[str, str]:
    """The parameter, and the expression that is sent: members as keyword arguments, or one of several kinds."""
    if "requestBody" not in described:
        return "", ""
    name = described["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
    if "oneOf" in document["components"]["schemas"][name]:
        return f"body: models.{name}", "body"
    return f"**body: Unpack[models.{name}]", "body"


def _type_in_path(given: list[dict[str, Any]], name: str) -> str:
    (schema,) = [parameter["schema"] for parameter in given if (parameter["name"], parameter["in"]) == (name, "path")]
    return _type(schema)


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if schema["type"] == "array":
        return f"list[{_type(schema['items'])}]"
    return {"integer": "int", "boolean": "bool", "string": "str"}[schema["type"]]


def _returned(described: dict[str, Any]) -> str:
    (success,) = [answer for status, answer in described["responses"].items() if status.startswith("2")]
    content = success.get("content", {})
    if not content:
        return "None"
    reference = content.get(JSON, {}).get("schema", {}).get("$ref")
    return f"models.{reference.rpartition('/')[2]}" if reference else "str"


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _method(operation: Operation, prefix: str, wait: str) -> str:
    quote = "f" if "{" in operation.path else ""
    arguments = [f'"{operation.method}"', f'{quote}"{operation.path}"']
    arguments += [f"query={operation.query}"] if operation.query else []
    arguments += [f"body={operation.body}"] if operation.body else []
    arguments += ["key=idempotency_key"] if operation.has_key else []
    call = f"{wait}self.call({', '.join(arguments)})"
    lines = [call] if operation.returned == "None" else [f"answer: {operation.returned} = {call}", "return answer"]
    head = f"    {prefix}def {operation.name}({', '.join(operation.parameters)}) -> {operation.returned}:"
    summary = operation.summary.rstrip(".")
    return "\n".join(["", head, f'        """{summary}."""', *(f"        {line}" for line in lines), ""])
