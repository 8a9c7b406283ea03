"""Routes below /account/."""

from django.urls import path

from players.web import views

urlpatterns = [
    path("confirm/<str:token>", views.confirm),
    path("reset/<str:token>", views.reset),
]
