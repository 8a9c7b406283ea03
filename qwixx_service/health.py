"""Whether this process lives and whether it can serve."""

from django.http import HttpRequest, JsonResponse


async def healthz(_: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


async def readyz(_: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})
