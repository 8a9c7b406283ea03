/** The client: typed calls of the whole API, and the streams. */

import createClient, { type Client as Calls } from "openapi-fetch";

import type { BackOffOptions } from "./back-off.js";
import { type Connection, series } from "./connection.js";
import type { ActionCommand, GameFrame, Heartbeat, LobbyFrame, Notification } from "./frames.js";
import { GameStream, type StreamOptions } from "./game-stream.js";
import type { CreateGame, Game, JoinGame, paths } from "./models.js";
import { NoWebSocketError, ProblemError } from "./problems.js";
import { type Fetch, randomId, repeating } from "./requests.js";
import { EventStream } from "./server-sent-events.js";
import { Socket, type WebSocketClass, webSocketClass } from "./socket.js";

export interface ClientOptions {
  /** Where the service is, as `https://qwixx.example.org`. */
  url: string;
  /** From `Client.guest`, or from `POST /players` or `/sessions`. */
  token?: string;
  /** Of error texts, as in `Accept-Language`. */
  language?: string;
  fetch?: typeof globalThis.fetch;
  /** A class for JavaScript that has none, as that of `ws`; null: never use one. Games then come as server-sent events. */
  WebSocket?: WebSocketClass | null;
  backOff?: BackOffOptions;
}

/** So many sockets that do not open: the network blocks them, and games come as server-sent events. */
const MOST_UNOPENED = 3;

export interface FeedOptions {
  signal?: AbortSignal;
  onLost?: (error: unknown) => void;
}

export class Client {
  readonly url: string;
  readonly token: string | undefined;
  /** Every operation of the OpenAPI document: `api.GET("/api/v1/rulesets")`. Lost requests are repeated, once each. */
  readonly api: Calls<paths>;
  readonly #options: ClientOptions;
  readonly #fetch: Fetch;
  readonly #headers: Record<string, string>;
  #unopened = 0; // sockets in a row that the network did not let through, though it let through their tickets

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, "");
    this.token = options.token;
    this.#options = options;
    this.#fetch = (request) => (options.fetch ?? fetch)(request);
    this.#headers = {
      ...(options.token && { Authorization: `Bearer ${options.token}` }),
      ...(options.language && { "Accept-Language": options.language }),
    };
    this.api = createClient<paths>({
      baseUrl: this.url,
      headers: this.#headers,
      fetch: repeating(this.#fetch, options.backOff),
      querySerializer: { array: { style: "form", explode: false } },
    });
  }

  /** A client of a new guest: one call from install to play. Keep `client.token`. */
  static async guest(options: ClientOptions, name?: string): Promise<Client> {
    const body = name === undefined ? {} : { name };
    const { token } = await unwrap(new Client(options).api.POST("/api/v1/players/guests", { body }));
    return new Client({ ...options, token });
  }

  /** This call and the next two give a random client seed once the commitment is known; a given `client_seed` stands. */
  async createGame(body: CreateGame): Promise<Game> {
    return this.giveSeed(await unwrap(this.api.POST("/api/v1/games", { body: announcing(body) })));
  }

  async joinGame(id: string, body: JoinGame = {}): Promise<Game> {
    const call = this.api.POST("/api/v1/games/{game_id}/join", { params: gameIs(id), body: announcing(body) });
    return this.giveSeed(await unwrap(call));
  }

  async joinByCode(code: string): Promise<Game> {
    return this.giveSeed(await unwrap(this.api.POST("/api/v1/games/join", { body: { code, late_seed: true } })));
  }

  /** Gives the seed that a game waits for, if this player announced one: for matches, rematches and invitations. */
  async giveSeed(game: Game): Promise<Game> {
    if (game.you === null || !game.start?.waiting_for.includes(game.you)) return game;
    const body = { client_seed: randomId() };
    const call = this.api.POST("/api/v1/games/{game_id}/seed", { params: gameIs(game.id), body });
    return unwrap(call).catch((error: unknown) => {
      if (error instanceof ProblemError && error.status === 409) return this.game(game.id); // it has started meanwhile
      throw error;
    });
  }

  game(id: string, signal: AbortSignal | null = null): Promise<Game> {
    return unwrap(this.api.GET("/api/v1/games/{game_id}", { params: gameIs(id), signal }));
  }

  /** A game as it goes on. The stream starts at once. */
  stream(id: string, options: StreamOptions = {}): GameStream {
    const open = (after: number | undefined, signal: AbortSignal) => this.#openGame(id, after, signal);
    return new GameStream(open, (signal) => this.game(id, signal), { backOff: this.#options.backOff ?? {}, ...options });
  }

  /**
   * What happens to this player anywhere. Each connection starts with `hello`: read over REST then what happened before,
   * as the list of invitations. Needs a WebSocket.
   */
  notifications(options: FeedOptions = {}): AsyncGenerator<Notification, void, void> {
    return this.#feed<Notification>("me", options);
  }

  /** Open public games: on each connection all of them, then each that changes. Needs a WebSocket. */
  lobby(query: { ruleset?: string; sheet?: string } = {}, options: FeedOptions = {}): AsyncGenerator<LobbyFrame, void, void> {
    return this.#feed<LobbyFrame>(`lobby?${new URLSearchParams(query)}`, options);
  }

  async *#feed<Frame extends { type: string }>(
    path: string,
    { signal, onLost }: FeedOptions,
  ): AsyncGenerator<Frame, void, void> {
    const Class = webSocketClass(this.#options.WebSocket);
    if (!Class) throw new NoWebSocketError();
    const ending = signal ?? new AbortController().signal;
    const open = () => this.#openSocket<Frame | Heartbeat>(path, Class);
    for await (const { frame } of series(open, { backOff: this.#options.backOff, signal: ending, onLost })) {
      if (frame.type !== "heartbeat") yield frame as Frame;
    }
  }

  async #openGame(id: string, after: number | undefined, signal: AbortSignal): Promise<Connection<GameFrame>> {
    const Class = webSocketClass(this.#options.WebSocket);
    if (!Class || this.#unopened >= MOST_UNOPENED) {
      this.#unopened--; // the next connection tries a socket again
      return new EventStream(this.#callsOf(id), after);
    }
    const query = after === undefined ? "?view=full" : `?view=full&after=${after}`;
    return this.#openSocket<GameFrame>(`games/${id}${query}`, Class, signal);
  }

  async #openSocket<Frame extends { type: string }>(
    path: string,
    Class: WebSocketClass,
    signal: AbortSignal | null = null,
  ): Promise<Socket<Frame>> {
    const { ticket } = await unwrap(this.api.POST("/api/v1/stream-tickets", { signal }));
    const url = new URL(`${this.url.replace(/^http/, "ws")}/ws/v1/${path}`);
    url.searchParams.set("ticket", ticket);
    return new Socket<Frame>(url.href, Class, (isOpen) => (this.#unopened = isOpen ? 0 : this.#unopened + 1));
  }

  #callsOf(id: string) {
    const url = `${this.url}/api/v1/games/${id}/stream`;
    return {
      view: (signal: AbortSignal) => this.game(id, signal),
      act: async ({ id: key, action }: ActionCommand, signal: AbortSignal) => {
        const params = { ...gameIs(id), header: { "Idempotency-Key": key } };
        const call = this.api.POST("/api/v1/games/{game_id}/actions", { params, body: action, signal });
        return ((await unwrap(call)) as { version: number }).version;
      },
      events: (after: number, signal: AbortSignal) =>
        this.#fetch(new Request(`${url}?after=${after}`, { headers: this.#headers, signal })),
    };
  }
}

/** What a call of `client.api` answers; a refusal is thrown as a `ProblemError`. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (error !== undefined || !response.ok) throw ProblemError.of(response, typeof error === "object" ? (error as never) : undefined);
  return data as T;
}

const announcing = <Body extends { client_seed?: string | null }>(body: Body) => ({ late_seed: body.client_seed == null, ...body });
const gameIs = (id: string) => ({ path: { game_id: id } });
