"""The addresses of pages below /account/."""

from django.urls import path

from players.web import pages

urlpatterns = [
    path("confirm/<str:token>", pages.confirm),
    path("reset/<str:token>", pages.reset),
]
