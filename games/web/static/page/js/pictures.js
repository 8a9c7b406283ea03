// SVG pictures: icons, dice, and the shapes that represent colours. Knows no game.

import { html, svg } from "./element.js";

const LINES = {
  home: "M4 11 12 4l8 7v9h-5v-6H9v6H4z",
  lobby: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm8 0a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 20c0-4 3-6 6-6s6 2 6 6M15 14c4 0 7 2 7 6",
  games: "M4 5h16v14H4zM4 10h16M9 10v9M14 10v9",
  boards: "M4 20h4v-8H4zM10 20h4V4h-4zM16 20h4v-5h-4z",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-5 4-7 8-7s8 2 8 7",
  bot: "M6 9h12v10H6zM12 9V5M9.5 13v2M14.5 13v2M4 13v3M20 13v3",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  sealed: "M4 6h16v12H4zM4 7l8 6 8-6",
  away: "M17 15A7 7 0 0 1 9 5a8 8 0 1 0 8 10z",
  flag: "M6 21V4h11l-2 4 2 4H6",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2",
  share: "M12 15V4M8 8l4-4 4 4M6 12v8h12v-8",
  shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5",
  again: "M20 11a8 8 0 1 0-2 6M20 5v6h-6",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 13l4 4L19 7",
  plus: "M12 5v14M5 12h14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  speech: "M4 5h16v11h-8l-5 4v-4H4zM8 9h8M8 12h5",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v13c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v13",
};

const LOGO = svg`<rect x="1.5" y="1.5" width="21" height="21" rx="5.5" fill="var(--accent)" stroke="none"/>
  <path d="M7.5 7.5l9 9M16.5 7.5l-9 9" stroke="var(--on-accent)" stroke-width="3.2"/>`;

export function icon(name) {
  const drawn = name === "logo" ? LOGO : svg`<path d=${LINES[name]} />`;
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${drawn}</svg>`;
}

const MOUTHS = ["M9 16.5h6", "M9 16q3 2.5 6 0", "M9.5 16.5q2.5-1.500 5 0", "M10 16.500h4v1h-4z"];
const HEADS = ["M6 8h12v11H6z", "M5 12a7 7 0 0 1 14 0v7H5z", "M8 8h8l3 4v7H5v-7z", "M5 13.500a7 6 0 1 1 14 0a7 6 0 1 1-14 0z"];

// The face of a bot: the same for the same name.
export function face(name) {
  const hash = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7);
  return html`<svg class="icon face" viewBox="0 0 24 24" aria-hidden="true" .style=${`color: hsl(${(hash * 47) % 360} 45% 48%)`}>
    <path d=${HEADS[hash % HEADS.length]} /><path d="M12 8V4.500M9.500 12.500v.1M14.500 12.500v.1" /><path d=${MOUTHS[(hash >> 3) % MOUTHS.length]} /></svg>`;
}

// One shape per colour, for players who cannot distinguish the colours.
const SHAPES = {
  red: "M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
  yellow: "M10 2 19 18H1z",
  green: "M3 3h14v14H3z",
  blue: "M10 1l9 9-9 9-9-9z",
  orange: "M10 1.5 19 8l-3.4 10.5H4.4L1 8z",
  purple: "M10 1l2.7 6 6.3.6-4.8 4.3 1.5 6.3-5.7-3.4-5.7 3.4 1.5-6.3L1 7.6 7.300 7z",
};

export function shape(colour) {
  return html`<svg class="shape" viewBox="0 0 20 20" aria-hidden="true"><path d=${SHAPES[colour] ?? "M3 8h14v4H3z"} /></svg>`;
}

const PIPS = {
  1: [[5, 5]],
  2: [[2.6, 2.6], [7.4, 7.4]],
  3: [[2.4, 2.4], [5, 5], [7.6, 7.6]],
  4: [[2.7, 2.7], [7.3, 2.7], [2.7, 7.3], [7.3, 7.3]],
  5: [[2.6, 2.6], [7.4, 2.6], [5, 5], [2.6, 7.4], [7.4, 7.4]],
  6: [[2.8, 2.4], [7.2, 2.4], [2.8, 5], [7.2, 5], [2.8, 7.6], [7.2, 7.6]],
};

// A die; without a face it has not been rolled. The dice in use glow.
export function die(colour, face, glows = false) {
  const pips = (PIPS[face] ?? []).map(([x, y]) => svg`<circle cx=${x} cy=${y} r="1.02" />`);
  const mark = face ? "" : svg`<path class="unrolled" d="M3.9 4a1.2 1.2 0 1 1 1.6 1.100q-.5.3-.5.9M5 7.400v.1" />`;
  const sign = SHAPES[colour] ? svg`<path class="sign" transform="translate(3.9 10.4) scale(.11)" d=${SHAPES[colour]} />` : "";
  return html`<svg class="die" data-colour=${colour} ?data-used=${glows} viewBox="0 0 10 12.8" aria-hidden="true">
    <rect x=".4" y=".4" width="9.2" height="9.2" rx="2" />${pips}${mark}${sign}
  </svg>`;
}

// A line chart of numbers over time, oldest first.
export function curve(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, place) => `${(place / (values.length - 1)) * 96 + 2},${22 - ((value - low) / (high - low || 1)) * 20}`);
  return html`<svg class="curve" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><polyline points=${points.join(" ")} /></svg>`;
}
