/** The types of the service's OpenAPI document that a playing client names. `components["schemas"]` has the others. */

import type { components } from "./schema.js";

export type { components, paths } from "./schema.js";

type Schemas = components["schemas"];

export type CreateGame = Schemas["CreateGame"];
export type JoinGame = Schemas["JoinGame"];
export type Summary = Schemas["Summary"];
/** A game as its viewer may see it. */
export type Game = Schemas["Game"];
export type Turn = NonNullable<Game["turn"]>;
/** How a game ended. */
export type Result = NonNullable<Game["result"]>;
/** One action; every entry of `options` is one. */
export type Action = Game["options"][number];
/** An event in its envelope, told apart by `type`. */
export type GameEvent = Schemas["Acted"]["events"][number];
