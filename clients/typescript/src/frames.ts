/** The frames of a stream, as docs/asyncapi.json describes them. Streams of games are opened with `view=full`. */

import type { Action, Game, GameEvent, Summary, Turn } from "./models.js";

export interface Hello {
  type: "hello";
  protocol: string;
  heartbeat_s: number;
  /** The head of the game's log; null on streams that follow no game. */
  version: number | null;
  server_time: string;
}
export interface State {
  type: "state";
  game: Game;
}
export interface UpdateFrame {
  type: "update";
  version: number;
  events: GameEvent[];
  /** Null in all but the last portion of what a client missed. */
  game: Game | null;
}
export interface Heartbeat {
  type: "heartbeat";
  version: number | null;
  server_time: string;
}
export interface Ack {
  type: "ack";
  id: string;
  version: number;
}
export interface Refusal {
  type: "error";
  id: string;
  code: string;
  detail: string;
}
/** A seat says a phrase; it is sent once and not stored. */
export interface Spoken {
  type: "phrase";
  seat: number;
  key: string;
  text: string;
}
export type GameFrame = Hello | State | UpdateFrame | Heartbeat | Ack | Refusal | Spoken;

export type LobbyFrame = Hello | { type: "games"; games: Summary[] } | { type: "game"; game: Summary };

/** What happens to a player anywhere. The rest is read over REST. */
export type Notification =
  | Hello
  | { type: "your_turn"; game: string; turn: Turn }
  | { type: "game_started"; game: string }
  | { type: "match_found"; game: string; ticket?: string }
  | { type: "invited"; game: string; invitation?: string }
  | { type: "invitation_declined"; game: string; invitation: string }
  | { type: "rematch_offered"; game: string; next: string }
  | { type: "rating_changed"; ruleset: string };

export interface ActionCommand {
  type: "action";
  id: string;
  action: Action;
}
export type Command = ActionCommand | { type: "resume"; after: number };
