"""A client of two web processes that share a database."""

import time
from typing import Any, NamedTuple, Self

import httpx

Json = dict[str, Any]


class Device(NamedTuple):
    """A player's token, and the client address that the proxy reports."""

    http: httpx.AsyncClient
    first: str  # the base URLs of the two web processes
    second: str
    address: str = "192.0.2.1"
    token: str = ""
    player: Json = {}

    async def call(self, method: str, path: str, *, on_second: bool = False, **options: Any) -> httpx.Response:
        headers = {"X-Forwarded-For": self.address, **options.pop("headers", {})}
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        base = self.second if on_second else self.first
        return await self.http.request(method, f"{base}/api/v1{path}", headers=headers, **options)

    async def get(self, path: str, status: int = 200, *, on_second: bool = False) -> Any:
        return checked(await self.call("GET", path, on_second=on_second), status)

    async def delete(self, path: str, status: int = 204) -> Any:
        return checked(await self.call("DELETE", path), status)

    async def create_guest(self, **body: Any) -> Self:
        """The same device with the token of a new guest."""
        guest = checked(await self.call("POST", "/players/guests", json=body), 201)
        return self._replace(token=guest["token"], player=guest["player"])


def checked(response: httpx.Response, status: int) -> Any:
    assert response.status_code == status, f"{response.status_code}: {response.text}"
    return response.json() if response.content else None


def is_problem(response: httpx.Response, status: int, code: str) -> Any:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["request_id"] == response.headers["x-request-id"]
    return problem


async def is_refused_on_second_within_a_second(device: Device) -> None:
    """Measured to the start of a request, so that a slow response of a busy machine does not count."""
    revoked = time.monotonic()
    called = revoked
    while (await device.call("GET", "/players/me", on_second=True)).status_code == 200:
        assert called - revoked < 1
        called = time.monotonic()
