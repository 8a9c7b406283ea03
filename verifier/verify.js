// Checks the export of a game of Qwixx or Qwinto: chain, commitment, dice, rules and scores. Needs nothing but JavaScript.
//
//     node verify.js game.ndjson [a hash, commitment or game id that you noted while you played …]
//     import { verify } from "./verify.js"; const report = await verify(text);
//
// It shares no code with the service that wrote the export. It replays the game from the log. Where players had a choice,
// the log says what they chose, and the verifier checks that it was allowed; everything that follows, dice and scores
// included, is computed here and must be in the log exactly. `verify.py` is the same in Python.

const CHECKS = ["form", "chain", "commitment", "dice", "rules", "scores"];
const GENESIS = "0".repeat(64);
const MAX_NUMBER = Number.MAX_SAFE_INTEGER; // larger whole numbers are not exact
const MAX_DEPTH = 16;
const [HEX64, HEX32] = [/^[0-9a-f]{64}$/, /^[0-9a-f]{32}$/];
const AT = /^(?:19[7-9]|[2-9][0-9]{2})[0-9]-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z$/;
const CLIENT_SEED = /^[A-Za-z0-9_-]{0,64}$/;
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
const [OPEN, PLAYING, FINISHED, ABORTED, VOIDED] = ["open", "playing", "finished", "aborted", "voided"];
const OVER = [FINISHED, ABORTED, VOIDED];
const REVEALING = ["game_ended", "game_aborted", "game_voided"];
const STATUS_AFTER = new Map([...REVEALING.map((type, index) => [type, OVER[index]]), ["game_created", OPEN], ["game_started", PLAYING]]);
const COMMON_TYPES = [...STATUS_AFTER.keys(), "seat_taken", "seed_given", "seat_left", "dice_rolled", "answer_sealed", "phase_closed"]; // in every game
const [PRESENT, AWAY, RESIGNED] = ["playing", "away", "resigned"];
const SEED_WAIT_S = 5; // for announced client seeds, once every seat is taken
const [LATE, EARLY, DEFAULT, BOT] = ["late", "early", "default", "bot"]; // kinds of client seeds
const MEANING_OF_SEED = {
  [LATE]: "late, given after the commitment",
  [EARLY]: "given before the commitment, or to be known by then",
  [DEFAULT]: "the default, made of the ids of game and player",
  [BOT]: "none, a bot",
};
const NOT_CHOSEN_IF =
  "The dice were not chosen, if one of these players does not work with the server, " +
  "and no player who does changed seats or seeds afterwards.";
const BOXES = 4; // for turns without a mark; the last one ends the game

/** The first error: which check found it, and why. Version 0 is the header. */
class VerificationError extends Error {
  constructor(check, why, version = null) {
    super(why);
    Object.assign(this, { check, why, version });
  }
}

function ensure(condition, check, why) {
  if (!condition) throw new VerificationError(check, why);
}

// JSON: whole numbers only, no duplicate keys; and the canonical text

/** JSON.parse accepts 1e2 and duplicate keys; a log must have neither. */
class StrictJsonReader {
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
    throw new VerificationError("form", "this line is not valid JSON of a log");
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
    if (depth >= MAX_DEPTH && (next === "{" || next === "[")) this.refuse();
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
    if (/[.eE]/.test(this.text[this.place] ?? "") || digits === "-0" || Math.abs(number) > MAX_NUMBER) this.refuse();
    return number;
  }

  string() {
    const quoted = this.take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y) ?? this.refuse();
    const text = JSON.parse(quoted);
    if (/\p{Surrogate}/u.test(text)) this.refuse(); // half a surrogate pair is not valid text
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

const parse = (line) => new StrictJsonReader(line).whole();

/** Compares by code points, as Python does; JavaScript's default order is that of UTF-16. */
function byCodePoint(one, other) {
  const [left, right] = [[...one], [...other]];
  for (let place = 0; place < Math.min(left.length, right.length); place++) {
    const difference = left[place].codePointAt(0) - right[place].codePointAt(0);
    if (difference) return difference;
  }
  return left.length - right.length;
}

/** Sorted keys, no spaces, UTF-8: the text that is hashed. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

const same = (one, other) => canonical(one) === canonical(other);

// Shapes: the fields of each event type; a new shape would have another `v`

const isText = (value) => typeof value === "string";
const isNumber = (value) => typeof value === "number";
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const KINDS = {
  number: isNumber,
  text: isText,
  flag: (value) => typeof value === "boolean",
  true: (value) => value === true,
  object: isObject,
  numbers: (value) => Array.isArray(value) && value.every(isNumber),
  list: Array.isArray,
  dice: (value) => isObject(value) && Object.values(value).every((faces) => Array.isArray(faces) && faces.length > 0),
  dice_v1: (value) => isObject(value) && !Object.values(value).some((faces) => Array.isArray(faces) && faces.length === 1),
  hash: (value) => isText(value) && HEX64.test(value),
  time: (value) => isText(value) && secondsSince1970(value) !== null,
  nonce: (value) => isText(value) && HEX32.test(value),
  seed: (value) => isText(value) && CLIENT_SEED.test(value),
};
const SHAPES = new Map(
  Object.entries({
    game_created:
      "ruleset:text sheet:text seats:number visibility:text rated:flag clock:object? commitment:hash rematch_of:text?",
    seat_taken: "seat:number player:text? bot:text? client_seed:seed late_seed:true! deadline:time!",
    seed_given: "seat:number client_seed:seed",
    seat_left: "seat:number host:number?",
    game_started: "first:number entropy:hash seats:numbers printings:list!",
    turn_started: "seat:number turn:number deadline:time?",
    dice_rolled: "seat:number roll:number dice:dice_v1 deadline:time?",
    dice_kept: "seat:number deadline:time?",
    answer_sealed: "seat:number action:object nonce:nonce",
    phase_closed: "phase:text answers:list? deadline:time?",
    cell_marked: "seat:number row:text number:number phase:text",
    note_made: "seat:number clause:text note:number",
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
const SHAPES_BY_V = new Map([
  [1, SHAPES],
  [2, new Map([["dice_rolled", "seat:number roll:number dice:dice deadline:time?"]])],
]);
const ENVELOPE = "game:text version:number type:text v:number at:time data:object prev:hash hash:hash";
const HEADER = "format:text format_version:number game:text ruleset:text sheet:text events:number complete:flag";

/** The name of the first field that is missing, unknown or of the wrong kind: `?` may be null, `!` may be absent. */
function invalidField(value, shape, isClosed = true) {
  if (!isObject(value)) return "it";
  const kinds = new Map(shape.split(" ").map((field) => field.split(":")));
  for (const [name, kind] of kinds) {
    const isEmpty = name in value ? value[name] === null && kind.endsWith("?") : kind.endsWith("!");
    if (!isEmpty && !(name in value && KINDS[kind.replace(/[?!]/, "")](value[name]))) return name;
  }
  const unknown = isClosed ? Object.keys(value).filter((name) => !kinds.has(name)) : [];
  return unknown.sort(byCodePoint)[0] ?? null;
}

/** Seconds since 1970, or null if the text is not a time. */
function secondsSince1970(at) {
  if (!AT.test(at)) return null;
  const [year, month, day, hour, minute, second] = at.slice(0, 19).split(/[-T:]/).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1000 : null;
}

/** The time that is so much later, in the log's form. */
function timeAfter(at, seconds, microseconds = 0) {
  const fraction = Number(at.slice(20, 26)) + microseconds;
  const total = secondsSince1970(at) + seconds + Math.floor(fraction / 1_000_000);
  if (total > LAST_SECOND) return null;
  const digits = String(fraction % 1_000_000).padStart(6, "0");
  return `${new Date(total * 1000).toISOString().slice(0, 19)}.${digits}Z`;
}

// Dice: computed from the seed

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

/** The dice of a game as its seed gives them; none while the seed is secret or does not match the commitment. */
class SeededDice {
  constructor(game) {
    Object.assign(this, { game, commitment: "", seed: null, isRevealed: false, joinedSeeds: "", entropy: "", printings: [], drawn: new Map(), defaultSeeds: new Map() });
  }

  /** Computes all hashes before the replay, so that the replay can be synchronous. */
  static async of(game, events) {
    const seededDice = new SeededDice(game);
    const revealing = events.filter((event) => REVEALING.includes(event.type));
    const created = events.find((event) => event.type === "game_created")?.data;
    seededDice.commitment = created?.commitment ?? "";
    seededDice.printings = RULES.get(`${created?.ruleset} ${created?.sheet}`)?.printings(created.sheet) ?? [];
    seededDice.isRevealed = revealing.length > 0;
    await seededDice.mix(events);
    for (const { type, data } of events) {
      if (type === "seat_taken" && data.player) seededDice.defaultSeeds.set(data.player, await defaultSeed(game, data.player));
    }
    if (seededDice.isRevealed && (await sha256(unhex(revealing[0].data.server_seed))) === seededDice.commitment) {
      seededDice.seed = revealing[0].data.server_seed;
      await seededDice.draw(events);
    }
    return seededDice;
  }

  /** The `server_seed` that a revealing event must hold. */
  revealed() {
    return this.seed ?? `one whose SHA-256 is ${this.commitment}`;
  }

  async mix(events) {
    const seeds = new Map();
    for (const { type, data } of events) {
      if (type === "game_started") break;
      if (["seat_taken", "seed_given"].includes(type)) seeds.set(data.seat, data.client_seed);
      if (type === "seat_left") seeds.delete(data.seat);
    }
    const taken = [...seeds.keys()].sort((one, other) => one - other);
    this.seats = taken.length;
    this.joinedSeeds = joinedSeeds(taken.map((seat) => seeds.get(seat)));
    this.entropy = await sha256(this.joinedSeeds);
  }

  entropyOf(clientSeeds) {
    return joinedSeeds(clientSeeds) === this.joinedSeeds ? this.entropy : "the hash of the seats' seeds";
  }

  async draw(events) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.key = await webCrypto().importKey("raw", unhex(this.seed), algorithm, false, ["sign"]);
    const wanted = this.seats ? [[0, "first", this.seats]] : [];
    if (this.printings.length) wanted.push([0, "printing", this.printings.length]);
    events
      .filter((event) => event.type === "dice_rolled")
      .forEach((event, index) => {
        const names = new Set([...DICE, ...namedFaces(event.data.dice).map(([name]) => name)]);
        for (const name of names) wanted.push([index + 1, name, 6]);
      });
    await Promise.all(wanted.map(async ([roll, name, faces]) => this.drawn.set(`${roll}|${name}`, await this.throw(roll, name, faces))));
  }

  /** Contract, section 9: the first byte that does not favour low faces. */
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

/** Contract, section 9: the client seed of a player who gives none. */
const defaultSeed = async (game, player) => (await sha256(`${game}|${player}`)).slice(0, 16);

/**
 * The client seed of each seat, and its kind. Late is a seed that came after the commitment and was not to be known
 * before: it is not empty, not the default, and not the one that the player gave with the creation.
 */
class ClientSeeds {
  constructor(defaultSeeds) {
    Object.assign(this, { defaultSeeds, createdAt: "", known: new Map(), bySeat: new Map() });
  }

  take(seat, data, at) {
    const player = data.player || null;
    this.bySeat.set(seat, { player, seed: data.client_seed });
    if (player && !this.known.has(player)) this.known.set(player, new Set(["", this.defaultSeeds.get(player)]));
    if (at !== this.createdAt) return;
    if (player) this.known.get(player).add(data.client_seed);
    this.checkMatch();
  }

  /** Only the creator can give a seed with the creation; of a match, no player can. */
  checkMatch() {
    const taken = [...this.bySeat.values()].filter(({ player }) => player);
    const areDefaults = taken.every(({ player, seed }) => seed === this.defaultSeeds.get(player));
    ensure(taken.length < 2 || areDefaults, "dice", "the players of a match have default seeds at first");
  }

  give(seat, seed) {
    const player = this.bySeat.get(seat)?.player;
    ensure(player, "rules", "only a seated player gives a seed");
    this.bySeat.delete(seat); // the newest is the last
    this.bySeat.set(seat, { player, seed });
  }

  renumber(taken) {
    this.bySeat = new Map([...this.bySeat].map(([old, held]) => [taken.indexOf(old), held]));
  }

  kind(seat) {
    const { player, seed } = this.bySeat.get(seat);
    if (!player) return BOT;
    if (seed === this.defaultSeeds.get(player)) return DEFAULT;
    return this.known.get(player).has(seed) ? EARLY : LATE;
  }

  report() {
    const seats = [...this.bySeat.keys()].sort((one, other) => one - other);
    return seats.map((seat) => ({ seat, seed: this.kind(seat) }));
  }

  /** The seats with late seeds, in the order in which the seeds came. */
  lateSeats() {
    return [...this.bySeat.keys()].filter((seat) => this.kind(seat) === LATE);
  }
}

const joinedSeeds = (clientSeeds) => clientSeeds.map((seed, seat) => `${seat}:${seed}`).join("\n");

// The rules: dice, allowed answers, consequences and scores of each game

const DICE = ["white1", "white2", "red", "yellow", "green", "blue", "orange", "purple"];
const RISING = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const FALLING = [...RISING].reverse();
const PASS = { type: "pass" };

const QWIXX_COLOURS = ["red", "yellow", "green", "blue"];
const QWIXX_ROWS = { red: RISING, yellow: RISING, green: FALLING, blue: FALLING };
// What each sheet prints beyond the four rows; cells are named by row and number.
const QWIXX_SHEETS = {
  classic: {},
  mixx_a: { colours: { red: "yyybbbgggrr", yellow: "rrggggbbyyy", green: "bbbyyyrrrgg", blue: "ggrrrryybbb" } },
  mixx_b: {
    rows: {
      red: [10, 6, 2, 8, 3, 4, 12, 5, 9, 7, 11],
      yellow: [9, 12, 4, 6, 7, 2, 5, 8, 11, 3, 10],
      green: [8, 2, 10, 12, 6, 9, 7, 4, 5, 11, 3],
      blue: [5, 7, 11, 9, 12, 3, 8, 10, 2, 6, 4],
    },
  },
  big_points: {
    rows: { red: RISING, red_yellow: RISING, yellow: RISING, green: FALLING, green_blue: FALLING, blue: FALLING },
    bonusRows: { red_yellow: ["red", "yellow"], green_blue: ["green", "blue"] },
    mostCrosses: 15,
  },
  bonus_a: {
    boxed: { red: [3, 6, 9], yellow: [5, 8, 11], green: [11, 7, 4], blue: [10, 8, 5] },
    bar: ["red", "yellow", "green", "blue", "green", "red", "blue", "yellow", "red", "yellow", "blue", "green"],
  },
  bonus_b: {
    pairs: [
      [["yellow", 11], ["green", 9]], // two marks in the row with the fewest
      [["yellow", 7], ["blue", 7]], // one mark in each row
      [["red", 8], ["blue", 10]], // the row with the fewest points counts double
      [["red", 6], ["blue", 4]], // 13 points
      [["yellow", 3], ["green", 5]], // penalties cost nothing
    ],
  },
  double_a: { secondCrosses: true, marksBeforeLast: 7, mostCrosses: 16 },
  double_b: {
    double: { red: [3, 5, 9, 11], yellow: [3, 5, 9, 11], green: [10, 8, 6, 4], blue: [10, 8, 6, 4] },
    marksBeforeLast: 7,
    mostCrosses: 16,
  },
  x_change: { swaps: [[8, 5], [9, 7], [11, 3], [7, 4], [10, 3], [8, 6], [10, 5], [11, 9], [6, 4]] },
  connected_a_steps: {
    printings: {
      A: { steps: "ygbgyrygbgy" },
      B: { steps: "bgyrygbgyry" },
      C: { steps: "gbgyrygbgyr" },
      D: { steps: "yrygbgyrygb" },
      E: { steps: "rygbgyrygbg" },
    },
  },
  connected_b_chain: {
    links: [
      [["red", 6], ["yellow", 6]],
      [["red", 11], ["yellow", 11]],
      [["yellow", 3], ["green", 11]],
      [["yellow", 8], ["green", 6]],
      [["green", 9], ["blue", 9]],
      [["green", 4], ["blue", 4]],
    ],
  },
};

const colourOf = (initial) => QWIXX_COLOURS.find((colour) => colour[0] === initial);
const triangle = (crosses) => (crosses * (crosses + 1)) / 2;
const sumOf = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** One seat's sheet: what is printed, the numbers marked in each row, and what the printed extras have counted. */
class PlayedSheet {
  constructor(printed) {
    this.printed = printed;
    this.rows = printed.rows ?? QWIXX_ROWS;
    this.bonusRows = printed.bonusRows ?? {};
    this.keys = Object.keys(this.rows);
    this.marks = Object.fromEntries(this.keys.map((row) => [row, new Set()]));
    this.twice = new Set(); // cells that were crossed a second time, as "row number"
    this.note = 0n; // second crosses need more than 32 bits
  }

  /** The printed colour of a cell; a cell of a bonus row has none. */
  colour(row, number) {
    if (row in this.bonusRows) return "";
    const initials = this.printed.colours?.[row];
    return initials ? colourOf(initials[this.rows[row].indexOf(number)]) : row;
  }

  isLast(row, number) {
    return !(row in this.bonusRows) && number === this.rows[row].at(-1);
  }

  /** The column after the right-most mark. */
  end(row) {
    return Math.max(0, ...[...this.marks[row]].map((number) => this.rows[row].indexOf(number) + 1));
  }

  /** The crosses in a row, without the lock. */
  crosses(row) {
    const double = (this.printed.double?.[row] ?? []).filter((number) => this.marks[row].has(number));
    const again = [...this.twice].filter((cell) => cell.split(" ")[0] === row);
    return this.marks[row].size + again.length + double.length;
  }

  mayMark(row, number) {
    const [column, end] = [this.rows[row].indexOf(number), this.end(row)];
    if (column < end) {
      const mayRepeat = this.printed.secondCrosses && column === end - 1 && !this.isLast(row, number);
      return Boolean(mayRepeat) && !this.twice.has(`${row} ${number}`);
    }
    if (this.isLast(row, number)) return this.crosses(row) >= (this.printed.marksBeforeLast ?? 5);
    return !(row in this.bonusRows) || this.neighbours(row, column).length > 0;
  }

  /** The rows beside a bonus row in which this column is marked. */
  neighbours(bonusRow, column) {
    return this.bonusRows[bonusRow].filter((row) => this.marks[row].has(this.rows[row][column]));
  }

  /** The white sum, and what unused pairs of a swap allow in its place. */
  whiteNumbers(whiteSum) {
    const pairs = (this.printed.swaps ?? []).slice(Number(this.note));
    return [whiteSum, ...pairs.filter((pair) => pair.includes(whiteSum)).map((pair) => sumOf(pair) - whiteSum)];
  }

  /** Whether the die of this colour may mark this cell. */
  takesDie(row, number, colour) {
    if (!(row in this.bonusRows)) return this.colour(row, number) === colour;
    return this.neighbours(row, this.rows[row].indexOf(number)).includes(colour);
  }

  /** Crosses a cell and what it forces; gives each cell, and a note where an extra has counted. */
  mark(row, number, closed, whiteSum) {
    const isAgain = this.marks[row].has(number);
    const [crossed, steps] = [[this.cross([row, number])], []];
    for (let at = 0; at < crossed.length; at++) {
      steps.push({ cell: crossed[at] });
      const before = this.note;
      const [clause, forced] = this.follow(crossed[at], closed, at === 0 ? whiteSum : null, isAgain && at === 0);
      if (this.note !== before) steps.push({ clause, note: Number(this.note) });
      crossed.push(...forced);
    }
    return steps;
  }

  /** The key of the sheet's extra, and the cells that it crosses because of this one. Updates its note. */
  follow(cell, closed, whiteSum, isAgain) {
    const [row, number] = cell;
    if (this.printed.bar) return ["bonus_bar", this.useBar(cell, closed)];
    if (this.printed.pairs) return ["pairs", this.completePairs(closed)];
    if (this.printed.links) return ["links", this.otherEnds(cell).map((end) => this.cross(end))];
    if (this.printed.swaps && whiteSum !== null && whiteSum !== number) {
      const pairs = this.printed.swaps;
      let used = Number(this.note);
      while (!(pairs[used].includes(whiteSum) && sumOf(pairs[used]) - whiteSum === number)) used += 1;
      this.note = BigInt(used + 1);
    }
    if (isAgain) {
      this.twice.add(`${row} ${number}`);
      this.note |= 1n << BigInt(this.keys.indexOf(row) * this.rows[row].length + this.rows[row].indexOf(number));
    }
    return [this.printed.swaps ? "swaps" : "second_crosses", []];
  }

  otherEnds([row, number]) {
    const isCell = (end) => end[0] === row && end[1] === number;
    const ends = this.printed.links.filter((link) => link.some(isCell)).map((link) => link.find((end) => !isCell(end)));
    return ends.filter((end) => !this.marks[end[0]].has(end[1]));
  }

  cross(cell) {
    this.marks[cell[0]].add(cell[1]);
    return cell;
  }

  /** Crosses the left-most cell of a row that may still be crossed, if there is one. */
  force(row) {
    const column = this.end(row);
    if (column === this.rows[row].length || !this.mayMark(row, this.rows[row][column])) return [];
    return [this.cross([row, this.rows[row][column]])];
  }

  /** A boxed mark uses the next field of the bar whose row is open. */
  useBar([row, number], closed) {
    let field = Number(this.note);
    while (field < this.printed.bar.length && closed.includes(this.printed.bar[field])) field += 1;
    if (!this.printed.boxed[row].includes(number) || field === this.printed.bar.length) return [];
    this.note = BigInt(field + 1);
    return this.force(this.printed.bar[field]);
  }

  completePairs(closed) {
    const forced = [];
    const open = this.keys.filter((row) => !closed.includes(row));
    this.printed.pairs.forEach((cells, bit) => {
      if (this.has(bit) || !cells.every(([row, number]) => this.marks[row].has(number))) return;
      this.note |= 1n << BigInt(bit);
      if (bit === 0 && open.length) {
        const fewest = Math.min(...open.map((row) => this.marks[row].size));
        const row = open.find((key) => this.marks[key].size === fewest);
        forced.push(...this.force(row), ...this.force(row));
      }
      if (bit === 1) for (const row of open) forced.push(...this.force(row));
    });
    return forced;
  }

  has(bit) {
    return ((this.note >> BigInt(bit)) & 1n) === 1n;
  }

  points(penalties) {
    const rows = this.keys.filter((row) => !(row in this.bonusRows)).map((row) => this.rowPoints(row));
    const steps = [...(this.printed.steps ?? "")].map(colourOf);
    let extra = triangle(steps.filter((row, column) => this.marks[row].has(this.rows[row][column])).length);
    if (this.printed.pairs) {
      const amounts = [0, 0, Math.min(...rows), 13, 5 * penalties];
      extra += sumOf(amounts.filter((_, bit) => this.has(bit)));
    }
    return sumOf(rows) + extra - 5 * penalties;
  }

  rowPoints(row) {
    const lent = Object.entries(this.bonusRows).filter(([, beside]) => beside.includes(row));
    const crosses = this.crosses(row) + sumOf(lent.map(([bonus]) => this.marks[bonus].size));
    const lock = this.marks[row].has(this.rows[row].at(-1)) ? 1 : 0; // the lock is one more cross
    return triangle(Math.min(crosses + lock, this.printed.mostCrosses ?? 12));
  }
}

/** The rules of Qwixx on every sheet. */
class Qwixx {
  static seats = [2, 5];
  everyone = "white";
  clocks = { roll: "roll_s", white: "answer_s", colour: "answer_s" };
  box = "penalty_taken";

  constructor(seats, sheet, printings) {
    const printed = QWIXX_SHEETS[sheet];
    this.sheets = Array.from({ length: seats }, (_, seat) => new PlayedSheet(printed.printings?.[printings[seat]] ?? printed));
    this.boxes = Array(seats).fill(0);
    this.closed = [];
    this.hasMarked = false;
  }

  static printings(sheet) {
    return Object.keys(QWIXX_SHEETS[sheet].printings ?? {});
  }

  turn() {
    this.hasMarked = false;
  }

  /** The colours of the dice that are left: the lock of a row has the colour of its last cell. */
  colours() {
    const [sheet] = this.sheets;
    const gone = this.closed.map((row) => sheet.colour(row, sheet.rows[row].at(-1)));
    return QWIXX_COLOURS.filter((colour) => !gone.includes(colour));
  }

  choices() {
    return [["white1", "white2", ...this.colours()]];
  }

  afterRoll() {
    return "white";
  }

  options(phase, seat, dice) {
    const sheet = this.sheets[seat];
    const rolled = phase === "white" ? this.whiteCells(sheet, dice) : this.colourCells(sheet, dice);
    const allowed = rolled.filter(([row, number]) => !this.closed.includes(row) && sheet.mayMark(row, number));
    return [...allowed.map(([row, number]) => ({ type: "mark", row, number })), PASS];
  }

  whiteCells(sheet, dice) {
    return sheet.keys.flatMap((row) => sheet.whiteNumbers(sumOf(dice.white)).map((number) => [row, number]));
  }

  colourCells(sheet, dice) {
    const rolled = this.colours().filter((colour) => colour in dice);
    const sums = rolled.flatMap((colour) => dice.white.map((white) => [colour, white + dice[colour][0]]));
    return sheet.keys.flatMap((row) =>
      sums.filter(([colour, number]) => sheet.takesDie(row, number, colour)).map(([, number]) => [row, number]),
    );
  }

  resolve(phase, active, answers, dice) {
    const [facts, closing] = [[], new Map()];
    for (const seat of [...answers.keys()].sort((one, other) => one - other)) {
      if (answers.get(seat).type !== "mark") continue;
      const whiteSum = phase === "white" ? sumOf(dice.white) : null;
      facts.push(...this.marks(phase, seat, answers.get(seat), whiteSum, closing));
      this.hasMarked ||= seat === active;
    }
    for (const row of this.sheets[0].keys.filter((key) => closing.has(key))) {
      facts.push(["row_closed", { row, seats: closing.get(row) }]);
      this.closed.push(row);
    }
    return facts;
  }

  /** The mark and what it forces; adds each row whose last number is crossed to `closing`. */
  marks(phase, seat, answer, whiteSum, closing) {
    const sheet = this.sheets[seat];
    return sheet.mark(answer.row, answer.number, this.closed, whiteSum).map(({ cell, clause, note }) => {
      if (!cell) return ["note_made", { seat, clause, note }];
      const [row, number] = cell;
      if (sheet.isLast(row, number)) closing.set(row, [...(closing.get(row) ?? []), seat]);
      return ["cell_marked", { seat, row, number, phase }];
    });
  }

  /** Whether this answer of the active seat ends a turn without a mark. */
  costsBox(phase, answer) {
    return phase === "colour" && !this.hasMarked && answer?.type === "pass";
  }

  diceLeft(dice) {
    const left = ["white", ...this.colours()];
    return Object.fromEntries(Object.entries(dice).filter(([name]) => left.includes(name)));
  }

  afterClosing(phase) {
    return phase === "white" ? "colour" : "";
  }

  ending() {
    if (this.closed.length >= 2) return "two_rows_closed";
    return Math.max(...this.boxes) >= BOXES ? "four_penalties" : null;
  }

  points(seat) {
    return this.sheets[seat].points(this.boxes[seat]);
  }
}

/** Rows map a column to the number written there. */
class Qwinto {
  static seats = [2, 6];
  everyone = "write";
  clocks = { roll: "roll_s", keep: "roll_s", write: "answer_s" };
  box = "throw_failed";
  rows = new Map([
    ["orange", [2, 3, 4, 6, 7, 8, 9, 10, 11]],
    ["yellow", [1, 2, 3, 4, 5, 7, 8, 9, 10]],
    ["purple", [0, 1, 2, 3, 5, 6, 7, 8, 9]],
  ]);
  pentagons = new Map([[2, "purple"], [3, "orange"], [7, "orange"], [8, "yellow"], [9, "purple"]]);

  constructor(seats) {
    this.sheets = Array.from({ length: seats }, () => new Map([...this.rows.keys()].map((row) => [row, new Map()])));
    this.boxes = Array(seats).fill(0);
  }

  static printings() {
    return [];
  }

  turn() {}

  choices(phase, dice) {
    const [one, two, three] = this.rows.keys();
    if (phase === "keep") return [[one, two, three].filter((row) => row in dice)]; // a reroll rolls the same dice
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
    for (const [other, there] of this.sheets[seat].get(row)) {
      if (other === column || (other < column ? there >= number : there <= number)) return false;
    }
    return [...this.sheets[seat].values()].every((numbers) => numbers.get(column) !== number);
  }

  resolve(_phase, _active, answers, dice) {
    const [facts, number] = [[], sum(dice)];
    for (const seat of [...answers.keys()].sort((one, other) => one - other)) {
      const { type, row, column } = answers.get(seat);
      if (type !== "write") continue;
      facts.push(["number_written", { seat, row, column, number }]);
      this.sheets[seat].get(row).set(column, number);
    }
    return facts;
  }

  costsBox(_phase, answer) {
    return answer?.type === "pass";
  }

  diceLeft(dice) {
    return dice;
  }

  afterClosing() {
    return "";
  }

  ending(phase) {
    if (phase) return null; // all answers of the turn count
    const full = this.sheets.map((sheet) => [...this.rows.keys()].filter((row) => this.isFull(sheet, row)).length);
    if (Math.max(...full) >= 2) return "two_rows_filled";
    return Math.max(...this.boxes) >= BOXES ? "four_fails" : null;
  }

  isFull(sheet, row) {
    return sheet.get(row).size === this.rows.get(row).length;
  }

  points(seat) {
    const sheet = this.sheets[seat];
    let total = -5 * this.boxes[seat];
    for (const [row, columns] of this.rows) {
      total += this.isFull(sheet, row) ? sheet.get(row).get(columns.at(-1)) : sheet.get(row).size;
    }
    for (const [column, row] of this.pentagons) {
      if ([...sheet.values()].every((numbers) => numbers.has(column))) total += sheet.get(row).get(column);
    }
    return total;
  }
}

const RULES = new Map([...Object.keys(QWIXX_SHEETS).map((sheet) => [`qwixx ${sheet}`, Qwixx]), ["qwinto classic", Qwinto]]);
const sum = (dice) => Object.values(dice).reduce((total, [face]) => total + face, 0);

// The replay: seats, turns, open answers, and the events that must follow from each action

/** The replay of one game: for each event that an action caused, the events that must be appended with it. */
class Replay {
  constructor(seededDice) {
    this.seededDice = seededDice;
    this.clientSeeds = new ClientSeeds(seededDice.defaultSeeds);
    this.rules = null;
    this.status = this.phase = this.at = this.atBefore = "";
    this.setup = {};
    this.dice = {};
    this.participants = new Map();
    this.sealed = [];
    this.host = this.deadline = this.result = this.openingFact = null;
    this.active = this.turn = this.roll = 0;
    this.isPaused = this.isOwnAppend = false;
    this.credited = new Set();
    this.facts = [];
    this.upcoming = [];
  }

  /** `upcoming`: an event that an action caused, and the events of the same time after it. */
  expectedEvents(upcoming) {
    const { type, at, data, version } = upcoming[0];
    Object.assign(this, { facts: [], openingFact: null, upcoming });
    this.isOwnAppend = at !== this.at;
    if (this.isOwnAppend) [this.at, this.atBefore] = [at, this.at];
    ensure(`on_${type}` in this, "rules", `${type} cannot be the first event of an append`);
    this[`on_${type}`](data, version);
    return this.facts;
  }

  /** The value in the log for something that only the seed determines. */
  claimed(type, name) {
    return this.upcoming.find((event) => event.type === type)?.data[name] ?? null;
  }

  add(type, data) {
    this.facts.push([type, data]);
  }

  /** The deadline is set later, when it is known whether a seat has to answer. */
  openPhase(type, data) {
    this.openingFact = { ...data, deadline: null };
    this.deadline = null;
    this.add(type, this.openingFact);
  }

  // Before the start

  on_game_created(data, version) {
    ensure(version === 1, "rules", "game_created must be the first event and occur once");
    const [least, most] = RULES.get(`${data.ruleset} ${data.sheet}`)?.seats ?? [1, MAX_NUMBER];
    ensure(least <= data.seats && data.seats <= most, "rules", `this game has ${least} to ${most} seats`);
    ensure(["public", "private"].includes(data.visibility), "rules", "a game is public or private");
    ensure(isValidClock(data.clock, data.visibility), "rules", "this clock is not allowed");
    Object.assign(this, { status: OPEN, setup: data });
    this.clientSeeds.createdAt = this.at;
    this.add("game_created", data);
  }

  on_seat_taken(data) {
    ensure(this.status === OPEN, "rules", "no seat can be taken now");
    ensure(Boolean(data.player) !== Boolean(data.bot), "rules", "a seat has either a player or a bot");
    const hasSeat = data.player && [...this.participants.values()].some((participant) => participant.player === data.player);
    ensure(!hasSeat, "rules", "a player has one seat only");
    const isAnnounced = "late_seed" in data;
    const hasSeed = data.client_seed !== "" || isAnnounced;
    ensure(data.player || !hasSeed, "dice", "a bot has no client seed");
    let free = 0;
    while (this.participants.has(free)) free += 1;
    this.participants.set(free, { ...data, state: PRESENT, timeouts: 0, awaitsSeed: isAnnounced });
    this.clientSeeds.take(free, data, this.at);
    this.host ??= free;
    this.deadline = this.isFull() && this.awaited().length ? timeAfter(this.at, SEED_WAIT_S) : null;
    ensure(this.deadline !== null || !("deadline" in data), "rules", "the game waits for no seed");
    this.add("seat_taken", { ...data, seat: free, ...(this.deadline === null ? {} : { deadline: this.deadline }) });
    this.startIfReady();
  }

  on_seed_given(data) {
    const seat = data.seat;
    ensure(this.status === OPEN, "rules", "no seed can be given now");
    this.mustBeInTime("this seed is too late");
    this.clientSeeds.give(seat, data.client_seed);
    const participant = this.participants.get(seat);
    const isNew = participant.awaitsSeed || data.client_seed !== participant.client_seed;
    ensure(isNew, "rules", "a seed that is repeated must not be appended");
    this.add("seed_given", data);
    Object.assign(participant, { client_seed: data.client_seed, awaitsSeed: false });
    this.startIfReady();
  }

  isFull() {
    return this.participants.size === this.setup.seats;
  }

  /** The seats whose announced seed has not come yet. */
  awaited() {
    return this.seats().filter((seat) => this.participants.get(seat).awaitsSeed);
  }

  startIfReady() {
    if (this.isFull() && !this.awaited().length) this.start();
  }

  on_seat_left(data) {
    ensure(this.status === OPEN && this.participants.has(data.seat), "rules", "this seat cannot be left now");
    this.participants.delete(data.seat);
    this.clientSeeds.bySeat.delete(data.seat);
    this.deadline = null;
    const players = this.seats().filter((seat) => this.participants.get(seat).player);
    this.host = players.includes(this.host) ? this.host : (players[0] ?? null);
    this.add("seat_left", { seat: data.seat, host: this.host });
    if (this.host === null) this.abort("nobody_left");
  }

  /** By the creator, who need not wait for announced seeds. */
  on_game_started() {
    const isPossible = this.status === OPEN && this.participants.size >= 2 && this.isOwnAppend;
    ensure(isPossible, "rules", "the game cannot start now");
    this.start();
  }

  /** Taken seats are renumbered without gaps; the seed determines the first seat. */
  start() {
    const taken = this.seats();
    this.participants = new Map(taken.map((old, seat) => [seat, this.participants.get(old)]));
    this.clientSeeds.renumber(taken);
    const entropy = this.seededDice.entropyOf([...this.participants.values()].map((participant) => participant.client_seed));
    const first = this.first(taken.length);
    const rules = RULES.get(`${this.setup.ruleset} ${this.setup.sheet}`);
    const printings = this.printings(rules.printings(this.setup.sheet), taken.length);
    this.add("game_started", { first, entropy, seats: taken, ...(printings.length ? { printings } : {}) });
    this.status = PLAYING;
    this.rules = new rules(taken.length, this.setup.sheet, printings);
    this.startTurn(this.participants.has(first) ? first : 0);
    this.advance();
  }

  first(seats) {
    const [drawn, claimed] = [this.seededDice.die(0, "first"), this.claimed("game_started", "first")];
    if (drawn !== null) return drawn - 1;
    return isNumber(claimed) && 0 <= claimed && claimed < seats ? claimed : "a seat of this game";
  }

  /** The printing of each seat: one is drawn for the first seat, the following seats have the following ones. */
  printings(names, seats) {
    const claimed = this.claimed("game_started", "printings");
    if (!names.length) {
      ensure(claimed === undefined || claimed === null, "rules", "all seats of this sheet have the same printing");
      return [];
    }
    const drawn = this.seededDice.die(0, "printing");
    const first = drawn === null ? Math.max(0, names.indexOf(claimed?.[0])) : drawn - 1;
    return Array.from({ length: seats }, (_, seat) => names[(first + seat) % names.length]);
  }

  // Which seats have to answer, and what happens when none has to

  seats() {
    return [...this.participants.keys()].sort((one, other) => one - other);
  }

  seatsToAnswer() {
    if (this.status !== PLAYING || !this.phase) return [];
    const asked = this.phase === this.rules.everyone ? this.seats() : [this.active];
    return asked.filter((seat) => this.isPresent(seat) && !this.sealed.some((answer) => answer.seat === seat));
  }

  isPresent(seat) {
    return this.participants.get(seat)?.state === PRESENT;
  }

  isAway(seat) {
    return this.participants.get(seat)?.state === AWAY;
  }

  hasOneSeat() {
    return [...this.participants.values()].filter((participant) => participant.state !== RESIGNED).length === 1;
  }

  hasPresentPlayer() {
    return [...this.participants.values()].some((participant) => participant.player && participant.state === PRESENT);
  }

  startTurn(seat) {
    Object.assign(this, { active: seat, turn: this.turn + 1, phase: "roll", dice: {} });
    this.rules.turn();
    this.openPhase("turn_started", { seat, turn: this.turn });
  }

  /** Closes phases and starts turns until a seat has to answer or the game is over. */
  advance() {
    while (this.status === PLAYING) {
      const reason = this.rules.ending(this.phase);
      if (reason) {
        this.end(reason);
      } else if (this.seatsToAnswer().length) {
        this.setDeadline();
        break;
      } else if (this.hasOneSeat()) {
        this.end("last_seat_standing");
      } else if (["", "roll"].includes(this.phase)) {
        this.startTurn(this.nextSeat());
        if (this.isAway(this.active)) this.useBox(this.active); // its turn rolls nothing and costs a box
      } else {
        this.close(this.answersAndPasses());
      }
    }
  }

  nextSeat() {
    let seat = (this.active + 1) % this.participants.size;
    while (this.participants.get(seat).state === RESIGNED) seat = (seat + 1) % this.participants.size;
    return seat;
  }

  /** Absence never uses the last box: the seat is resigned instead. */
  useBox(seat) {
    if (this.isAway(seat) && this.rules.boxes[seat] === BOXES - 1) {
      this.resign(seat);
    } else {
      this.rules.boxes[seat] += 1;
      this.add(this.rules.box, { seat });
    }
  }

  resign(seat) {
    this.add("seat_resigned", { seat });
    this.setState(seat, RESIGNED);
  }

  setDeadline() {
    if (this.openingFact !== null) this.openingFact.deadline = this.deadline = this.fullDeadline();
  }

  fullDeadline() {
    const clock = this.setup.clock;
    return clock === null || this.isPaused ? null : timeAfter(this.at, clock[this.rules.clocks[this.phase]]);
  }

  answers() {
    return new Map(this.sealed.map((answer) => [answer.seat, answer.action]));
  }

  /** The sealed answers; silent seats and an active seat that is away pass, with all consequences. */
  answersAndPasses(silent = []) {
    const absent = this.isAway(this.active) ? [this.active] : [];
    return new Map([...[...absent, ...silent].map((seat) => [seat, PASS]), ...this.answers()]);
  }

  /** Closes the phase with these answers: sealed ones are revealed, and all are applied at once. */
  close(answers) {
    if (this.phase === "keep") {
      this.phase = "write";
      this.openPhase("dice_kept", { seat: this.active });
      return;
    }
    ensure(this.sealed.every((answer) => answer.action), "chain", "an answer of this phase is still hidden");
    const answered = this.phase === this.rules.everyone ? this.sealed : null;
    this.openPhase("phase_closed", { phase: this.phase, answers: answered });
    this.facts.push(...this.rules.resolve(this.phase, this.active, answers, this.dice));
    if (this.rules.costsBox(this.phase, answers.get(this.active))) this.useBox(this.active);
    this.dice = this.rules.diceLeft(this.dice);
    this.sealed = [];
    this.phase = this.rules.afterClosing(this.phase);
  }

  end(reason) {
    this.result = { reason, ranking: this.ranking() };
    this.add("game_ended", { ...this.result, server_seed: this.seededDice.revealed() });
    Object.assign(this, { status: FINISHED, deadline: null });
  }

  /** Best first; equal points share a rank; resigned and away seats rank below all others. */
  ranking() {
    const places = this.seats().map((seat) => ({ seat, points: this.rules.points(seat), isGone: !this.isPresent(seat) }));
    const isBetter = (one, other) => (one.isGone === other.isGone ? one.points > other.points : other.isGone);
    const rank = (place) => 1 + places.filter((other) => isBetter(other, place)).length;
    const ranked = places.map((place) => ({ seat: place.seat, rank: rank(place), points: place.points }));
    return ranked.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  }

  abort(reason) {
    this.reveal();
    this.add("game_aborted", { reason, server_seed: this.seededDice.revealed() });
    Object.assign(this, { status: ABORTED, deadline: null });
  }

  /** A game that stops within a phase reveals its sealed answers. */
  reveal() {
    if (!this.sealed.length) return;
    this.add("phase_closed", { phase: this.phase, answers: this.sealed, deadline: null });
    this.sealed = [];
  }

  // Answers

  mustBeAsked(seat, ...phases) {
    ensure(this.status === PLAYING && phases.includes(this.phase), "rules", "this event does not belong to the open phase");
    ensure(this.isPresent(seat), "rules", `seat ${seat} cannot answer now`);
    this.mustBeInTime("this answer is too late");
  }

  mustBeInTime(why) {
    // Appends have increasing times, so an answer in time may have been stamped after its deadline.
    const isPostponed = this.atBefore && this.at === timeAfter(this.atBefore, 0, 1);
    ensure(this.deadline === null || this.at < this.deadline || isPostponed, "rules", why);
  }

  mustBeLegal(seat, action) {
    const options = this.rules.options(this.phase, seat, this.dice);
    const isLegal = options.some((option) => same(action, option));
    ensure(isLegal, "rules", `seat ${seat} was not allowed ${canonical(action)}`);
  }

  on_dice_rolled(data) {
    this.mustBeAsked(this.active, "roll", "keep");
    const names = namedFaces(data.dice).map(([name]) => name).sort(byCodePoint);
    const choice = this.rules.choices(this.phase, this.dice).find((one) => same([...one].sort(byCodePoint), names));
    ensure(choice, "rules", `these dice could not be rolled: ${names.join(", ")}`);
    this.participants.get(this.active).timeouts = 0;
    this.rollDice(choice);
    this.advance();
  }

  rollDice(names) {
    this.roll += 1;
    this.dice = {};
    for (const name of names) {
      const colour = name.startsWith("white") ? "white" : name;
      this.dice[colour] = [...(this.dice[colour] ?? []), this.face(name)];
    }
    this.phase = this.rules.afterRoll(this.phase);
    this.openPhase("dice_rolled", { seat: this.active, roll: this.roll, dice: this.dice });
  }

  /** The face that the seed gives, or the face in the log while the seed is secret. */
  face(name) {
    const [drawn, dice] = [this.seededDice.die(this.roll, name), this.claimed("dice_rolled", "dice")];
    const claimed = isObject(dice) ? new Map(namedFaces(dice)).get(name) : null;
    if (drawn !== null) return drawn;
    return isNumber(claimed) && 1 <= claimed && claimed <= 6 ? claimed : "1 to 6";
  }

  on_dice_kept() {
    this.mustBeAsked(this.active, "keep");
    this.participants.get(this.active).timeouts = 0;
    this.close(new Map());
    this.advance();
  }

  on_answer_sealed(data, version) {
    const { seat, action = null, nonce = null } = data;
    this.mustBeAsked(seat, "white", "write");
    const mine = this.sealed.filter((answer) => answer.seat === seat);
    ensure(mine.length <= 20, "rules", "an answer may be replaced 20 times");
    if (action !== null) {
      this.mustBeLegal(seat, action);
      ensure(!mine.length || !same(mine.at(-1).action, action), "rules", "an answer that is repeated must not be appended");
    }
    this.participants.get(seat).timeouts = 0;
    this.add("answer_sealed", data);
    this.sealed.push({ seat, version, action, nonce });
    this.advance();
  }

  /** As first event: the answer in phase colour, which is not sealed, or staff stop the game within a phase. */
  on_phase_closed(data) {
    ensure(this.status === PLAYING, "rules", "there is no phase to close");
    if (this.phase === "colour" && data.phase === "colour") {
      this.mustBeAsked(this.active, "colour");
      const answer = this.colourAnswer();
      this.mustBeLegal(this.active, answer);
      this.participants.get(this.active).timeouts = 0;
      this.close(new Map([[this.active, answer]]));
      this.advance();
      return;
    }
    const isStopped = ["game_aborted", "game_voided"].includes(this.upcoming[1]?.type);
    ensure(this.sealed.length && isStopped, "rules", "a seat still has to answer");
    this.reveal();
  }

  /** The answer of phase colour, derived from the next event. */
  colourAnswer() {
    if (this.upcoming[1]?.type !== "cell_marked") return PASS;
    const { row, number } = this.upcoming[1].data;
    return { type: "mark", row, number };
  }

  // Deadlines and absent seats

  on_time_ran_out() {
    ensure(this.deadline !== null, "rules", "no deadline is running");
    ensure(this.at >= this.deadline, "rules", "time has not run out yet");
    if (this.status === OPEN) {
      this.add("time_ran_out", { seats: this.awaited(), deadline: this.deadline });
      this.start();
      return;
    }
    const silent = this.seatsToAnswer();
    this.add("time_ran_out", { seats: silent, deadline: this.deadline });
    for (const seat of silent) {
      const participant = this.participants.get(seat);
      participant.timeouts += 1;
      if (participant.player && participant.timeouts >= 3) { // a bot never becomes away
        this.add("seat_went_away", { seat });
        this.setState(seat, AWAY);
      }
    }
    if (this.hasPresentPlayer()) this.answerFor(silent);
    this.advanceOrAbort();
  }

  /** Rolls the dice, in Qwinto all three, or counts missing answers as passes. */
  answerFor(silent) {
    if (this.phase === "roll") this.rollDice(this.rules.choices("roll", {}).at(-1));
    else this.close(this.answersAndPasses(silent));
  }

  advanceOrAbort() {
    if (this.status === PLAYING && !this.hasPresentPlayer()) this.abort("nobody_left");
    this.advance();
  }

  setState(seat, state) {
    Object.assign(this.participants.get(seat), { state, timeouts: 0 });
  }

  on_seat_came_back(data) {
    const isAway = this.participants.get(data.seat)?.state === AWAY;
    ensure(this.status === PLAYING && isAway, "rules", "this seat is not away");
    this.add("seat_came_back", { seat: data.seat });
    this.setState(data.seat, PRESENT);
  }

  on_seat_resigned(data) {
    const state = this.participants.get(data.seat)?.state ?? RESIGNED;
    ensure(this.status === PLAYING && state !== RESIGNED, "rules", "this seat cannot resign");
    this.resign(data.seat);
    if (this.hasOneSeat()) {
      if (this.sealed.length) this.close(this.answers()); // an answer that is already sealed counts
      this.end("last_seat_standing");
    }
    this.advanceOrAbort();
  }

  // Staff actions, and events after the end

  on_time_credited(data) {
    ensure(this.deadline !== null, "rules", "no deadline is running");
    const isNew = data.seconds > 0 && !this.credited.has(data.key);
    ensure(isNew, "rules", "time is credited once per outage and is positive");
    this.credited.add(data.key);
    this.deadline = timeAfter(this.deadline, data.seconds);
    this.add("time_credited", { ...data, deadline: this.deadline });
  }

  on_clock_paused(data) {
    ensure(this.status === PLAYING && !this.isPaused, "rules", "there is no clock to pause");
    Object.assign(this, { isPaused: true, deadline: null });
    this.add("clock_paused", data);
  }

  on_clock_resumed(data) {
    ensure(this.status === PLAYING && this.isPaused, "rules", "there is no clock to resume");
    this.isPaused = false;
    this.deadline = this.fullDeadline();
    this.add("clock_resumed", { ...data, deadline: this.deadline });
  }

  on_game_aborted(data) {
    ensure([OPEN, PLAYING].includes(this.status), "rules", "the game is already over");
    ensure(!this.sealed.length, "rules", "sealed answers must be revealed first");
    this.abort(data.reason);
  }

  on_game_voided(data) {
    ensure(!["", VOIDED].includes(this.status), "rules", "there is nothing to void");
    ensure(!this.sealed.length, "rules", "sealed answers must be revealed first");
    this.add("game_voided", { reason: data.reason, server_seed: this.seededDice.revealed() });
    Object.assign(this, { status: VOIDED, deadline: null });
  }

  on_rematch_created(data) {
    ensure(OVER.includes(this.status), "rules", "the game is not over");
    this.add("rematch_created", data);
  }
}

/** A game with unknown rules: only seeds, dice and sealed answers are checked. */
class UnknownGameReplay extends Replay {
  expectedEvents(upcoming) {
    const { type, at, data, version } = upcoming[0];
    Object.assign(this, { upcoming, at });
    this.clientSeeds.createdAt ||= at;
    ensure(version !== 1 || type === "game_created", "rules", "a log must begin with game_created");
    this[`check_${type}`]?.(data, version);
    this.status = STATUS_AFTER.get(type) ?? this.status;
    return [[type, "server_seed" in data ? { ...data, server_seed: this.seededDice.revealed() } : data]];
  }

  check_seat_taken(data) {
    this.participants.set(data.seat, { ...data });
    this.clientSeeds.take(data.seat, data, this.at);
  }

  check_seed_given(data) {
    this.clientSeeds.give(data.seat, data.client_seed);
    this.participants.get(data.seat).client_seed = data.client_seed;
  }

  check_seat_left(data) {
    this.participants.delete(data.seat);
    this.clientSeeds.bySeat.delete(data.seat);
  }

  check_game_started(data) {
    const taken = this.seats();
    const entropy = this.seededDice.entropyOf(taken.map((seat) => this.participants.get(seat).client_seed));
    const isMixed = data.entropy === entropy && same(data.seats, taken);
    ensure(taken.length && isMixed, "dice", "this entropy is not the hash of the client seeds");
    ensure(data.first === this.first(taken.length), "dice", "the seed gives another first seat");
    this.participants = new Map(taken.map((old, seat) => [seat, this.participants.get(old)]));
    this.clientSeeds.renumber(taken);
  }

  check_dice_rolled(data) {
    this.roll += 1;
    ensure(data.roll === this.roll, "dice", `this should be roll ${this.roll}`);
    for (const [name, face] of namedFaces(data.dice).sort(([one], [other]) => byCodePoint(one, other))) {
      ensure(same(face, this.face(name)), "dice", `the seed gives ${name} another face`);
    }
  }

  check_answer_sealed(data, version) {
    const { seat, action = null, nonce = null } = data;
    this.sealed.push({ seat, version, action, nonce });
  }

  check_phase_closed(data) {
    if (data.answers === null) return;
    ensure(same(data.answers, this.sealed), "rules", "the revealed answers are not the sealed ones");
    this.sealed = [];
  }
}

function isValidClock(clock, visibility) {
  if (clock === null) return visibility === "private";
  const hasAllLimits = invalidField(clock, "roll_s:number answer_s:number") === null;
  return hasAllLimits && Object.values(clock).every((seconds) => 5 <= seconds && seconds <= 1_209_600);
}

/** The name of each die and its face; several dice of one colour are numbered: white1, white2. */
function namedFaces(dice) {
  return Object.entries(dice).flatMap(([colour, faces]) =>
    faces.map((face, place) => [faces.length === 1 ? colour : `${colour}${place + 1}`, face]),
  );
}

// The log: its lines, checked one by one against the chain

/** An export: its valid events, and the error in the first invalid one. */
class Log {
  static async of(text) {
    const log = new Log();
    const lines = decodedText(text).split("\n");
    if (lines.length > 1 && lines.at(-1) === "") lines.pop();
    [log.header, log.lines] = [header(lines[0]), lines.slice(1)];
    log.isKnown = RULES.has(`${log.header.ruleset} ${log.header.sheet}`);
    [log.events, log.fault] = [[], null];
    try {
      for (const line of log.lines) log.events.push(await log.linked(log.read(line)));
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      log.fault = error;
    }
    return log;
  }

  read(line) {
    ensure(this.events.length < this.header.events, "form", `the header announces ${this.header.events} events`);
    const event = parse(line);
    let wrong = invalidField(event, ENVELOPE);
    ensure(wrong === null, "form", `the envelope is invalid: ${wrong}`);
    wrong = this.invalidFieldOf(event.type, event.v, event.data);
    ensure(wrong === null, "form", `${event.type} is invalid: ${wrong}`);
    ensure(event.game === this.header.game, "form", "this event belongs to another game");
    return event;
  }

  invalidFieldOf(type, v, data) {
    const shape = SHAPES_BY_V.get(v)?.get(type);
    if (shape === undefined) {
      return !this.isKnown && !COMMON_TYPES.includes(type) ? null : "not known to this verifier";
    }
    const mayHide = type === "answer_sealed" && !this.header.complete && !("action" in data);
    return invalidField(data, mayHide ? "seat:number" : shape);
  }

  async linked(event) {
    const before = this.events.at(-1) ?? { hash: GENESIS, at: "" };
    ensure(event.version === this.events.length + 1, "chain", `version ${event.version} is out of order`);
    ensure(event.prev === before.hash, "chain", "prev is not the hash of the event before");
    ensure(event.at >= before.at, "chain", "this event is earlier than the event before");
    const isValid = isHidden(event) || event.hash === (await hashOf(event));
    ensure(isValid, "chain", "the hash does not match the event");
    return upcast(event);
  }

  hidden() {
    return this.events.filter(isHidden).length;
  }

  event(index, wanted) {
    if (index < this.events.length) return this.events[index];
    throw this.fault ?? new VerificationError("form", `the log ends before ${wanted}`);
  }

  /** The event at this index and the events of the same time after it. */
  upcoming(index) {
    const end = this.events.findIndex((event, place) => place > index && event.at !== this.events[index].at);
    return this.events.slice(index, end < 0 ? undefined : end);
  }
}

function decodedText(text) {
  if (isText(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    throw new VerificationError("form", "this is not UTF-8", 0);
  }
}

function header(line) {
  try {
    const found = parse(line);
    const wrong = invalidField(found, HEADER, false);
    ensure(wrong === null, "form", `the header is invalid: ${wrong}`);
    const isSupported = found.format === "qwixx-log" && found.format_version === 1;
    ensure(isSupported, "form", "this is not a qwixx-log of version 1");
    return found;
  } catch (error) {
    throw error instanceof VerificationError ? new VerificationError("form", error.why, 0) : error;
  }
}

const isHidden = (event) => event.type === "answer_sealed" && !("action" in event.data);

/** Contract, section 10. */
/** The event in the newest form; the hash covers the form in which it was stored. */
function upcast(event) {
  if (event.type !== "dice_rolled" || event.v !== 1) return event;
  const entries = Object.entries(event.data.dice).map(([colour, faces]) => [colour, Array.isArray(faces) ? faces : [faces]]);
  return { ...event, v: 2, data: { ...event.data, dice: Object.fromEntries(entries) } };
}

function hashOf({ at, data, game, type, v, version, prev }) {
  return sha256(prev + canonical({ at, data, game, type, v, version }));
}

const CHECK_OF_FIELD = new Map([["dice", "dice"], ["first", "dice"], ["entropy", "dice"], ["ranking", "scores"], ["server_seed", "commitment"]]);

/** Compares an event of the log with the event that must be there. */
function compare(event, type, data, at) {
  ensure(event.type === type, "rules", `${type} must come here, not ${event.type}`);
  for (const name of Object.keys(data).sort(byCodePoint)) {
    const [wanted, told] = [canonical(data[name]), canonical(event.data[name] ?? null)];
    ensure(wanted === told, CHECK_OF_FIELD.get(name) ?? "rules", `${type}: ${name} must be ${wanted}, not ${told}`);
  }
  ensure(event.at === at, "rules", `${type} must happen at ${at}, at the same time as its cause`);
}

// The report

/** The report about an export. `noted`: hashes, the commitment or the id that a player noted during the game. */
export async function verify(text, noted = []) {
  const unfinished = () => Object.fromEntries(CHECKS.map((check) => [check, "not finished"]));
  const report = { ok: false, bad: null, checks: unfinished(), notes: [], game: null, ruleset: null, sheet: null };
  Object.assign(report, { events: null, complete: null, status: null, commitment: null, head: null, result: null, client_seeds: null, late_seats: null });
  try {
    const log = await Log.of(text);
    for (const name of ["game", "ruleset", "sheet", "complete"]) report[name] = log.header[name];
    report.events = log.lines.length;
    const seededDice = await SeededDice.of(log.header.game, log.events);
    const replay = log.isKnown ? new Replay(seededDice) : new UnknownGameReplay(seededDice);
    for (let done = 0; done < log.lines.length; ) done = replayAction(log, replay, done, report);
    finishReport(log, replay, report);
    checkNoted(log, replay, noted);
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    const { version, check, why } = error;
    Object.assign(report, { ok: false, notes: [], bad: { version, check, why } });
    report.checks = { ...unfinished(), [check]: "failed" };
  }
  return report;
}

/** Replays one action and its consequences; returns how many events have been checked so far. */
function replayAction(log, replay, done, report) {
  let index = done;
  try {
    const event = log.event(done, "");
    if (done === 0) checkBeginning(log, event);
    replay.expectedEvents(log.upcoming(done)).forEach(([type, data], offset) => {
      index = done + offset;
      const found = log.event(index, type);
      compare(found, type, data, event.at);
      report.head = found.hash;
    });
  } catch (error) {
    throw error instanceof VerificationError ? new VerificationError(error.check, error.why, index + 1) : error;
  }
  return index + 1;
}

function checkBeginning(log, event) {
  ensure(event.type === "game_created", "rules", "a log must begin with game_created");
  for (const name of ["ruleset", "sheet"]) {
    ensure(event.data[name] === log.header[name], "form", `the header has another ${name}`);
  }
}

function finishReport(log, replay, report) {
  const [count, isOver] = [log.lines.length, OVER.includes(replay.status)];
  Object.assign(report, { status: replay.status, result: replay.result, commitment: replay.seededDice.commitment });
  Object.assign(report, { client_seeds: replay.clientSeeds.report(), late_seats: replay.clientSeeds.lateSeats() });
  if (!count || count < log.header.events) {
    throw new VerificationError("form", `the header announces ${log.header.events} events`, count + 1);
  }
  if (log.header.complete && !isOver) {
    throw new VerificationError("form", "the header says that the log is complete, but the game is not over", count + 1);
  }
  if (isOver && !log.header.complete) {
    throw new VerificationError("form", "the header says that the log is not complete, but the game is over", 0);
  }
  Object.assign(report, { ok: true, checks: checkResults(log, replay), notes: notes(log, replay) });
}

function checkNoted(log, replay, noted) {
  const known = new Set([log.header.game, replay.seededDice.commitment, ...log.events.map((event) => event.hash)]);
  for (const one of noted) {
    if (!known.has(one)) throw new VerificationError("chain", `this log does not contain the noted hash, commitment or id: ${one}`, 0);
  }
}

function checkResults(log, replay) {
  const isChecked = {
    commitment: replay.seededDice.isRevealed,
    dice: replay.seededDice.isRevealed,
    rules: log.isKnown,
    scores: replay.result !== null,
  };
  return Object.fromEntries(CHECKS.map((check) => [check, (isChecked[check] ?? true) ? "ok" : "not checked"]));
}

function notes(log, replay) {
  const all = [
    ["The game is not over: its seed is still secret, so commitment and dice cannot be checked yet.", !replay.seededDice.isRevealed],
    [`Sealed answers that are still hidden, with hashes that cannot be checked yet: ${log.hidden()}.`, log.hidden()],
    ["The rules of this sheet are not known to this verifier: printings, moves and scores were not checked.", !log.isKnown],
    [
      "The game ended without a result: there are no scores to check.",
      log.isKnown && [ABORTED, VOIDED].includes(replay.status) && replay.result === null,
    ],
    ["Staff removed the game from ratings and statistics.", replay.status === VOIDED],
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
  for (const line of seedLines(report.client_seeds ?? [], report.late_seats ?? [])) lines.push(`  ${line}`);
  for (const note of report.notes) lines.push(`  ${note}`);
  if (report.head) lines.push(`  last valid hash: ${report.head}`);
  if (report.ok) return [...lines, "Everything that can be checked is correct."].join("\n");
  const { version, check, why } = report.bad;
  return [...lines, `BAD at version ${version} (${check}): ${why}`].join("\n");
}

/** The kind of each seat's seed, and what follows from all of them. */
function seedLines(clientSeeds, lateSeats) {
  const lines = clientSeeds.map(({ seat, seed }) => `client seed of seat ${seat}: ${MEANING_OF_SEED[seed]}`);
  if (lateSeats.length) {
    lines.push(`The late seeds came in this order of seats: ${lateSeats.join(", ")}.`, NOT_CHOSEN_IF);
  } else if (lines.length) {
    lines.push("No seed came after the commitment: the server could try secrets until the dice suited it.");
  }
  return lines;
}

async function main([path, ...noted]) {
  if (!path) {
    console.error("node verify.js game.ndjson [a hash, commitment or game id that you noted while you played …]");
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

// Run as a program under Node; a web page only imports the module.
if (globalThis.process?.versions?.node && process.argv[1]) {
  const [{ pathToFileURL }, { realpathSync }] = await Promise.all([import("node:url"), import("node:fs")]);
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) process.exitCode = await main(process.argv.slice(2));
}
