/** A typed client of Qwixx Service. */

export type { BackOffOptions } from "./back-off.js";
export { Client, type ClientOptions, type FeedOptions, unwrap } from "./client.js";
export type { LobbyFrame, Notification, Spoken } from "./frames.js";
export { type Acknowledged, GameStream, isWaiting, type StreamOptions, type Update } from "./game-stream.js";
export type * from "./models.js";
export { isOutdated, NoWebSocketError, ProblemError, StreamClosedError } from "./problems.js";
export { randomId } from "./requests.js";
export type { WebSocketClass, WebSocketLike } from "./socket.js";
