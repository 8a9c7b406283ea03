/** One connection to a stream, whatever carries it, and a series of them that follows a stream through losses. */

import { BackOff, type BackOffOptions } from "./back-off.js";
import { isFinal, ProblemError } from "./problems.js";
import type { Command } from "./frames.js";

export interface Connection<Frame> {
  /** Ends, or throws, when the connection is lost. */
  readonly frames: AsyncIterable<Frame>;
  send(command: Command): void;
  close(): void;
}

export interface SeriesOptions {
  backOff?: BackOffOptions | undefined;
  signal: AbortSignal;
  /** Called with each loss; another connection follows after a pause. */
  onLost?: ((error: unknown) => void) | undefined;
}

export interface Received<Frame> {
  connection: Connection<Frame>;
  frame: Frame;
}

/** Frames of one connection after the other, with a pause between them, until `signal` aborts or a loss is final. */
export async function* series<Frame>(
  open: (signal: AbortSignal) => Promise<Connection<Frame>>,
  { backOff, signal, onLost }: SeriesOptions,
): AsyncGenerator<Received<Frame>, void, void> {
  const pauses = new BackOff(backOff);
  while (!signal.aborted) {
    let error: unknown;
    try {
      for await (const received of one(open, signal)) {
        pauses.reset();
        yield received;
      }
    } catch (thrown) {
      error = thrown;
    }
    if (signal.aborted) return;
    if (isFinal(error)) throw error;
    onLost?.(error);
    await pauses.pause(signal, error instanceof ProblemError ? error.retryAfter : 0).catch(() => undefined);
  }
}

async function* one<Frame>(
  open: (signal: AbortSignal) => Promise<Connection<Frame>>,
  signal: AbortSignal,
): AsyncGenerator<Received<Frame>, void, void> {
  const connection = await open(signal);
  const close = () => connection.close();
  signal.addEventListener("abort", close);
  try {
    if (!signal.aborted) for await (const frame of connection.frames) yield { connection, frame };
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}
