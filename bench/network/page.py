"""The browser page: bytes of the first load, frames until an event is drawn, memory over a long game."""

import asyncio
import logging
from typing import Any

import httpx
from playwright.async_api import Browser, CDPSession, Page, async_playwright

from bench.report import Line
from tests.browser import chromium
from tests.server import web_process

PHONE: Any = {"width": 390, "height": 844}
PASSES = 24  # more than three turns of a game of two
WARM, LONG = 1_000, 20_000  # events
# Counts, for every update that a WebSocket receives during a game, the animation frames until the page has changed.
WATCH = """
const Plain = WebSocket;
window.frames_waited = [];
window.sockets = [];
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    window.sockets.push(this);
    this.addEventListener("message", ({ data }) => {
      const { type } = JSON.parse(data);
      if (type !== "update" || !document.querySelector(".felt")) return;
      let frames = 0, changed = false;
      const watcher = new MutationObserver(() => (changed = true));
      const all = { subtree: true, childList: true, characterData: true, attributes: true };
      watcher.observe(document.querySelector("qx-app"), all);
      const look = () => {
        frames += 1;
        if (!changed && frames < 60) return requestAnimationFrame(look);
        watcher.disconnect();
        window.frames_waited.push(frames);
      };
      requestAnimationFrame(look);
    });
  }
};
"""
# Passes so many updates to the page, as if its WebSocket had received them.
RECEIVE = """(count) => {
  const { model } = document.querySelector("qx-game");
  const socket = window.sockets.findLast(({ url }) => url.includes("/games/"));
  window.version ??= model.view.version;
  for (const last = window.version + count; window.version < last; ) {
    const version = (window.version += 1);
    const data = { seat: 0, roll: version, dice: { white: [1, 2], red: [3] }, deadline: null };
    const event = { version, type: "dice_rolled", at: new Date().toISOString(), data };
    socket.onmessage({ data: JSON.stringify({ type: "update", version, events: [event], game: null }) });
  }
  return document.querySelector("qx-table").updateComplete.then(() => model.news.length);
}"""


def measure() -> list[Line]:
    logging.getLogger("httpx").setLevel(logging.WARNING)
    return asyncio.run(_measure())


async def _measure() -> list[Line]:
    path = chromium.found()
    assert path, chromium.MISSING
    with web_process() as home:
        async with async_playwright() as playwright, httpx.AsyncClient(base_url=f"{home}/api/v1", timeout=30) as api:
            browser = await playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
            lines = await _first_load(browser, home) + await _during_a_game(browser, home, api)
            await browser.close()
    return lines


async def _first_load(browser: Browser, home: str) -> list[Line]:
    context = await browser.new_context(viewport=PHONE, locale="ru")
    page = await context.new_page()
    wire = await context.new_cdp_session(page)
    received: list[float] = []
    requests: list[str] = []
    wire.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    context.on("request", lambda request: requests.append(request.url))
    await wire.send("Network.enable")
    await page.goto(home, wait_until="networkidle")
    await page.wait_for_selector(".hero")
    await context.close()
    return [
        Line("first load of the page, compressed", sum(received) / 1000, "kB", 150, 75, is_ceiling=True),
        Line("  … requests", len(requests), "", 24, 20, is_ceiling=True),
    ]


async def _during_a_game(browser: Browser, home: str, api: httpx.AsyncClient) -> list[Line]:
    """A guest watches while two players play."""
    ann, bob = [(await api.post("/players/guests", json={})).json()["token"] for _ in range(2)]
    game = (await api.post("/games", json={"ruleset": "qwixx"}, headers=_as(ann))).json()["id"]
    context = await browser.new_context(viewport=PHONE)
    await context.add_init_script(WATCH)
    page = await context.new_page()
    await page.goto(f"{home}/game/{game}")
    await page.wait_for_selector("qx-room")
    await page.wait_for_timeout(500)
    await api.post(f"/games/{game}/join", json={}, headers=_as(bob))
    await page.wait_for_selector(".felt")
    await _play(api, game, (ann, bob))
    frames = await page.evaluate("window.frames_waited")
    lines = [
        Line(
            "event of a stream drawn", max(frames), f"frames after it came, worst of {len(frames)}", 1, is_ceiling=True
        )
    ]
    lines.append(await _memory(page, await context.new_cdp_session(page)))
    await context.close()
    return lines


async def _play(api: httpx.AsyncClient, game: str, tokens: tuple[str, str]) -> None:
    for _ in range(PASSES):
        view = (await api.get(f"/games/{game}", headers=_as(tokens[0]))).json()
        if view["status"] != "playing":
            return
        seat = view["turn"]["waiting_for"][0]
        token = tokens[0] if seat == view["you"] else tokens[1]
        kind = "roll" if view["turn"]["phase"] == "roll" else "pass"
        await api.post(f"/games/{game}/actions", json={"type": kind}, headers=_as(token))


async def _memory(page: Page, wire: CDPSession) -> Line:
    """The heap after 20,000 events, to the heap after 1,000."""
    used = []
    for events in (WARM, LONG):
        await page.evaluate(RECEIVE, events)
        await wire.send("HeapProfiler.collectGarbage")
        used.append((await wire.send("Runtime.getHeapUsage"))["usedSize"])
    return Line(
        f"heap of the page after {LONG:,} events to after {WARM:,}", used[1] / used[0], "times", 1.1, is_ceiling=True
    )


def _as(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
