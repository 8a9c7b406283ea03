"""Linters and parsers have nothing to say about the documents."""

import json
from pathlib import Path

from tests.generators import tools

PARSE = """
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify({ isValid: document !== undefined, said: diagnostics.map((each) => each.message) }));
"""


def test_redocly_finds_no_error_and_no_warning(document: Path, node: None) -> None:
    said = tools.run(tools.PROGRAMS / "redocly", "lint", "--format", "json", document)
    totals = json.loads(said[said.index("{\n") : said.rindex("}") + 1])["totals"]
    assert (totals["errors"], totals["warnings"]) == (0, 0), said


def test_redocly_finds_no_error_in_version_3_0(older_document: Path, node: None) -> None:
    """A warning is left: redocly reads `nullable` beside `allOf` more strictly than generators do (decision 26)."""
    said = tools.run(tools.PROGRAMS / "redocly", "lint", "--format", "json", older_document)
    found = json.loads(said[said.index("{\n") : said.rindex("}") + 1])
    assert found["totals"]["errors"] == 0, said
    assert {problem["ruleId"] for problem in found["problems"]} <= {"no-invalid-media-type-examples"}


def test_spectral_finds_no_error_and_no_warning(document: Path, tmp_path: Path, node: None) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text('extends: ["spectral:oas"]\n')
    said = tools.run(tools.PROGRAMS / "spectral", "lint", "--fail-severity=hint", "--ruleset", rules, document)
    assert "No results with a severity" in said


def test_the_asyncapi_document_is_valid(streams: Path, tmp_path: Path, node: None) -> None:
    program = tools.FOLDER / "parse.mjs"
    program.write_text(PARSE)
    found = json.loads(tools.run("node", program, streams))
    assert found["isValid"], found
    assert [message for message in found["said"] if "latest version" not in message] == []
