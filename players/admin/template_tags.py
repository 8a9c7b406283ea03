"""How templates of the admin say something: `{% said "game.seats" %}`, `{{ game.status|worded:"status" }}`."""

from django import template

from players.admin.texts import said, worded

register = template.Library()
register.simple_tag(said)
register.filter(worded)
