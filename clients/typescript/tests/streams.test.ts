/** What a stream promises: resumed, acknowledged once, ended with an error that says why. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, type ClientOptions, ProblemError, StreamClosedError, unwrap } from "qwixx-client";

import { Proxy } from "./proxy.js";
import { guest, log, TRANSPORTS, url } from "./service.js";

/** A game of two in which `roller` rolls first. */
async function table(options: Partial<ClientOptions> = {}) {
  const [ann, bob] = await Promise.all([guest("Ann", options), guest("Bob", options)]);
  const { id } = await ann.createGame({ ruleset: "qwixx" });
  const game = await bob.joinGame(id);
  return { id, game, roller: game.turn!.active === 0 ? ann : bob };
}

function signal() {
  let give!: () => void;
  const comes = new Promise<void>((resolve) => (give = resolve));
  return { give, comes };
}

const nowhere = "01926f3b-1d20-7c44-8e05-5a7f9b3c2d11";

for (const [transport, options] of Object.entries(TRANSPORTS)) {
  test(`an action over ${transport} whose answer is lost is stored once`, async () => {
    const proxy = await Proxy.to(url);
    try {
      const { id, roller } = await table({ ...options, url: proxy.url });
      const stream = roller.stream(id);
      const updates = stream[Symbol.asyncIterator]();
      await updates.next();
      proxy.withholdNextAnswer();
      const { version } = await stream.act({ type: "roll" });
      const rolled = (await updates.next()).value!.events.filter(({ type }) => type === "dice_rolled");
      stream.close();
      assert.deepEqual([proxy.cuts, rolled.map((event) => event.version)], [1, [version]]);
      const stored = await log(roller, id);
      assert.equal(stored.filter(({ type }) => type === "dice_rolled").length, 1);
    } finally {
      proxy.close();
    }
  });

  test(`a stream over ${transport} that missed nothing starts with the view`, async () => {
    const { id, game, roller } = await table(options);
    for await (const update of roller.stream(id, { after: game.version })) {
      assert.deepEqual([update.version, update.events, update.game.status], [game.version, [], "playing"]);
      break;
    }
  });

  test(`a stream over ${transport} resumes after a version`, async () => {
    const { id, game, roller } = await table(options);
    for await (const update of roller.stream(id, { after: 2 })) {
      const versions = Array.from({ length: game.version - 2 }, (_, index) => index + 3);
      assert.deepEqual(update.events.map(({ version }) => version), versions);
      break;
    }
  });

  test(`a forbidden action over ${transport} is rejected with its code`, async () => {
    const { id, roller } = await table(options);
    const stream = roller.stream(id);
    await assert.rejects(stream.act({ type: "mark", row: "red", number: 5 }), { code: "wrong_phase" });
    stream.close();
    await assert.rejects(stream.act({ type: "roll" }), StreamClosedError);
  });

  test(`a stream over ${transport} of no game ends with an error`, async () => {
    const client = await guest("Ann", options);
    const isNotFound = (error: unknown) =>
      (error instanceof ProblemError && error.status === 404) ||
      (error instanceof StreamClosedError && error.closeCode === 4404);
    await assert.rejects(client.stream(nowhere).play(() => null), isNotFound);
  });

  test(`a stream over ${transport} ends when the token is revoked`, async () => {
    const { id, roller } = await table(options);
    const ended = assert.rejects(roller.stream(id).play(() => null), { status: 401 });
    await unwrap(roller.api.DELETE("/api/v1/sessions/current"));
    await ended;
  });
}

test("a game comes as server-sent events where the network blocks sockets", async () => {
  const proxy = await Proxy.to(url);
  proxy.blocksSockets = true;
  try {
    const { id, roller } = await table({ url: proxy.url });
    const stream = roller.stream(id);
    const { version } = await stream.act({ type: "roll" });
    assert.equal(stream.version, version);
    stream.close();
  } finally {
    proxy.close();
  }
});

test("server-sent events are not read any more once their stream is closed", { timeout: 5_000 }, async () => {
  const [opened, cancelled] = [signal(), signal()];
  // A `fetch` that ignores the request's AbortSignal, as that of Node.js does after a garbage collection.
  const deaf: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return response;
    setImmediate(opened.give);
    return new Response(new ReadableStream({ cancel: cancelled.give }), response);
  };
  const { id, roller } = await table({ WebSocket: null, fetch: deaf });
  const stream = roller.stream(id);
  await opened.comes;
  stream.close();
  await cancelled.comes;
});

test("a stream that stays brings a phrase and the rematch", { skip: !("WebSocket" in globalThis) }, async () => {
  const [ann, bob] = await Promise.all([guest("Ann"), guest("Bob")]);
  const { id } = await ann.createGame({ ruleset: "qwixx" });
  await bob.joinGame(id);
  const params = { path: { game_id: id } };
  const said: string[] = [];
  const stream = ann.stream(id, { untilEnd: false, onPhrase: ({ key }) => said.push(key) });
  for await (const { events, game } of stream) {
    if (game.status === "playing") {
      await unwrap(bob.api.POST("/api/v1/games/{game_id}/phrases", { params, body: { key: "hello" } }));
      await unwrap(bob.api.POST("/api/v1/games/{game_id}/actions", { params, body: { type: "resign" } }));
      await unwrap(bob.api.POST("/api/v1/games/{game_id}/rematch", { params }));
    }
    if (game.next_game) {
      assert.equal(events.at(-1)!.type, "rematch_created");
      break;
    }
  }
  assert.deepEqual(said, ["hello"]);
});

test("a request whose answer is lost is repeated and counts once", async () => {
  const proxy = await Proxy.to(url);
  try {
    const client = await guest("Ann", { url: proxy.url });
    proxy.withholdNextAnswer();
    const { id } = await client.createGame({ ruleset: "qwixx" });
    const mine = await unwrap(client.api.GET("/api/v1/games", { params: { query: { mine: true } } }));
    assert.deepEqual([proxy.cuts, mine.results.map((game) => game.id)], [1, [id]]);
  } finally {
    proxy.close();
  }
});

test("a refused call throws its code", async () => {
  await assert.rejects(new Client({ url }).game(nowhere), { status: 401, code: "not_authenticated" });
});

test("notifications without a WebSocket say what is missing", async () => {
  const client = await guest("Ann", { WebSocket: null });
  await assert.rejects(client.notifications().next(), /There is no WebSocket here/);
});

test("a player is told of a started game and hears the lobby", { skip: !("WebSocket" in globalThis) }, async () => {
  const { id, roller } = await table();
  const told = roller.notifications();
  assert.equal((await told.next()).value!.type, "hello");
  const turn = (await told.next()).value!;
  assert.deepEqual([turn.type, "game" in turn && turn.game], ["your_turn", id]);
  const lobby = roller.lobby({ ruleset: "qwixx" });
  assert.deepEqual([(await lobby.next()).value!.type, (await lobby.next()).value!.type], ["hello", "games"]);
  await Promise.all([told.return(), lobby.return()]);
});

test("a client gives a random seed of its own after the commitment, unless it was given one", async () => {
  const [ann, bob] = await Promise.all([guest("Ann"), guest("Bob")]);
  const against = await ann.createGame({ ruleset: "qwixx", bots: ["easy"] });
  assert.equal(against.status, "playing");
  const { id } = await ann.createGame({ ruleset: "qwixx", client_seed: "chosen" });
  assert.equal((await bob.joinGame(id)).status, "playing");
  const seeds = async (game: string) =>
    (await log(ann, game)).flatMap(({ type, data }) => (type === "seed_given" ? [[data.seat, data.client_seed.length]] : []));
  assert.deepEqual([await seeds(against.id), await seeds(id)], [[[0, 32]], [[1, 32]]]);
});
