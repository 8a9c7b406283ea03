/** A connection over a WebSocket, authenticated by a ticket, as browsers cannot send a header. */

import type { Connection } from "./connection.js";
import type { Command } from "./frames.js";
import { StreamClosedError } from "./problems.js";
import { Queue } from "./queue.js";

/** What is used of the WebSocket of browsers; the class of the npm package `ws` has it, too. */
export interface WebSocketLike {
  readonly readyState: number;
  addEventListener(type: "open", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
  send(text: string): void;
  close(code?: number): void;
}
export type WebSocketClass = new (url: string, protocol: string) => WebSocketLike;

const PROTOCOL = "qx.v1";
const OPEN = 1;
const GOING_AWAY = 1006;
const SILENCE = 2; // heartbeats may stay away before the connection counts as dead
const TO_OPEN = 15_000;

export class Socket<Frame extends { type: string }> implements Connection<Frame> {
  readonly frames = new Queue<Frame>();
  readonly #socket: WebSocketLike;
  #settle: ((isOpen: boolean) => void) | undefined;
  #heartbeat = TO_OPEN;
  #watch: ReturnType<typeof setTimeout> | undefined;

  /** `settled` is called once: with true when the socket is open, with false if it ends before. */
  constructor(url: string, Class: WebSocketClass, settled: (isOpen: boolean) => void) {
    this.#settle = settled;
    this.#socket = new Class(url, PROTOCOL);
    this.#socket.addEventListener("open", () => this.#settled(true));
    this.#socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data)) as Frame));
    this.#socket.addEventListener("close", ({ code, reason }) => this.#lose(code, reason));
    this.#socket.addEventListener("error", () => undefined); // "close" follows
    this.#listen();
  }

  send(command: Command): void {
    if (this.#socket.readyState === OPEN) this.#socket.send(JSON.stringify(command));
  }

  close(): void {
    this.#lose(GOING_AWAY, "closed by this client");
    this.#socket.close(1000);
  }

  #receive(frame: Frame): void {
    if (frame.type === "hello") this.#heartbeat = SILENCE * 1000 * (frame as unknown as { heartbeat_s: number }).heartbeat_s;
    this.#listen();
    this.frames.push(frame);
  }

  /** A network may lose a connection without a word: then no heartbeat comes. */
  #listen(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.close(), this.#heartbeat);
  }

  #settled(isOpen: boolean): void {
    this.#settle?.(isOpen);
    this.#settle = undefined;
  }

  #lose(code: number, reason: string): void {
    this.#settled(false);
    clearTimeout(this.#watch);
    this.frames.end(new StreamClosedError(code, reason || `the stream was closed with ${code}`));
  }
}

/** The class that was given, or the one that this JavaScript has; null: none. */
export function webSocketClass(given?: WebSocketClass | null): WebSocketClass | undefined {
  if (given === null) return undefined;
  return given ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket;
}
