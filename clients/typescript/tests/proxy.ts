/** A TCP proxy that behaves like a bad network: it cuts connections, also between a request and its answer. */

import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export class Proxy {
  readonly #lines = new Set<Socket>();
  readonly #server = createServer((caller) => this.#connect(caller));
  readonly #target: URL;
  #most = 0; // answers from cut to cut; 0: all
  #left = 0;
  #withholds = false;
  blocksSockets = false;
  cuts = 0;

  private constructor(target: string) {
    this.#target = new URL(target);
  }

  static async to(target: string): Promise<Proxy> {
    const proxy = new Proxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Pass on so many chunks of answers at most, then cut all connections in place of the next; again and again. */
  cutOften(most: number): void {
    this.#most = most;
    this.#left = most;
  }

  /** Pass on the next request, and cut its connection when its answer comes. */
  withholdNextAnswer(): void {
    this.#withholds = true;
  }

  cut(): void {
    if (this.#lines.size) this.cuts++;
    for (const line of this.#lines) line.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #connect(caller: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname);
    let isWithheld = false;
    caller.on("data", (sent) => {
      if (this.blocksSockets && /upgrade: websocket/i.test(sent.toString("latin1"))) return void caller.destroy();
      if (this.#withholds) isWithheld = true;
      this.#withholds = false;
      server.write(sent);
    });
    server.on("data", (answer) => {
      if (this.#most && this.#left-- <= 0) {
        this.#left = Math.floor((this.#most * (1 + 2 * Math.random())) / 3);
        this.cut();
      } else if (!isWithheld) caller.write(answer);
      else {
        this.cuts++;
        caller.destroy();
      }
    });
    for (const [line, other] of [[caller, server], [server, caller]] as const) {
      this.#lines.add(line);
      line.on("error", () => undefined);
      line.on("close", () => {
        this.#lines.delete(line);
        other.destroy();
      });
    }
  }
}
