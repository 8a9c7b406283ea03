/** Whole games of both rulesets over a network that cuts: every event and every action exactly once. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { type Action, type Client, type GameEvent, isOutdated, isWaiting } from "qwixx-client";

import { Proxy } from "./proxy.js";
import { guest, log, TRANSPORTS, url } from "./service.js";

const MOST = 24; // chunks of answers from cut to cut

/** A copy of the log from updates alone, and the actions that were acknowledged. */
class Copy {
  readonly events: GameEvent[] = [];
  readonly stored: Action[] = [];
  losses = 0;

  constructor(
    readonly client: Client,
    readonly id: string,
  ) {}

  async play(): Promise<void> {
    const stream = this.client.stream(this.id, { after: 0, onLost: () => this.losses++ });
    for await (const { events, game } of stream) {
      this.events.push(...events);
      assert.equal(this.events.length, game.version);
      if (!isWaiting(game)) continue;
      const action = game.options[Math.floor(Math.random() * game.options.length)]!;
      try {
        await stream.act(action);
        this.stored.push(action);
      } catch (error) {
        assert(isOutdated(error), String(error));
      }
    }
  }
}

function rolls(events: GameEvent[], seat: number): number {
  return events.filter(({ type, data }) => type === "dice_rolled" && data.seat === seat).length;
}

function sealed(events: GameEvent[], seat: number): number {
  const closed = events.flatMap(({ type, data }) => (type === "phase_closed" ? [data] : []));
  return closed.flatMap(({ answers }) => answers ?? []).filter((answer) => answer.seat === seat).length;
}

function isStoredOnce({ events, stored }: Copy, seat: number): void {
  const rolled = stored.filter(({ type }) => type === "roll" || type === "reroll");
  const answered = stored.filter(({ phase }) => phase === "white" || phase === "write");
  assert.equal(rolled.length, rolls(events, seat), "rolls of this seat");
  assert.equal(answered.length, sealed(events, seat), "sealed answers of this seat");
}

for (const [transport, options] of Object.entries(TRANSPORTS)) {
  for (const ruleset of ["qwixx", "qwinto"] as const) {
    test(`a game of ${ruleset} over ${transport} is whole in spite of cuts`, async () => {
      const proxy = await Proxy.to(url);
      try {
        const players = await Promise.all(["Ann", "Bob"].map((name) => guest(name, { ...options, url: proxy.url })));
        const { id, code } = await players[0]!.createGame({ ruleset, visibility: "private", clock: null });
        await players[1]!.joinGame(id, { code });
        proxy.cutOften(MOST);
        const copies = players.map((client) => new Copy(client, id));
        await Promise.all(copies.map((copy) => copy.play()));
        proxy.cutOften(0);
        assert(copies.every(({ losses }) => losses > 3), `only ${copies.map(({ losses }) => losses)} losses`);
        for (const [seat, copy] of copies.entries()) {
          isStoredOnce(copy, seat);
          const whole = await log(copy.client, id);
          assert.deepEqual(copy.events.map(({ version }) => version), whole.map(({ version }) => version));
          assert.deepEqual(copy.events.map(({ hash }) => hash), whole.map(({ hash }) => hash));
        }
      } finally {
        proxy.close();
      }
    });
  }
}
