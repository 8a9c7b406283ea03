// One game in a list: its ruleset, its players, and a button to open or join it.

import { html, nothing } from "./element.js";
import { icon } from "./pictures.js";
import { playerName } from "./event-sentences.js";
import { ago, named, span, t, when } from "./words.js";

function clockOf({ clock }) {
  return clock ? t("room.clock", { roll: span(clock.roll_s), answer: span(clock.answer_s) }) : t("new.clock_none");
}

export function gameLine(game, { label = t("list.open"), onTake = null } = {}) {
  const names = game.seats.map((seat) => playerName(seat.player)).join(", ");
  const size = game.size ?? game.seats.length;
  return html`<li class="game">
    ${icon("games")}
    <span><b>${named("ruleset", game.ruleset)}</b>${game.sheet === "classic" ? nothing : html` · ${named("sheet_name", game.sheet)}`}
      <span class="tag">${t(game.rated ? "new.rated_yes" : "new.rated_no")}</span>${game.status === "open" ? html` <span class="tag">${clockOf(game)}</span>` : nothing}
      <small>${names || t("seat.free")} · ${game.status === "open" ? t("list.seats", { taken: game.seats.length, of: size }) : t(`status.${game.status}`)} · <time datetime=${game.created_at}>${game.status === "open" ? ago(game.created_at) : when(game.created_at)}</time></small></span>
    ${onTake ? html`<button type="button" @click=${() => onTake(game)}>${label}</button>` : html`<a class="button" href="/game/${game.id}">${label}</a>`}
  </li>`;
}
