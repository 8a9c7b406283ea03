"""The commands of the README work as printed."""

import json
import re
import subprocess
from pathlib import Path

README = (Path(__file__).resolve().parent.parent.parent / "README.md").read_text()
EXAMPLES = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


def test_the_curl_example_goes_from_nothing_to_a_rolled_die(server: str, transactional_db: None) -> None:
    example = next(example for example in EXAMPLES if "/players/guests" in example)
    assert len(example.splitlines()) <= 13
    script = example.replace("http://127.0.0.1:8000", server)
    done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, timeout=60, check=True)
    commitment, status, *answers = done.stdout.splitlines()
    assert "commitment" in commitment
    assert status == "playing"
    bodies = [json.loads(answer) for answer in answers]
    rolled = [event["type"] for body in bodies[:2] for event in body.get("events", ())]
    assert rolled == ["dice_rolled"]
    refused = [body["code"] for body in bodies[:2] if "code" in body]
    assert refused in (["not_your_turn"], ["wrong_phase"])
    assert bodies[2]["turn"]["dice"]["white"]
