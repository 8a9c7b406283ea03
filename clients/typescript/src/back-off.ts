/** Pauses between attempts: doubled each time, with a random part, so that clients do not all come back at once. */

export interface BackOffOptions {
  /** The longest first pause, in milliseconds. */
  first?: number;
  /** The longest pause of all. */
  most?: number;
}

export class BackOff {
  readonly #first: number;
  readonly #most: number;
  #attempts = 0;

  constructor({ first = 500, most = 15_000 }: BackOffOptions = {}) {
    this.#first = first;
    this.#most = most;
  }

  reset(): void {
    this.#attempts = 0;
  }

  /** Resolves after the next pause, which is at least `least` milliseconds long; rejects when `signal` aborts. */
  async pause(signal?: AbortSignal, least = 0): Promise<void> {
    const longest = Math.min(this.#most, this.#first * 2 ** this.#attempts++);
    await sleep(Math.max(least, longest * (0.5 + Math.random() / 2)), signal);
  }
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
}
