"""The schemas of responses have every kind of action, event, ruleset and sheet, each under one name."""

import json
from typing import Any, get_args

import msgspec
import pytest

from games.game.event_types import FACTS
from games.game.json import view_schemas
from games.game.json.action_schemas import ActionUnion
from games.game.json.event_schemas import EffectUnion, EventUnion
from games.game.json.schema_components import components
from games.game.json.sheet_schemas import RulesetUnion, SheetUnion
from games.game.json.webhook_messages import WebhookMessageUnion
from games.rules.actions import ACTIONS
from games.rules.registry import RULESETS
from games.rules.ruleset import AnyRuleset
from games.webhooks.event_payloads import TYPES

MESSAGES = components([WebhookMessageUnion])["WebhookMessage"]
GAME = components([view_schemas.GameSchema, view_schemas.Events, view_schemas.Preview, view_schemas.Rulesets])
KINDS = {
    "Action": (ActionUnion, set(ACTIONS)),
    "Event": (EventUnion, set(FACTS)),
    "Effect": (EffectUnion, {name for ruleset in RULESETS.values() for name in ruleset.facts}),
    "Sheet": (SheetUnion, set(RULESETS)),
    "Ruleset": (RulesetUnion, set(RULESETS)),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_union_has_one_schema_per_kind_and_tells_them_apart(name: str) -> None:
    union, kinds = KINDS[name]
    discriminator = GAME[name]["discriminator"]
    assert set(discriminator["mapping"]) == kinds
    assert len(get_args(union)) == len(kinds)
    for kind, reference in discriminator["mapping"].items():
        members = GAME[reference.rpartition("/")[2]]
        assert members["properties"][discriminator["propertyName"]]["enum"] == [kind]
        assert discriminator["propertyName"] in members["required"]


def test_a_message_of_a_webhook_has_one_schema_per_type() -> None:
    assert set(MESSAGES["discriminator"]["mapping"]) == set(TYPES)


def test_members_that_a_viewer_may_not_see_may_be_absent() -> None:
    assert GAME["AnswerSealedData"]["required"] == ["seat"]
    assert "printings" not in GAME["GameStartedData"]["required"]
    assert "deadline" in GAME["DiceRolledData"]["required"]


def test_dice_are_lists_of_whole_numbers() -> None:
    faces = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}}
    assert GAME["DiceRolledData"]["properties"]["dice"]["additionalProperties"] == faces
    assert GAME["Turn"]["properties"]["dice"]["additionalProperties"] == faces


def members_in_schema(raw: Any, schema: Any) -> Any:
    """What the schema knows of it: members that it does not name are left out."""
    return msgspec.to_builtins(msgspec.convert(json.loads(json.dumps(raw)), schema))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_the_schemas_name_every_member_of_printed_and_filled_in_sheets(ruleset: AnyRuleset) -> None:
    described = {"key": ruleset.key, "seats": [ruleset.seats[0], ruleset.seats[-1]], **ruleset.description()}
    assert members_in_schema(described, RulesetUnion) == json.loads(json.dumps(described))
    for sheet in ruleset.sheets:
        state = ruleset.opening(sheet, ruleset.seats[-1])
        for seat in range(ruleset.seats[-1]):
            view = {"ruleset": ruleset.key, "seat": seat, **ruleset.sheet_view(state, seat)}
            assert members_in_schema(view, SheetUnion) == json.loads(json.dumps(view))
