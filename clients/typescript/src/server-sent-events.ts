/** A connection without a WebSocket: events as Server-Sent Events over `fetch`, actions as POST, the same frames. */

import type { Connection } from "./connection.js";
import type { ActionCommand, Command, GameFrame } from "./frames.js";
import type { Game, GameEvent } from "./models.js";
import { ProblemError } from "./problems.js";
import { Queue } from "./queue.js";

const HEARTBEAT_S = 15;
const SILENCE = 2.5 * HEARTBEAT_S * 1000;

/** The calls that the connection is made of. */
export interface GameCalls {
  view(signal: AbortSignal): Promise<Game>;
  act(command: ActionCommand, signal: AbortSignal): Promise<number>;
  events(after: number, signal: AbortSignal): Promise<Response>;
}

export class EventStream implements Connection<GameFrame> {
  readonly frames = new Queue<GameFrame>();
  readonly #ending = new AbortController();
  readonly #acks: { id: string; version: number }[] = [];
  #version = 0; // of the last event that was passed on
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly calls: GameCalls,
    after: number | undefined,
  ) {
    this.#follow(after).then(
      () => this.#end(new Error("the stream of events has ended")),
      (error: unknown) => this.#end(error),
    );
  }

  send(command: Command): void {
    if (command.type === "action") void this.#act(command);
  }

  close(): void {
    this.#end(new Error("closed by this client"));
  }

  async #follow(after: number | undefined): Promise<void> {
    const { signal } = this.#ending;
    this.#listen();
    let game = await this.calls.view(signal);
    this.#hello(game, after);
    let events: GameEvent[] = [];
    for await (const text of blocks(await this.#open())) {
      if (signal.aborted) return;
      this.#listen();
      if (!readInto(events, text)) continue;
      const version = events.at(-1)!.version;
      if (game.version < version) game = await this.calls.view(signal);
      if (version < game.version) continue; // the rest of what this view shows is on its way
      this.#update({ type: "update", version, events, game });
      events = [];
    }
  }

  /** The reader is cancelled as well: after a garbage collection Node.js passes no abort on to a `fetch` under way. */
  async #open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { signal } = this.#ending;
    const response = await this.calls.events(this.#version, signal);
    if (!response.ok || !response.body) throw await ProblemError.from(response);
    const reader = response.body.getReader();
    const cancel = () => void reader.cancel().catch(() => undefined);
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel);
    return reader;
  }

  #hello(game: Game, after: number | undefined): void {
    const { version, server_time } = game;
    this.#version = after ?? version;
    this.frames.push({ type: "hello", protocol: "qx.v1", heartbeat_s: HEARTBEAT_S, version, server_time });
    if (after === undefined) this.frames.push({ type: "state", game });
  }

  #update(frame: GameFrame & { type: "update" }): void {
    this.#version = frame.version;
    this.frames.push(frame);
    this.#acknowledge();
  }

  /** As on a socket, an ack comes after the update that its action caused. */
  #acknowledge(): void {
    for (const ack of this.#acks.splice(0)) {
      if (ack.version <= this.#version) this.frames.push({ type: "ack", ...ack });
      else this.#acks.push(ack);
    }
  }

  async #act(command: ActionCommand): Promise<void> {
    try {
      this.#acks.push({ id: command.id, version: await this.calls.act(command, this.#ending.signal) });
      this.#acknowledge();
    } catch (error) {
      if (!isRefusal(error)) return this.#end(error);
      this.frames.push({ type: "error", id: command.id, code: error.code, detail: error.message });
    }
  }

  #listen(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#end(new Error("no heartbeat came")), SILENCE);
  }

  #end(error: unknown): void {
    clearTimeout(this.#watch);
    this.frames.end(error);
    this.#ending.abort(error);
  }
}

/** Whether this is the answer to an action; the rest is a lost connection, or a revoked token. */
function isRefusal(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.status < 500 && error.status !== 401 && error.status !== 408;
}

/** Adds the events of a block; false if it has none, as a heartbeat. */
function readInto(events: GameEvent[], block: string): boolean {
  const data = block.split("\n").filter((line) => line.startsWith("data: "));
  for (const line of data) events.push(JSON.parse(line.slice(6)) as GameEvent);
  return data.length > 0;
}

/** The blocks of a response, which empty lines separate; blocks that arrived together come together. */
async function* blocks(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const end = text.lastIndexOf("\n\n") + 2;
    if (end > 1) yield text.slice(0, end);
    if (end > 1) text = text.slice(end);
  }
}
