/** Requests that are repeated when the network fails, each counted once: every POST carries an Idempotency-Key. */

import { BackOff, type BackOffOptions } from "./back-off.js";

const KEY = "Idempotency-Key";
const ATTEMPTS = 6;
const LONGEST_WAIT = 30_000;
const TEMPORARY = new Set([429, 502, 503, 504]);

/** 32 random hexadecimal digits: as an Idempotency-Key hard to guess. Works in pages without TLS, too. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export type Fetch = (request: Request) => Promise<Response>;

/** A `fetch` that repeats a request under the same key until it is answered, at most six times. */
export function repeating(fetch: Fetch, options?: BackOffOptions): Fetch {
  return async (request) => {
    const keyed = withKey(request);
    const backOff = new BackOff(options);
    for (let attempt = 1; ; attempt++) {
      const answer = await attempted(fetch, keyed.clone());
      if (attempt === ATTEMPTS || keyed.signal.aborted || !mayRepeat(answer)) return settled(answer);
      await backOff.pause(keyed.signal, waitOf(answer));
    }
  };
}

function withKey(request: Request): Request {
  if (request.method === "POST" && !request.headers.has(KEY)) request.headers.set(KEY, randomId());
  return request;
}

type Answer = { response: Response } | { error: unknown };

/** The answer is read to its end here: a connection that is cut within it counts as lost. */
async function attempted(fetch: Fetch, request: Request): Promise<Answer> {
  try {
    const response = await fetch(request);
    const body = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return { response: new Response(body.byteLength ? body : null, { status, statusText, headers }) };
  } catch (error) {
    return { error };
  }
}

function mayRepeat(answer: Answer): boolean {
  return "error" in answer || (TEMPORARY.has(answer.response.status) && waitOf(answer) <= LONGEST_WAIT);
}

function waitOf(answer: Answer): number {
  return "error" in answer ? 0 : Number(answer.response.headers.get("Retry-After") ?? 0) * 1000;
}

function settled(answer: Answer): Response {
  if ("error" in answer) throw answer.error;
  return answer.response;
}
