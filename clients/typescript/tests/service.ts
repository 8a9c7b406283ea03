/** The running service, and clients of it. */

import assert from "node:assert/strict";

import { Client, type ClientOptions, type GameEvent, unwrap } from "qwixx-client";

export const url = process.env["QWIXX_URL"] ?? "http://127.0.0.1:8000";

/** Clients that are quick to come back, so that tests are short. Without a WebSocket: server-sent events. */
export function guest(name: string, options: Partial<ClientOptions> = {}): Promise<Client> {
  return Client.guest({ url, backOff: { first: 20, most: 200 }, ...options }, name);
}

/** Both ways in which a game reaches a client. Node.js has a WebSocket from version 22 on. */
export const TRANSPORTS: Record<string, Partial<ClientOptions>> = {
  ...("WebSocket" in globalThis && { WebSocket: {} }),
  "server-sent events": "WebSocket" in globalThis ? { WebSocket: null } : {},
};

/** The whole log of a game, as the service shows it to this player. */
export async function log(client: Client, id: string): Promise<GameEvent[]> {
  const events: GameEvent[] = [];
  for (;;) {
    const query = { after: events.length, limit: 1000 };
    const params = { path: { game_id: id }, query };
    const page = await unwrap(client.api.GET("/api/v1/games/{game_id}/events", { params }));
    events.push(...page.results);
    if (events.length >= page.version) return events;
    assert(page.results.length > 0);
  }
}
