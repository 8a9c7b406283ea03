"""A client of the REST API: a guest with a token; it knows no rule, and every response is checked by the document."""

from types import TracebackType
from typing import Any, Self

import httpx

from tests.api.documented import check_response

Json = dict[str, Any]

CHECKED: Any = {"response": [check_response]}


class Player:
    def __init__(self, http: httpx.AsyncClient, player: Json, token: str) -> None:
        self.http, self.player, self.token = http, player, token

    @classmethod
    async def arrive(cls, address: str, name: str) -> Self:
        http = httpx.AsyncClient(base_url=address + "/api/v1", timeout=60, event_hooks=CHECKED)
        answer = await http.post("/players/guests", json={"name": name})
        if answer.status_code != 201:
            await http.aclose()
        body = cls._checked(answer, 201)
        http.headers["Authorization"] = f"Bearer {body['token']}"
        return cls(http, body["player"], body["token"])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.aclose()

    async def get(self, path: str, status: int = 200, **options: Any) -> Any:
        return self._checked(await self.http.get(path, **options), status)

    async def post(self, path: str, body: Any = None, status: int = 200, **options: Any) -> Any:
        return self._checked(await self.http.post(path, json=body, **options), status)

    @staticmethod
    def _checked(answer: httpx.Response, status: int) -> Any:
        assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
        return answer.json()

    async def create(self, status: int = 201, **settings: Any) -> Json:
        game: Json = await self.post("/games", {"ruleset": "qwixx", **settings}, status)
        return game

    async def join(self, game: Json, status: int = 200) -> Json:
        answer: Json = await self.post(f"/games/{game['id']}/join", {}, status)
        return answer

    async def view(self, game: Json, **query: Any) -> Json:
        answer: Json = await self.get(f"/games/{game['id']}", params=query)
        return answer

    async def act(self, game: Json, action: Json, status: int = 200, **options: Any) -> Json:
        answer: Json = await self.post(f"/games/{game['id']}/actions", action, status, **options)
        return answer

    async def preview(self, game: Json, action: Json, status: int = 200, **options: Any) -> Json:
        answer: Json = await self.post(f"/games/{game['id']}/actions/preview", action, status, **options)
        return answer


async def table(players: list[Player], **settings: Any) -> Json:
    """A started game of these players."""
    game = await players[0].create(seats=len(players), **settings)
    for player in players[1:]:
        game = await player.join(game)
    return game
