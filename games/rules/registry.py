"""The registry of rulesets by key; a new game is one more entry here."""

from games.rules.qwinto import QWINTO
from games.rules.qwixx import QWIXX
from games.rules.ruleset import AnyRuleset

RULESETS: dict[str, AnyRuleset] = {ruleset.key: ruleset for ruleset in (QWIXX, QWINTO)}
SHEETS = tuple(dict.fromkeys(sheet for ruleset in RULESETS.values() for sheet in ruleset.sheets))  # of any ruleset
