// A game that follows a script instead of a server: the lesson of a tutorial. It stands where a `Game` stands, so the table
// draws it as any other game. The script carries sheets, dice and options; this module knows no rule.

const fields = ["type", "row", "number", "column"];
const plain = (action) => JSON.stringify([...fields.map((name) => action[name] ?? null), [...(action.dice ?? [])].sort()]);

export class ScriptedGame extends EventTarget {
  isScripted = true;
  link = "live";
  spoken = new Map();
  history = [];
  latest = [];
  place = 0;

  // `describe` gives the names: { ruleset, sheet, you, bot }; `hint(step)` the text for a move that the lesson does not wait for.
  constructor(steps, names, hint) {
    super();
    Object.assign(this, { steps, names, hint });
  }

  get step() {
    return this.steps[Math.min(this.place, this.steps.length - 1)];
  }

  get isOver() {
    return this.place >= this.steps.length;
  }

  get now() {
    return Date.now();
  }

  get view() {
    const { ruleset, sheet, you, bot } = this.names;
    const seats = [{ seat: 0, player: { name: you }, state: "playing" }, { seat: 1, player: { name: bot, is_bot: true, level: "easy" }, state: "playing" }];
    const { turn, sheets, closed_rows, options, expected } = this.step;
    return { ruleset, sheet, status: "playing", version: this.place + 1, seats, you: 0, clock: null, turn, sheets, closed_rows, options: this.isOver ? [] : options, hint: expected, your_answer: null, result: null };
  }

  async act(action) {
    if (plain(action) !== plain(this.step.expected)) throw new Error(this.hint(this.place));
    const number = this.history.length;
    const begun = this.place === 0 || this.step.turn.number !== this.steps[this.place - 1].turn.number;
    const { seat, turn } = { seat: this.step.turn.active, turn: this.step.turn.number };
    const first = begun ? [{ type: "turn_started", data: { seat, turn } }] : [];
    this.latest = [...first, ...this.step.events].map((event, place) => ({ ...event, version: number + place }));
    this.history = [...this.history, ...this.latest];
    this.place += 1;
    this.dispatchEvent(new Event("change"));
  }

  // What the expected move adds or costs.
  async preview(action) {
    if (plain(action) !== plain(this.step.expected)) throw new Error(this.hint(this.place));
    return { points: { before: 0, after: this.step.gain } };
  }

  back() {
    this.place = Math.max(0, this.place - 1);
    this.history = this.latest = [];
    this.dispatchEvent(new Event("change"));
  }
}
