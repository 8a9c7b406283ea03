// Short synthesised sounds, off unless the setting is on.

import { settings } from "./settings.js";

const TUNES = {
  roll: [[180, 0, 0.05], [240, 0.06, 0.05], [150, 0.12, 0.06], [210, 0.19, 0.06]],
  mark: [[520, 0, 0.07], [780, 0.06, 0.09]],
  turn: [[660, 0, 0.1], [880, 0.11, 0.16]],
  end: [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.3]],
  bad: [[200, 0, 0.16]],
};

let context = null;

export function play(name) {
  if (!settings.get("sound") || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  for (const [pitch, after, length] of TUNES[name]) {
    const start = context.currentTime + after;
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.type = name === "roll" ? "square" : "sine";
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.08, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}

const OF_EVENTS = { dice_rolled: "roll", cell_marked: "mark", number_written: "mark", game_ended: "end", penalty_taken: "bad", throw_failed: "bad" };

export function playFor(events) {
  const name = events.map((event) => OF_EVENTS[event.type]).find(Boolean);
  if (name) play(name);
}
