// The texts of the page by key, in the selected language; a key without a text is shown in brackets.

import { settings } from "./settings.js";

export const LANGUAGES = { en: "English", de: "Deutsch", ru: "Русский", uk: "Українська", pl: "Polski" };

const loaded = new Map();
let catalogue = {};
let plural = new Intl.PluralRules("en");
let now = "en";

export const words = new EventTarget();

export function language() {
  return now;
}

function preferred() {
  const wished = [settings.get("language"), ...navigator.languages];
  return wished.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES) ?? "en";
}

async function read(part, tag) {
  const name = `${part}${tag}.json`;
  if (!loaded.has(name)) {
    const answer = await fetch(new URL(`../text/${name}`, import.meta.url));
    loaded.set(name, await answer.json());
  }
  return loaded.get(name);
}

// Fetches the catalogue of the selected language, and dispatches `change` to all parts.
export async function loadLanguage() {
  const tag = preferred();
  catalogue = await read("", tag);
  plural = new Intl.PluralRules(tag);
  now = tag;
  document.documentElement.lang = tag;
  words.dispatchEvent(new Event("change"));
}

// The catalogue of the rules, which only one view needs.
export function chapter(part) {
  return read(`${part}.`, now);
}

export function has(key) {
  return key in catalogue;
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// `n` selects the plural form.
export function t(key, values = {}) {
  const text = catalogue[key];
  if (text === undefined) return `⟦${key}⟧`;
  if (typeof text === "string") return filled(text, values);
  return filled(text[plural.select(values.n)] ?? text.other, values);
}

// The label of a name that comes from the server and may be newer than this page: "mixx_a" is shown as "mixx a".
export function named(kind, key) {
  return has(`${kind}.${key}`) ? t(`${kind}.${key}`) : String(key).replaceAll("_", " ");
}

// Dates and times are written as the browser's region writes them, in the language of the page.
function locale() {
  return navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === now) ?? now;
}

export function when(time) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

// Days of the server's calendar, from the first to the last.
export function days(first, last) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).formatRange(new Date(first), new Date(last));
}

export function figure(value) {
  return new Intl.NumberFormat(now, { maximumFractionDigits: 1 }).format(value);
}

// How long ago this was, in its largest whole unit.
export function ago(time) {
  const seconds = Math.max(0, (Date.now() - Date.parse(time)) / 1000);
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(now, { numeric: "auto", style: "short" }).format(-Math.floor(seconds / length), unit);
}

export function list(names) {
  return new Intl.ListFormat(now, { type: "conjunction" }).format(names);
}

const UNITS = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

// A length of time in its largest whole unit: 90 s are "1.5 min".
export function span(seconds) {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? UNITS.at(-1);
  return new Intl.NumberFormat(now, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }).format(seconds / length);
}
