/** What the service refuses, as errors with its codes. */

import type { components } from "./schema.js";

type ProblemDocument = components["schemas"]["Problem"];

/** A request or an action was refused. `code` never changes; `message` is in the language that was asked for. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The whole problem document, where there is one. */
    readonly problem?: ProblemDocument,
    /** How long to wait before the next attempt, in milliseconds. */
    readonly retryAfter = 0,
  ) {
    super(message);
  }

  static async from(response: Response): Promise<ProblemError> {
    const text = await response.text();
    let problem: ProblemDocument | undefined;
    try {
      problem = JSON.parse(text) as ProblemDocument;
    } catch {
      // Not from the service: a proxy answered.
    }
    return ProblemError.of(response, problem);
  }

  static of(response: Response, problem?: ProblemDocument): ProblemError {
    const { status } = response;
    const code = problem?.code ?? `http_${status}`;
    return new ProblemError(status, code, problem?.detail ?? `status ${status}`, problem, retryAfter(response));
  }
}

/** A stream has ended for good, with the close code of its socket. */
export class StreamClosedError extends Error {
  override readonly name = "StreamClosedError";

  constructor(
    readonly closeCode: number,
    message = `the stream was closed with ${closeCode}`,
  ) {
    super(message);
  }
}

/** This JavaScript has no WebSocket, and what was asked for needs one. */
export class NoWebSocketError extends Error {
  override readonly name = "NoWebSocketError";

  constructor() {
    super("There is no WebSocket here (Node.js has one from version 22 on): give a class as the option `WebSocket`.");
  }
}

/** Codes of an action that came too late: the game went on meanwhile, and its next update says how. */
const OUTDATED = new Set(["stale_roll", "wrong_phase", "not_your_turn", "too_late", "game_over"]);

export function isOutdated(error: unknown): boolean {
  return error instanceof ProblemError && OUTDATED.has(error.code);
}

const FINAL_STATUS = new Set([400, 401, 403, 404]);
const FINAL_CLOSE = new Set([4400, 4403, 4404]);

/** Whether another attempt would end in the same way. */
export function isFinal(error: unknown): boolean {
  if (error instanceof ProblemError) return FINAL_STATUS.has(error.status);
  return error instanceof NoWebSocketError || (error instanceof StreamClosedError && FINAL_CLOSE.has(error.closeCode));
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}
