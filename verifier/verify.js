// Checks the export of a game of Qwixx or Qwinto: chain, commitment, dice, rules and scores. Needs nothing but JavaScript.
//
//     node verify.js game.ndjson [a hash or commitment you noted while you played …]
//     import { verify } from "./verify.js"; const report = await verify(text);
//
// A second opinion: it shares no code with the service that wrote the export. It plays the game again from the log. Where
// players had a choice, the log says what they chose, and it is checked that they might; all that follows from it, dice
// and scores included, is worked out here and must be in the log to the letter. `verify.py` is the same in Python.

const CHECKS = ["form", "chain", "commitment", "dice", "rules", "scores"];
const GENESIS = "0".repeat(64);
const LARGEST = Number.MAX_SAFE_INTEGER; // beyond it numbers cannot be told apart
const DEEPEST = 16;
const [HEX64, HEX32] = [/^[0-9a-f]{64}$/, /^[0-9a-f]{32}$/];
const AT = /^(?:19[7-9]|[2-9][0-9]{2})[0-9]-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z$/;
const CLIENT_SEED = /^[A-Za-z0-9_-]{0,64}$/;
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
const [OPEN, PLAYING, FINISHED, ABORTED, VOIDED] = ["open", "playing", "finished", "aborted", "voided"];
const OVER = [FINISHED, ABORTED, VOIDED];
const REVEALING = ["game_ended", "game_aborted", "game_voided"];
const BECOMES = new Map([...REVEALING.map((type, index) => [type, OVER[index]]), ["game_created", OPEN], ["game_started", PLAYING]]);
const MEANT = [...BECOMES.keys(), "seat_taken", "seat_left", "dice_rolled", "answer_sealed", "phase_closed"]; // in every game
const [THERE, AWAY, RESIGNED] = ["playing", "away", "resigned"];

/** The first thing that is wrong: which check found it, and why. Version 0 is the header. */
class Bad extends Error {
  constructor(check, why, version = null) {
    super(why);
    Object.assign(this, { check, why, version });
  }
}

function must(isSo, check, why) {
  if (!isSo) throw new Bad(check, why);
}

// JSON: strictly whole numbers, no key twice; and its one canonical text

/** JSON.parse takes 1e2 for 100 and a key's last value for its only one; a log is read more strictly than that. */
class Reader {
  constructor(text) {
    this.text = text;
    this.place = 0;
  }

  whole() {
    const value = this.value(0);
    this.skip();
    if (this.place < this.text.length) this.refuse();
    return value;
  }

  refuse() {
    throw new Bad("form", "this line is not the JSON of a log");
  }

  take(pattern) {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.place = pattern.lastIndex;
    return found[0];
  }

  skip() {
    this.take(/[ \t\n\r]*/y);
  }

  value(depth) {
    this.skip();
    const next = this.text[this.place];
    if (depth >= DEEPEST && (next === "{" || next === "[")) this.refuse();
    if (next === "{") return this.object(depth + 1);
    if (next === "[") return this.list(depth + 1);
    if (next === '"') return this.string();
    return this.scalar();
  }

  scalar() {
    const word = this.take(/true|false|null/y);
    if (word) return { true: true, false: false, null: null }[word];
    const digits = this.take(/-?(?:0|[1-9][0-9]*)/y) ?? this.refuse();
    const number = Number(digits);
    if (/[.eE]/.test(this.text[this.place] ?? "") || digits === "-0" || Math.abs(number) > LARGEST) this.refuse();
    return number;
  }

  string() {
    const quoted = this.take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y) ?? this.refuse();
    const text = JSON.parse(quoted);
    if (/\p{Surrogate}/u.test(text)) this.refuse(); // half a surrogate pair is no text
    return text;
  }

  list(depth) {
    const values = [];
    this.members("]", () => values.push(this.value(depth)));
    return values;
  }

  object(depth) {
    const values = Object.create(null);
    this.members("}", () => {
      this.skip();
      if (this.text[this.place] !== '"') this.refuse();
      const key = this.string();
      this.skip();
      if (key in values || !this.take(/:/y)) this.refuse();
      values[key] = this.value(depth);
    });
    return values;
  }

  members(end, member) {
    this.place += 1;
    this.skip();
    if (this.text[this.place] === end) {
      this.place += 1;
      return;
    }
    for (;;) {
      member();
      this.skip();
      const mark = this.text[this.place++];
      if (mark === end) return;
      if (mark !== ",") this.refuse();
    }
  }
}

const parse = (line) => new Reader(line).whole();

/** By code points, as Python sorts; JavaScript's own order is that of UTF-16. */
function byCodePoint(one, other) {
  const [left, right] = [[...one], [...other]];
  for (let place = 0; place < Math.min(left.length, right.length); place++) {
    const difference = left[place].codePointAt(0) - right[place].codePointAt(0);
    if (difference) return difference;
  }
  return left.length - right.length;
}

/** Sorted keys, no spaces, UTF-8: what hashes cover. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

const same = (one, other) => canonical(one) === canonical(other);

// Shapes: what each event holds; a new shape would have another `v`

const isText = (value) => typeof value === "string";
const isNumber = (value) => typeof value === "number";
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const KINDS = {
  number: isNumber,
  text: isText,
  flag: (value) => typeof value === "boolean",
  object: isObject,
  numbers: (value) => Array.isArray(value) && value.every(isNumber),
  list: Array.isArray,
  hash: (value) => isText(value) && HEX64.test(value),
  time: (value) => isText(value) && wholeSeconds(value) !== null,
  nonce: (value) => isText(value) && HEX32.test(value),
  seed: (value) => isText(value) && CLIENT_SEED.test(value),
};
const SHAPES = new Map(
  Object.entries({
    game_created:
      "ruleset:text sheet:text seats:number visibility:text rated:flag clock:object? commitment:hash rematch_of:text?",
    seat_taken: "seat:number player:text? bot:text? client_seed:seed",
    seat_left: "seat:number host:number?",
    game_started: "first:number entropy:hash seats:numbers",
    turn_started: "seat:number turn:number deadline:time?",
    dice_rolled: "seat:number roll:number dice:object deadline:time?",
    dice_kept: "seat:number deadline:time?",
    answer_sealed: "seat:number action:object nonce:nonce",
    phase_closed: "phase:text answers:list? deadline:time?",
    cell_marked: "seat:number row:text number:number phase:text",
    row_closed: "row:text seats:numbers",
    penalty_taken: "seat:number",
    number_written: "seat:number row:text column:number number:number",
    throw_failed: "seat:number",
    time_ran_out: "seats:numbers deadline:time",
    seat_went_away: "seat:number",
    seat_came_back: "seat:number",
    seat_resigned: "seat:number",
    game_ended: "reason:text ranking:list server_seed:hash",
    game_aborted: "reason:text server_seed:hash",
    game_voided: "reason:text server_seed:hash",
    rematch_created: "next_game:text",
    time_credited: "seconds:number deadline:time key:text",
    clock_paused: "reason:text",
    clock_resumed: "reason:text deadline:time?",
  }),
);
const ENVELOPE = "game:text version:number type:text v:number at:time data:object prev:hash hash:hash";
const HEADER = "format:text format_version:number game:text ruleset:text sheet:text events:number complete:flag";

/** The name of the first field that is not what it should be. */
function misshapen(value, shape, isClosed = true) {
  if (!isObject(value)) return "it";
  const kinds = new Map(shape.split(" ").map((field) => field.split(":")));
  for (const [name, kind] of kinds) {
    const isNull = kind.endsWith("?") && value[name] === null;
    if (!isNull && !(name in value && KINDS[kind.replace("?", "")](value[name]))) return name;
  }
  const strangers = isClosed ? Object.keys(value).filter((name) => !kinds.has(name)) : [];
  return strangers.sort(byCodePoint)[0] ?? null;
}

/** Since 1970, or null if it is no time. */
function wholeSeconds(at) {
  if (!AT.test(at)) return null;
  const [year, month, day, hour, minute, second] = at.slice(0, 19).split(/[-T:]/).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1000 : null;
}

/** The time so long after another, in the log's form. */
function later(at, seconds, microseconds = 0) {
  const fraction = Number(at.slice(20, 26)) + microseconds;
  const total = wholeSeconds(at) + seconds + Math.floor(fraction / 1_000_000);
  if (total > LAST_SECOND) return null;
  const digits = String(fraction % 1_000_000).padStart(6, "0");
  return `${new Date(total * 1000).toISOString().slice(0, 19)}.${digits}Z`;
}

// Luck: what the seed says

const utf8 = new TextEncoder();
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

function webCrypto() {
  if (!globalThis.crypto?.subtle) throw new Error("WebCrypto is missing: browsers offer it on https and localhost only");
  return globalThis.crypto.subtle;
}

async function sha256(bytes) {
  return hex(await webCrypto().digest("SHA-256", isText(bytes) ? utf8.encode(bytes) : bytes));
}

/** Every die of a game as its seed gives it; nothing while the seed is secret, or if it is not the promised one. */
class Luck {
  constructor(game) {
    Object.assign(this, { game, promise: "", seed: null, isRevealed: false, mixture: "", entropy: "", drawn: new Map() });
  }

  /** All that has to be hashed is hashed before the game is played again, so that playing need not wait. */
  static async of(game, events) {
    const luck = new Luck(game);
    const revealing = events.filter((event) => REVEALING.includes(event.type));
    luck.promise = events.find((event) => event.type === "game_created")?.data.commitment ?? "";
    luck.isRevealed = revealing.length > 0;
    await luck.mix(events);
    if (luck.isRevealed && (await sha256(unhex(revealing[0].data.server_seed))) === luck.promise) {
      luck.seed = revealing[0].data.server_seed;
      await luck.draw(events);
    }
    return luck;
  }

  /** What an event that reveals the seed must say. */
  revealed() {
    return this.seed ?? `one whose SHA-256 is ${this.promise}`;
  }

  async mix(events) {
    const seeds = new Map();
    for (const { type, data } of events) {
      if (type === "game_started") break;
      if (type === "seat_taken") seeds.set(data.seat, data.client_seed);
      if (type === "seat_left") seeds.delete(data.seat);
    }
    const taken = [...seeds.keys()].sort((one, other) => one - other);
    this.seats = taken.length;
    this.mixture = mixture(taken.map((seat) => seeds.get(seat)));
    this.entropy = await sha256(this.mixture);
  }

  entropyOf(clientSeeds) {
    return mixture(clientSeeds) === this.mixture ? this.entropy : "that of the seats' seeds";
  }

  async draw(events) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.key = await webCrypto().importKey("raw", unhex(this.seed), algorithm, false, ["sign"]);
    const wanted = this.seats ? [[0, "first", this.seats]] : [];
    events
      .filter((event) => event.type === "dice_rolled")
      .forEach((event, index) => {
        const names = new Set([...DICE, ...namesOf(event.data.dice)]);
        for (const name of names) wanted.push([index + 1, name, 6]);
      });
    await Promise.all(wanted.map(async ([roll, name, faces]) => this.drawn.set(`${roll}|${name}`, await this.throw(roll, name, faces))));
  }

  /** Contract, section 9: the first byte that favours no face. */
  async throw(roll, name, faces) {
    for (let block = 0; ; block++) {
      const message = utf8.encode(`${this.game}|${this.entropy}|${roll}|${name}|${block}`);
      for (const byte of new Uint8Array(await webCrypto().sign("HMAC", this.key, message))) {
        if (byte < 256 - (256 % faces)) return 1 + (byte % faces);
      }
    }
  }

  die(roll, name) {
    return this.seed === null ? null : (this.drawn.get(`${roll}|${name}`) ?? 0);
  }
}

const mixture = (clientSeeds) => clientSeeds.map((seed, seat) => `${seat}:${seed}`).join("\n");

// The rules: each game knows its dice, what may be answered to them, what follows and what it scores

const DICE = ["white1", "white2", "red", "yellow", "green", "blue", "orange", "purple"];
const RISING = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const FALLING = [...RISING].reverse();
const PASS = { type: "pass" };

/** Rows are lists of marked numbers in the order of their marking, which is from left to right. */
class Qwixx {
  static seats = [2, 5];
  everyone = "white";
  clocks = { roll: "roll_s", white: "answer_s", colour: "answer_s" };
  rows = new Map([["red", RISING], ["yellow", RISING], ["green", FALLING], ["blue", FALLING]]);

  constructor(seats) {
    this.pads = Array.from({ length: seats }, () => new Map([...this.rows.keys()].map((row) => [row, []])));
    this.penalties = Array(seats).fill(0);
    this.closed = [];
    this.hasMarked = false;
  }

  turn() {
    this.hasMarked = false;
  }

  choices() {
    return [["white1", "white2", ...[...this.rows.keys()].filter((row) => !this.closed.includes(row))]];
  }

  afterRoll() {
    return "white";
  }

  options(phase, seat, dice) {
    const [one, other] = dice.white;
    const options = [];
    for (const row of this.rows.keys()) {
      const sums = phase === "white" ? [one + other] : row in dice ? [one + dice[row], other + dice[row]] : [];
      const legal = sums.filter((number) => this.mayMark(seat, row, number));
      options.push(...legal.map((number) => ({ type: "mark", row, number })));
    }
    return [...options, PASS];
  }

  mayMark(seat, row, number) {
    const [marks, numbers] = [this.pads[seat].get(row), this.rows.get(row)];
    if (this.closed.includes(row)) return false;
    if (marks.length && numbers.indexOf(number) <= numbers.indexOf(marks.at(-1))) return false;
    return number !== numbers.at(-1) || marks.length >= 5;
  }

  resolve(phase, active, answers) {
    const [facts, closing] = [[], new Map()];
    for (const seat of [...answers.keys()].sort((one, other) => one - other)) {
      const { type, row, number } = answers.get(seat);
      if (type !== "mark") continue;
      facts.push(["cell_marked", { seat, row, number, phase }]);
      this.pads[seat].get(row).push(number);
      this.hasMarked ||= seat === active;
      if (number === this.rows.get(row).at(-1)) closing.set(row, [...(closing.get(row) ?? []), seat]);
    }
    for (const row of [...this.rows.keys()].filter((key) => closing.has(key))) {
      facts.push(["row_closed", { row, seats: closing.get(row) }]);
      this.closed.push(row);
    }
    if (phase === "colour" && !this.hasMarked && answers.get(active)?.type === "pass") {
      facts.push(["penalty_taken", { seat: active }]);
      this.penalties[active] += 1;
    }
    return facts;
  }

  diceLeft(dice) {
    return Object.fromEntries(Object.entries(dice).filter(([name]) => !this.closed.includes(name)));
  }

  afterClosing(phase) {
    return phase === "white" ? "colour" : "";
  }

  ending() {
    if (this.closed.length >= 2) return "two_rows_closed";
    return Math.max(...this.penalties) >= 4 ? "four_penalties" : null;
  }

  points(seat) {
    let total = -5 * this.penalties[seat];
    for (const [row, marks] of this.pads[seat]) {
      const crosses = marks.length + (marks.includes(this.rows.get(row).at(-1)) ? 1 : 0); // the lock is a cross more
      total += (crosses * (crosses + 1)) / 2;
    }
    return total;
  }
}

/** Rows map a column to the number written there. */
class Qwinto {
  static seats = [2, 6];
  everyone = "write";
  clocks = { roll: "roll_s", keep: "roll_s", write: "answer_s" };
  rows = new Map([
    ["orange", [2, 3, 4, 6, 7, 8, 9, 10, 11]],
    ["yellow", [1, 2, 3, 4, 5, 7, 8, 9, 10]],
    ["purple", [0, 1, 2, 3, 5, 6, 7, 8, 9]],
  ]);
  pentagons = new Map([[2, "purple"], [3, "orange"], [7, "orange"], [8, "yellow"], [9, "purple"]]);

  constructor(seats) {
    this.pads = Array.from({ length: seats }, () => new Map([...this.rows.keys()].map((row) => [row, new Map()])));
    this.fails = Array(seats).fill(0);
  }

  turn() {}

  choices(phase, dice) {
    const [one, two, three] = this.rows.keys();
    if (phase === "keep") return [[one, two, three].filter((row) => row in dice)]; // a reroll is of all the same dice
    return [[one], [two], [three], [one, two], [one, three], [two, three], [one, two, three]];
  }

  afterRoll(phase) {
    return phase === "keep" ? "write" : "keep";
  }

  options(_phase, seat, dice) {
    const number = sum(dice);
    const options = [];
    for (const row of [...this.rows.keys()].filter((key) => key in dice)) {
      const fitting = this.rows.get(row).filter((column) => this.mayWrite(seat, row, column, number));
      options.push(...fitting.map((column) => ({ type: "write", row, column })));
    }
    return [...options, PASS];
  }

  mayWrite(seat, row, column, number) {
    for (const [other, there] of this.pads[seat].get(row)) {
      if (other === column || (other < column ? there >= number : there <= number)) return false;
    }
    return [...this.pads[seat].values()].every((numbers) => numbers.get(column) !== number);
  }

  resolve(_phase, active, answers, dice) {
    const [facts, number] = [[], sum(dice)];
    for (const seat of [...answers.keys()].sort((one, other) => one - other)) {
      const { type, row, column } = answers.get(seat);
      if (type !== "write") continue;
      facts.push(["number_written", { seat, row, column, number }]);
      this.pads[seat].get(row).set(column, number);
    }
    if (answers.get(active)?.type === "pass") {
      facts.push(["throw_failed", { seat: active }]);
      this.fails[active] += 1;
    }
    return facts;
  }

  diceLeft(dice) {
    return dice;
  }

  afterClosing() {
    return "";
  }

  ending(phase) {
    if (phase) return null; // all answers of the turn count
    const full = this.pads.map((pad) => [...this.rows.keys()].filter((row) => this.isFull(pad, row)).length);
    if (Math.max(...full) >= 2) return "two_rows_filled";
    return Math.max(...this.fails) >= 4 ? "four_fails" : null;
  }

  isFull(pad, row) {
    return pad.get(row).size === this.rows.get(row).length;
  }

  points(seat) {
    const pad = this.pads[seat];
    let total = -5 * this.fails[seat];
    for (const [row, columns] of this.rows) {
      total += this.isFull(pad, row) ? pad.get(row).get(columns.at(-1)) : pad.get(row).size;
    }
    for (const [column, row] of this.pentagons) {
      if ([...pad.values()].every((numbers) => numbers.has(column))) total += pad.get(row).get(column);
    }
    return total;
  }
}

const RULES = new Map([["qwixx classic", Qwixx], ["qwinto classic", Qwinto]]);
const sum = (dice) => Object.values(dice).reduce((one, other) => one + other, 0);

// The table: who sits where, whose turn it is, who is waited for, and what follows from what somebody did

/** One game, played again. What follows from an event is it and all the events that must come with it. */
class Table {
  constructor(luck) {
    this.luck = luck;
    this.rules = null;
    this.status = this.phase = this.at = this.atBefore = "";
    this.setup = {};
    this.dice = {};
    this.chairs = new Map();
    this.sealed = [];
    this.host = this.deadline = this.result = this.opener = null;
    this.active = this.turn = this.roll = 0;
    this.isPaused = false;
    this.credited = new Set();
    this.facts = [];
    this.coming = [];
  }

  /** `coming` is an event that somebody caused, and those of the same instant after it. */
  whatFollows(coming) {
    const { type, at, data, version } = coming[0];
    Object.assign(this, { facts: [], opener: null, coming });
    if (at !== this.at) [this.at, this.atBefore] = [at, this.at];
    must(`on_${type}` in this, "rules", `${type} does not happen by itself`);
    this[`on_${type}`](data, version);
    return this.facts;
  }

  /** What the log says of something that only the seed could tell. */
  claimed(type, name) {
    return this.coming.find((event) => event.type === type)?.data[name] ?? null;
  }

  add(type, data) {
    this.facts.push([type, data]);
  }

  /** The deadline is set once it is clear that somebody is waited for. */
  openPhase(type, data) {
    this.opener = { ...data, deadline: null };
    this.deadline = null;
    this.add(type, this.opener);
  }

  // Before the start

  on_game_created(data, version) {
    must(version === 1, "rules", "a game is created once, and first of all");
    const [least, most] = RULES.get(`${data.ruleset} ${data.sheet}`)?.seats ?? [1, LARGEST];
    must(least <= data.seats && data.seats <= most, "rules", `this game has ${least} to ${most} seats`);
    must(["public", "private"].includes(data.visibility), "rules", "a game is public or private");
    must(isClock(data.clock, data.visibility), "rules", "this clock is not allowed");
    Object.assign(this, { status: OPEN, setup: data });
    this.add("game_created", data);
  }

  on_seat_taken(data) {
    must(this.status === OPEN, "rules", "nobody can sit down now");
    must(Boolean(data.player) !== Boolean(data.bot), "rules", "a seat is a person's or a bot's");
    const isTwice = data.player && [...this.chairs.values()].some((chair) => chair.player === data.player);
    must(!isTwice, "rules", "nobody has two seats");
    must(data.player || data.client_seed === "", "dice", "a bot gives no seed");
    let free = 0;
    while (this.chairs.has(free)) free += 1;
    this.add("seat_taken", { ...data, seat: free });
    this.chairs.set(free, { ...data, state: THERE, silences: 0 });
    this.host ??= free;
    if (this.chairs.size === this.setup.seats) this.start();
  }

  on_seat_left(data) {
    must(this.status === OPEN && this.chairs.has(data.seat), "rules", "nobody can get up there now");
    this.chairs.delete(data.seat);
    const people = this.seats().filter((seat) => this.chairs.get(seat).player);
    this.host = people.includes(this.host) ? this.host : (people[0] ?? null);
    this.add("seat_left", { seat: data.seat, host: this.host });
    if (this.host === null) this.abort("nobody_left");
  }

  on_game_started() {
    must(this.status === OPEN && this.chairs.size >= 2, "rules", "the game cannot start now");
    this.start();
  }

  /** The taken seats are numbered anew, without gaps; the seed says who begins. */
  start() {
    const taken = this.seats();
    this.chairs = new Map(taken.map((old, seat) => [seat, this.chairs.get(old)]));
    const entropy = this.luck.entropyOf([...this.chairs.values()].map((chair) => chair.client_seed));
    const first = this.first(taken.length);
    this.add("game_started", { first, entropy, seats: taken });
    this.status = PLAYING;
    this.rules = new (RULES.get(`${this.setup.ruleset} ${this.setup.sheet}`))(taken.length);
    this.startTurn(this.chairs.has(first) ? first : 0);
    this.settle();
  }

  first(seats) {
    const [drawn, claimed] = [this.luck.die(0, "first"), this.claimed("game_started", "first")];
    if (drawn !== null) return drawn - 1;
    return isNumber(claimed) && 0 <= claimed && claimed < seats ? claimed : "a seat of this game";
  }

  // Who is waited for, and what happens when nobody is

  seats() {
    return [...this.chairs.keys()].sort((one, other) => one - other);
  }

  waitedFor() {
    if (this.status !== PLAYING || !this.phase) return [];
    const asked = this.phase === this.rules.everyone ? this.seats() : [this.active];
    return asked.filter((seat) => this.isThere(seat) && !this.sealed.some((answer) => answer.seat === seat));
  }

  isThere(seat) {
    return this.chairs.get(seat)?.state === THERE;
  }

  isAnyPersonThere() {
    return [...this.chairs.values()].some((chair) => chair.player && chair.state === THERE);
  }

  startTurn(seat) {
    Object.assign(this, { active: seat, turn: this.turn + 1, phase: "roll", dice: {} });
    this.rules.turn();
    this.openPhase("turn_started", { seat, turn: this.turn });
  }

  /** Go on until somebody has to be waited for, or the game is over. */
  settle() {
    while (this.status === PLAYING) {
      const reason = this.rules.ending(this.phase);
      if (reason) {
        this.end(reason);
      } else if (this.waitedFor().length) {
        this.setDeadline();
        break;
      } else if (["", "roll"].includes(this.phase)) {
        this.startTurn(this.nextSeat());
      } else {
        this.close(this.answers());
      }
    }
  }

  nextSeat() {
    let seat = (this.active + 1) % this.chairs.size;
    while (!this.isThere(seat)) seat = (seat + 1) % this.chairs.size;
    return seat;
  }

  setDeadline() {
    if (this.opener !== null) this.opener.deadline = this.deadline = this.wholeTime();
  }

  wholeTime() {
    const clock = this.setup.clock;
    return clock === null || this.isPaused ? null : later(this.at, clock[this.rules.clocks[this.phase]]);
  }

  answers() {
    return new Map(this.sealed.map((answer) => [answer.seat, answer.action]));
  }

  /** The phase ends with these answers: what was sealed is revealed, and all of it happens at once. */
  close(answers) {
    if (this.phase === "keep") {
      this.phase = "write";
      this.openPhase("dice_kept", { seat: this.active });
      return;
    }
    must(this.sealed.every((answer) => answer.action), "chain", "an answer of this phase stays hidden");
    const answered = this.phase === this.rules.everyone ? this.sealed : null;
    this.openPhase("phase_closed", { phase: this.phase, answers: answered });
    this.facts.push(...this.rules.resolve(this.phase, this.active, answers, this.dice));
    this.dice = this.rules.diceLeft(this.dice);
    this.sealed = [];
    this.phase = this.rules.afterClosing(this.phase);
  }

  end(reason) {
    this.result = { reason, ranking: this.ranking() };
    this.add("game_ended", { ...this.result, server_seed: this.luck.revealed() });
    Object.assign(this, { status: FINISHED, deadline: null });
  }

  /** Best first; equal points share a rank; who left or is away ranks below all who played on. */
  ranking() {
    const places = this.seats().map((seat) => ({ seat, points: this.rules.points(seat), isGone: !this.isThere(seat) }));
    const isBetter = (one, other) => (one.isGone === other.isGone ? one.points > other.points : other.isGone);
    const rank = (place) => 1 + places.filter((other) => isBetter(other, place)).length;
    const ranked = places.map((place) => ({ seat: place.seat, rank: rank(place), points: place.points }));
    return ranked.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  }

  abort(reason) {
    this.reveal();
    this.add("game_aborted", { reason, server_seed: this.luck.revealed() });
    Object.assign(this, { status: ABORTED, deadline: null });
  }

  /** A game that stops in the middle of a phase shows what was sealed. */
  reveal() {
    if (!this.sealed.length) return;
    this.add("phase_closed", { phase: this.phase, answers: this.sealed, deadline: null });
    this.sealed = [];
  }

  // Answers

  mustBeAsked(seat, ...phases) {
    must(this.status === PLAYING && phases.includes(this.phase), "rules", "this is not the phase for it");
    must(this.isThere(seat), "rules", `seat ${seat} is not there to answer`);
    // No append is earlier than the one before it: what came in time may have been pushed behind its deadline.
    const isPushed = this.atBefore && this.at === later(this.atBefore, 0, 1);
    must(this.deadline === null || this.at < this.deadline || isPushed, "rules", "this answer came too late");
  }

  mustBeLegal(seat, action) {
    const options = this.rules.options(this.phase, seat, this.dice);
    const isLegal = options.some((option) => same(action, option));
    must(isLegal, "rules", `seat ${seat} was not allowed ${canonical(action)}`);
  }

  on_dice_rolled(data) {
    this.mustBeAsked(this.active, "roll", "keep");
    const names = namesOf(data.dice).sort(byCodePoint);
    const choice = this.rules.choices(this.phase, this.dice).find((one) => same([...one].sort(byCodePoint), names));
    must(choice, "rules", `these dice could not be rolled: ${names.join(", ")}`);
    this.chairs.get(this.active).silences = 0;
    this.rollDice(choice);
    this.settle();
  }

  rollDice(names) {
    this.roll += 1;
    this.dice = {};
    for (const name of names) {
      if (name.startsWith("white")) this.dice.white = [...(this.dice.white ?? []), this.face(name)];
      else this.dice[name] = this.face(name);
    }
    this.phase = this.rules.afterRoll(this.phase);
    this.openPhase("dice_rolled", { seat: this.active, roll: this.roll, dice: this.dice });
  }

  /** As the seed says; as the log says, while the seed is secret. */
  face(name) {
    const [drawn, claimed] = [this.luck.die(this.roll, name), shown(this.claimed("dice_rolled", "dice"), name)];
    if (drawn !== null) return drawn;
    return isNumber(claimed) && 1 <= claimed && claimed <= 6 ? claimed : "1 to 6";
  }

  on_dice_kept() {
    this.mustBeAsked(this.active, "keep");
    this.chairs.get(this.active).silences = 0;
    this.close(new Map());
    this.settle();
  }

  on_answer_sealed(data, version) {
    const { seat, action = null, nonce = null } = data;
    this.mustBeAsked(seat, "white", "write");
    const mine = this.sealed.filter((answer) => answer.seat === seat);
    must(mine.length <= 20, "rules", "an answer may be replaced 20 times");
    if (action !== null) {
      this.mustBeLegal(seat, action);
      must(!mine.length || !same(mine.at(-1).action, action), "rules", "the same answer again is none");
    }
    this.chairs.get(seat).silences = 0;
    this.add("answer_sealed", data);
    this.sealed.push({ seat, version, action, nonce });
    this.settle();
  }

  /** By itself: the answer in phase colour, which is not sealed; or staff that stops the game in mid-phase. */
  on_phase_closed(data) {
    must(this.status === PLAYING, "rules", "there is no phase to close");
    if (this.phase === "colour" && data.phase === "colour") {
      this.mustBeAsked(this.active, "colour");
      const answer = this.colourAnswer();
      this.mustBeLegal(this.active, answer);
      this.chairs.get(this.active).silences = 0;
      this.close(new Map([[this.active, answer]]));
      this.settle();
      return;
    }
    const isStopped = ["game_aborted", "game_voided"].includes(this.coming[1]?.type);
    must(this.sealed.length && isStopped, "rules", "somebody is still waited for");
    this.reveal();
  }

  /** Told by what follows it. */
  colourAnswer() {
    if (this.coming[1]?.type !== "cell_marked") return PASS;
    const { row, number } = this.coming[1].data;
    return { type: "mark", row, number };
  }

  // Time and absence

  on_time_ran_out() {
    must(this.status === PLAYING && this.deadline !== null, "rules", "no clock runs");
    must(this.at >= this.deadline, "rules", "time has not run out yet");
    const silent = this.waitedFor();
    this.add("time_ran_out", { seats: silent, deadline: this.deadline });
    for (const seat of silent) {
      const chair = this.chairs.get(seat);
      chair.silences += 1;
      if (chair.player && chair.silences >= 3) { // a bot never goes away
        this.add("seat_went_away", { seat });
        this.setState(seat, AWAY);
      }
    }
    if (this.isAnyPersonThere()) this.goOnWithout(silent);
    this.goOn();
  }

  /** An unrolled die is rolled, in Qwinto all three; missing answers are passes. */
  goOnWithout(silent) {
    if (this.phase === "roll") this.rollDice(this.rules.choices("roll", {}).at(-1));
    else this.close(new Map([...this.answers(), ...silent.map((seat) => [seat, PASS])]));
  }

  goOn() {
    if (this.status === PLAYING && !this.isAnyPersonThere()) this.abort("nobody_left");
    this.settle();
  }

  setState(seat, state) {
    Object.assign(this.chairs.get(seat), { state, silences: 0 });
  }

  on_seat_came_back(data) {
    const isAway = this.chairs.get(data.seat)?.state === AWAY;
    must(this.status === PLAYING && isAway, "rules", "only who is away comes back");
    this.add("seat_came_back", { seat: data.seat });
    this.setState(data.seat, THERE);
  }

  on_seat_resigned(data) {
    const state = this.chairs.get(data.seat)?.state ?? RESIGNED;
    must(this.status === PLAYING && state !== RESIGNED, "rules", "only who plays can resign");
    this.add("seat_resigned", { seat: data.seat });
    this.setState(data.seat, RESIGNED);
    if ([...this.chairs.values()].filter((chair) => chair.state !== RESIGNED).length === 1) {
      if (this.sealed.length) this.close(this.answers()); // an answer already sealed counts
      this.end("last_seat_standing");
    }
    this.goOn();
  }

  // Staff, and after the end

  on_time_credited(data) {
    must(this.status === PLAYING && this.deadline !== null, "rules", "no clock runs");
    const isNew = data.seconds > 0 && !this.credited.has(data.key);
    must(isNew, "rules", "time is given, and once for an outage");
    this.credited.add(data.key);
    this.deadline = later(this.deadline, data.seconds);
    this.add("time_credited", { ...data, deadline: this.deadline });
  }

  on_clock_paused(data) {
    must(this.status === PLAYING && !this.isPaused, "rules", "there is no clock to pause");
    Object.assign(this, { isPaused: true, deadline: null });
    this.add("clock_paused", data);
  }

  on_clock_resumed(data) {
    must(this.status === PLAYING && this.isPaused, "rules", "there is no clock to resume");
    this.isPaused = false;
    this.deadline = this.wholeTime();
    this.add("clock_resumed", { ...data, deadline: this.deadline });
  }

  on_game_aborted(data) {
    must([OPEN, PLAYING].includes(this.status), "rules", "the game is over already");
    must(!this.sealed.length, "rules", "what was sealed has to be revealed first");
    this.abort(data.reason);
  }

  on_game_voided(data) {
    must(!["", VOIDED].includes(this.status), "rules", "there is nothing to void");
    must(!this.sealed.length, "rules", "what was sealed has to be revealed first");
    this.add("game_voided", { reason: data.reason, server_seed: this.luck.revealed() });
    Object.assign(this, { status: VOIDED, deadline: null });
  }

  on_rematch_created(data) {
    must(OVER.includes(this.status), "rules", "the game is not over");
    this.add("rematch_created", data);
  }
}

/** A game whose rules are not known here: seeds, dice and sealed answers are checked, and nothing else. */
class UnknownTable extends Table {
  whatFollows(coming) {
    const { type, data, version } = coming[0];
    this.coming = coming;
    must(version !== 1 || type === "game_created", "rules", "a log begins with its game's creation");
    this[`look_at_${type}`]?.(data, version);
    this.status = BECOMES.get(type) ?? this.status;
    return [[type, "server_seed" in data ? { ...data, server_seed: this.luck.revealed() } : data]];
  }

  look_at_seat_taken(data) {
    this.chairs.set(data.seat, data);
  }

  look_at_seat_left(data) {
    this.chairs.delete(data.seat);
  }

  look_at_game_started(data) {
    const taken = this.seats();
    const entropy = this.luck.entropyOf(taken.map((seat) => this.chairs.get(seat).client_seed));
    const isMixed = data.entropy === entropy && same(data.seats, taken);
    must(taken.length && isMixed, "dice", "the seats' seeds do not give this entropy");
    must(data.first === this.first(taken.length), "dice", "the seed draws another first seat");
  }

  look_at_dice_rolled(data) {
    this.roll += 1;
    must(data.roll === this.roll, "dice", `this should be roll ${this.roll}`);
    for (const name of namesOf(data.dice).sort(byCodePoint)) {
      must(same(shown(data.dice, name), this.face(name)), "dice", `the seed gives ${name} another face`);
    }
  }

  look_at_answer_sealed(data, version) {
    const { seat, action = null, nonce = null } = data;
    this.sealed.push({ seat, version, action, nonce });
  }

  look_at_phase_closed(data) {
    if (data.answers === null) return;
    must(same(data.answers, this.sealed), "rules", "what is revealed is not what was sealed");
    this.sealed = [];
  }
}

function isClock(clock, visibility) {
  if (clock === null) return visibility === "private";
  const isWhole = misshapen(clock, "roll_s:number answer_s:number") === null;
  return isWhole && Object.values(clock).every((seconds) => 5 <= seconds && seconds <= 1_209_600);
}

/** The name under which each die was drawn: the white ones are two. */
function namesOf(dice) {
  return Object.entries(dice).flatMap(([name, face]) =>
    Array.isArray(face) ? face.map((_, place) => `${name}${place + 1}`) : [name],
  );
}

/** What the die of this name shows, among dice as players see them. */
function shown(dice, name) {
  if (!isObject(dice)) return null;
  const characters = [...name];
  const [last, faces] = [characters.pop(), dice[characters.join("")]];
  const place = "123456789".indexOf(last ?? "-");
  return (Array.isArray(faces) && 0 <= place && place < faces.length ? faces[place] : dice[name]) ?? null;
}

// The log: line by line, each in its place in the chain

/** An export: its events as far as the chain is sound, and what is wrong with the next one. */
class Log {
  static async of(text) {
    const log = new Log();
    const lines = decoded(text).split("\n");
    if (lines.length > 1 && lines.at(-1) === "") lines.pop();
    [log.header, log.lines] = [header(lines[0]), lines.slice(1)];
    log.isKnown = RULES.has(`${log.header.ruleset} ${log.header.sheet}`);
    [log.events, log.fault] = [[], null];
    try {
      for (const line of log.lines) log.events.push(await log.linked(log.read(line)));
    } catch (bad) {
      if (!(bad instanceof Bad)) throw bad;
      log.fault = bad;
    }
    return log;
  }

  read(line) {
    must(this.events.length < this.header.events, "form", `the header tells of ${this.header.events} events`);
    const event = parse(line);
    let wrong = misshapen(event, ENVELOPE);
    must(wrong === null, "form", `the envelope is not sound: ${wrong}`);
    wrong = this.wrongIn(event.type, event.v, event.data);
    must(wrong === null, "form", `${event.type} is not sound: ${wrong}`);
    must(event.game === this.header.game, "form", "this is another game's");
    return event;
  }

  wrongIn(type, v, data) {
    const shape = SHAPES.get(type);
    if (shape === undefined || v !== 1) {
      return !this.isKnown && !MEANT.includes(type) ? null : "not known to this verifier";
    }
    const mayHide = type === "answer_sealed" && !this.header.complete && !("action" in data);
    return misshapen(data, mayHide ? "seat:number" : shape);
  }

  async linked(event) {
    const before = this.events.at(-1) ?? { hash: GENESIS, at: "" };
    must(event.version === this.events.length + 1, "chain", `version ${event.version} stands here`);
    must(event.prev === before.hash, "chain", "prev is not the hash of the event before");
    must(event.at >= before.at, "chain", "this is earlier than the event before");
    const isSound = isHidden(event) || event.hash === (await hashOf(event));
    must(isSound, "chain", "the hash is not that of this event");
    return event;
  }

  hidden() {
    return this.events.filter(isHidden).length;
  }

  event(index, wanted) {
    if (index < this.events.length) return this.events[index];
    throw this.fault ?? new Bad("form", `the log ends before ${wanted}`);
  }

  /** The event of this place and those of the same instant after it. */
  coming(index) {
    const end = this.events.findIndex((event, place) => place > index && event.at !== this.events[index].at);
    return this.events.slice(index, end < 0 ? undefined : end);
  }
}

function decoded(text) {
  if (isText(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    throw new Bad("form", "this is not UTF-8", 0);
  }
}

function header(line) {
  try {
    const found = parse(line);
    const wrong = misshapen(found, HEADER, false);
    must(wrong === null, "form", `the header is not sound: ${wrong}`);
    const isOurs = found.format === "qwixx-log" && found.format_version === 1;
    must(isOurs, "form", "this is no qwixx-log of version 1");
    return found;
  } catch (bad) {
    throw bad instanceof Bad ? new Bad("form", bad.why, 0) : bad;
  }
}

const isHidden = (event) => event.type === "answer_sealed" && !("action" in event.data);

/** Contract, section 10. */
function hashOf({ at, data, game, type, v, version, prev }) {
  return sha256(prev + canonical({ at, data, game, type, v, version }));
}

const BLAMED = new Map([["dice", "dice"], ["first", "dice"], ["entropy", "dice"], ["ranking", "scores"], ["server_seed", "commitment"]]);

/** What stands in the log against what must stand there. */
function compare(event, type, data, at) {
  must(event.type === type, "rules", `${type} must come here, not ${event.type}`);
  for (const name of Object.keys(data).sort(byCodePoint)) {
    const [wanted, told] = [canonical(data[name]), canonical(event.data[name] ?? null)];
    must(wanted === told, BLAMED.get(name) ?? "rules", `${type}: ${name} must be ${wanted}, not ${told}`);
  }
  must(event.at === at, "rules", `${type} must happen at ${at}, together with what caused it`);
}

// The report

/** What was checked and what was found. `noted`: hashes or the commitment, as a player saw them during the game. */
export async function verify(text, noted = []) {
  const unfinished = () => Object.fromEntries(CHECKS.map((check) => [check, "not finished"]));
  const report = { ok: false, bad: null, checks: unfinished(), notes: [], game: null, ruleset: null, sheet: null };
  Object.assign(report, { events: null, complete: null, status: null, commitment: null, head: null, result: null });
  try {
    const log = await Log.of(text);
    for (const name of ["game", "ruleset", "sheet", "complete"]) report[name] = log.header[name];
    report.events = log.lines.length;
    const luck = await Luck.of(log.header.game, log.events);
    const table = log.isKnown ? new Table(luck) : new UnknownTable(luck);
    for (let done = 0; done < log.lines.length; ) done = replay(log, table, done, report);
    conclude(log, table, report);
    checkNoted(log, table, noted);
  } catch (bad) {
    if (!(bad instanceof Bad)) throw bad;
    const { version, check, why } = bad;
    Object.assign(report, { ok: false, notes: [], bad: { version, check, why } });
    report.checks = { ...unfinished(), [check]: "failed" };
  }
  return report;
}

/** One thing that somebody did, and all that follows from it; how many events are done then. */
function replay(log, table, done, report) {
  let index = done;
  try {
    const event = log.event(done, "");
    if (done === 0) checkBeginning(log, event);
    table.whatFollows(log.coming(done)).forEach(([type, data], offset) => {
      index = done + offset;
      const found = log.event(index, type);
      compare(found, type, data, event.at);
      report.head = found.hash;
    });
  } catch (bad) {
    throw bad instanceof Bad ? new Bad(bad.check, bad.why, index + 1) : bad;
  }
  return index + 1;
}

function checkBeginning(log, event) {
  must(event.type === "game_created", "rules", "a log begins with its game's creation");
  for (const name of ["ruleset", "sheet"]) {
    must(event.data[name] === log.header[name], "form", `the header tells of another ${name}`);
  }
}

function conclude(log, table, report) {
  const [count, isOver] = [log.lines.length, OVER.includes(table.status)];
  Object.assign(report, { status: table.status, result: table.result, commitment: table.luck.promise });
  if (!count || count < log.header.events) {
    throw new Bad("form", `the header tells of ${log.header.events} events`, count + 1);
  }
  if (log.header.complete && !isOver) {
    throw new Bad("form", "the log is said to be complete, but the game is not over", count + 1);
  }
  if (isOver && !log.header.complete) {
    throw new Bad("form", "the log is said not to be complete, but the game is over", 0);
  }
  Object.assign(report, { ok: true, checks: verdicts(log, table), notes: notes(log, table) });
}

function checkNoted(log, table, noted) {
  const known = new Set([table.luck.promise, ...log.events.map((event) => event.hash)]);
  for (const one of noted) {
    if (!known.has(one)) throw new Bad("chain", `this log does not hold what you noted: ${one}`, 0);
  }
}

function verdicts(log, table) {
  const isChecked = {
    commitment: table.luck.isRevealed,
    dice: table.luck.isRevealed,
    rules: log.isKnown,
    scores: table.result !== null,
  };
  return Object.fromEntries(CHECKS.map((check) => [check, (isChecked[check] ?? true) ? "ok" : "not checked"]));
}

function notes(log, table) {
  const all = [
    ["The game is not over: its seed is still secret, so commitment and dice cannot be checked yet.", !table.luck.isRevealed],
    [`Sealed answers that are still hidden, and whose hashes cannot be checked yet: ${log.hidden()}.`, log.hidden()],
    ["The rules of this sheet are not known to this verifier: moves and scores were not checked.", !log.isKnown],
    [
      "The game ended without a result: there are no scores to check.",
      log.isKnown && [ABORTED, VOIDED].includes(table.status) && table.result === null,
    ],
    ["Staff took the game out of the count.", table.status === VOIDED],
  ];
  return all.filter(([, applies]) => applies).map(([note]) => note);
}

export function readable(report) {
  const what = `${report.ruleset} ${report.sheet}, game ${report.game}: ${report.events} events`;
  const lines = [report.game ? what : "This is not the export of a game."];
  for (const [check, verdict] of Object.entries(report.checks)) lines.push(`  ${`${check} `.padEnd(12, ".")} ${verdict}`);
  if (report.result) {
    lines.push(`  ${report.result.reason}`);
    for (const place of report.result.ranking) lines.push(`  ${place.rank}. seat ${place.seat}: ${place.points}`);
  }
  for (const note of report.notes) lines.push(`  ${note}`);
  if (report.head) lines.push(`  last sound hash: ${report.head}`);
  if (report.ok) return [...lines, "Everything that can be checked is as it should be."].join("\n");
  const { version, check, why } = report.bad;
  return [...lines, `BAD at version ${version} (${check}): ${why}`].join("\n");
}

async function main([path, ...noted]) {
  if (!path) {
    console.error("node verify.js game.ndjson [a hash or commitment you noted while you played …]");
    return 2;
  }
  const { readFile } = await import("node:fs/promises");
  let text;
  try {
    text = await readFile(path);
  } catch (error) {
    console.error(`${path} cannot be read: ${error.message}`);
    return 2;
  }
  const report = await verify(text, noted);
  console.log(readable(report));
  return report.ok ? 0 : 1;
}

// Under Node, and started by itself; a page only imports it.
if (globalThis.process?.versions?.node && process.argv[1]) {
  const [{ pathToFileURL }, { realpathSync }] = await Promise.all([import("node:url"), import("node:fs")]);
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) process.exitCode = await main(process.argv.slice(2));
}
