/** A game as it goes on: every event exactly once, in order, and every action exactly once, through lost connections. */

import { type BackOffOptions, sleep } from "./back-off.js";
import { type Connection, series } from "./connection.js";
import type { ActionCommand, GameFrame, Spoken, UpdateFrame } from "./frames.js";
import type { Action, Game, GameEvent, Result } from "./models.js";
import { isFinal, isOutdated, ProblemError, StreamClosedError } from "./problems.js";
import { randomId } from "./requests.js";

export interface StreamOptions {
  /** The last version that the caller has: only later events come. Without it the stream starts at the present. */
  after?: number;
  /** False: the loop goes on after the end of the game, to hear of a rematch. */
  untilEnd?: boolean;
  backOff?: BackOffOptions;
  onPhrase?: (phrase: Spoken) => void;
  /** A connection was lost; the stream connects again by itself. */
  onLost?: (error: unknown) => void;
}

/** What happened since the last update, and the game after it. */
export interface Update {
  version: number;
  events: GameEvent[];
  game: Game;
}

export interface Acknowledged {
  version: number;
}

interface Pending {
  command: ActionCommand;
  resolve(answer: Acknowledged): void;
  reject(error: unknown): void;
}

type Open = (after: number | undefined, signal: AbortSignal) => Promise<Connection<GameFrame>>;
type Read = (signal: AbortSignal) => Promise<Game>;

const OVER = new Set<Game["status"]>(["finished", "aborted", "voided"]);
const BUSY_PAUSE = 500;

export class GameStream implements AsyncIterable<Update> {
  readonly #options: StreamOptions;
  readonly #read: Read;
  readonly #ending = new AbortController();
  readonly #pending = new Map<string, Pending>();
  #connection: Connection<GameFrame> | undefined;
  #events: GameEvent[] = []; // received, and not yet handed out
  #game: Game | undefined;
  #hasNews = false;
  #version: number | undefined;
  #wake: (() => void) | undefined;
  #failure: unknown;

  constructor(open: Open, read: Read, options: StreamOptions = {}) {
    this.#options = options;
    this.#read = read;
    this.#version = options.after;
    void this.#follow(open);
  }

  /** The newest view; undefined before the first. */
  get game(): Game | undefined {
    return this.#game;
  }

  /** The version of the last event received. Keep it with your copy of the game, to resume with `after`. */
  get version(): number | undefined {
    return this.#version;
  }

  /**
   * Submits an action and resolves when it is stored. It is sent under `id` again after every loss and counts once.
   * Rejects with a `ProblemError` if a rule forbids it.
   */
  act(action: Action, id: string = randomId()): Promise<Acknowledged> {
    return new Promise((resolve, reject) => {
      if (this.#ending.signal.aborted) return reject(this.#failure ?? new StreamClosedError(1000));
      const command: ActionCommand = { type: "action", id, action };
      this.#pending.set(id, { command, resolve, reject });
      this.#connection?.send(command);
    });
  }

  /**
   * Plays to the end: `choose` is called whenever the game waits for this player, and returns one of `game.options`, or
   * null to wait for the next update. Resolves with the result.
   */
  async play(choose: (game: Game) => Action | null | Promise<Action | null>): Promise<Result | null> {
    for await (const { game } of this) {
      const action = isWaiting(game) ? await choose(game) : null;
      if (action) await this.act(action).catch(ignoreOutdated);
    }
    return this.#game?.result ?? null;
  }

  /** Ends the stream. Actions that are not answered are rejected; the service may have stored them. */
  close(): void {
    this.#end(undefined);
  }

  /** Updates that arrive while the loop's body runs come as one. Leaving the loop closes the stream. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Update, void, void> {
    try {
      for (;;) {
        while (this.#hasNews) {
          yield this.#taken();
          if (this.#isOver() && !this.#hasNews) return;
        }
        if (this.#failure) throw this.#failure;
        if (this.#ending.signal.aborted) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
  }

  #taken(): Update {
    const update = { version: this.#version!, events: this.#events, game: this.#game! };
    this.#events = [];
    this.#hasNews = false;
    return update;
  }

  #isOver(): boolean {
    return (this.#options.untilEnd ?? true) && OVER.has(this.#game!.status);
  }

  async #follow(open: Open): Promise<void> {
    const { signal } = this.#ending;
    const { backOff, onLost } = this.#options;
    try {
      for await (const { connection, frame } of series((end) => open(this.#version, end), { backOff, signal, onLost })) {
        await this.#receive(connection, frame).catch((error: unknown) => this.#repair(connection, error));
      }
    } catch (error) {
      this.#end(error);
    }
  }

  #repair(connection: Connection<GameFrame>, error: unknown): void {
    if (isFinal(error)) this.#end(error);
    else connection.close(); // another one follows, from the version that is here
  }

  async #receive(connection: Connection<GameFrame>, frame: GameFrame): Promise<void> {
    switch (frame.type) {
      case "hello":
        return this.#greet(connection, frame.version ?? 0);
      case "state":
        return this.#show(frame.game);
      case "update":
        return this.#update(frame);
      case "heartbeat":
        if ((frame.version ?? 0) > (this.#version ?? 0)) connection.send({ type: "resume", after: this.#version ?? 0 });
        return;
      case "ack":
        return this.#answered(frame.id, (pending) => pending.resolve({ version: frame.version }));
      case "error":
        return this.#refused(frame.id, frame.code, frame.detail);
      case "phrase":
        return this.#options.onPhrase?.(frame);
    }
  }

  /** On a new connection: what is not answered is sent again. A client that missed nothing is sent nothing. */
  async #greet(connection: Connection<GameFrame>, head: number): Promise<void> {
    this.#connection = connection;
    for (const { command } of this.#pending.values()) connection.send(command);
    const hasView = this.#game !== undefined && this.#game.version >= (this.#version ?? 0);
    if (this.#version === undefined || hasView || head > this.#version) return;
    const game = await this.#read(this.#ending.signal);
    if (game.version === this.#version) this.#show(game); // else an update follows
  }

  #show(game: Game): void {
    this.#game = game;
    this.#version = game.version;
    this.#tell();
  }

  #update({ events, game }: UpdateFrame): void {
    for (const event of events) this.#take(event);
    if (!game || game.version < this.#version!) return; // the view comes with the last portion
    this.#game = game;
    this.#tell();
  }

  /** Versions are 1, 2, 3, …: a known one is dropped, and a missing one is fetched by connecting again. */
  #take(event: GameEvent): void {
    const version = this.#version ?? 0;
    if (event.version <= version) return;
    if (event.version > version + 1) throw new Error(`version ${version + 1} is missing`);
    this.#events.push(event);
    this.#version = event.version;
  }

  #tell(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  #answered(id: string, answer: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending) answer(pending);
  }

  /** A service that is busy for a moment is asked again; every other refusal is the answer. */
  async #refused(id: string, code: string, detail: string): Promise<void> {
    const pending = this.#pending.get(id);
    if (code !== "unavailable" || !pending) {
      return this.#answered(id, ({ reject }) => reject(new ProblemError(0, code, detail)));
    }
    void sleep(BUSY_PAUSE, this.#ending.signal).then(
      () => this.#connection?.send(pending.command),
      () => undefined,
    );
  }

  #end(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#failure = error;
    this.#ending.abort(error ?? new StreamClosedError(1000));
    for (const { reject } of this.#pending.values()) reject(error ?? new StreamClosedError(1000));
    this.#pending.clear();
    this.#wake?.();
  }
}

export function isWaiting(game: Game): boolean {
  return game.options.length > 0 && game.your_answer === null;
}

function ignoreOutdated(error: unknown): void {
  if (!isOutdated(error)) throw error;
}
