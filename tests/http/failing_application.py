"""The whole service, with a few more URLs whose views fail."""

import os
from collections.abc import Iterator

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qwixx_service.settings")

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path

settings.ROOT_URLCONF = __name__

from qwixx_service.asgi import application  # noqa: E402, I001  (sets Django up, which the URLs need)
from qwixx_service import urls  # noqa: E402
from qwixx_service.urls import handler400, handler403, handler404, handler500  # noqa: E402
from tests.http.web_server import SECRET  # noqa: E402

__all__ = ["application", "handler400", "handler403", "handler404", "handler500"]


def fails(_: HttpRequest) -> HttpResponse:
    raise RuntimeError(SECRET)


def breaks_off(_: HttpRequest) -> StreamingHttpResponse:
    def parts() -> Iterator[bytes]:
        yield b"first"
        raise RuntimeError(SECRET)

    return StreamingHttpResponse(parts())


def streams(_: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(f"{number}\n" for number in range(3))


urlpatterns = [
    path("api/v1/fails", fails),
    path("api/v1/breaks-off", breaks_off),
    path("api/v1/streams", streams),
    path("fails", fails),
    *urls.urlpatterns,
]
