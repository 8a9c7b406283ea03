/** Values between a producer that does not wait and one consumer that does. */

export class Queue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #wake: (() => void) | undefined;
  #end: { error?: unknown } | undefined;

  push(value: T): void {
    if (!this.#end) this.#values.push(value);
    this.#wake?.();
  }

  /** What was pushed before is still delivered; then the consumer's loop ends, or throws the error. */
  end(...error: [unknown?]): void {
    this.#end ??= error.length ? { error: error[0] } : {};
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      while (this.#values.length) yield this.#values.shift() as T;
      if (this.#end) {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
