"""Template library of the admin texts: `{% text "game.seats" %}`, `{{ game.status|label:"status" }}`."""

from django import template

from players.admin.texts import label, text

register = template.Library()
register.simple_tag(text)
register.filter(label)
