// Numbers, durations and distances in time, formatted for people.
import { day, now as clock } from "./time.js";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const amounts = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const fine = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export const number = (n) => whole.format(n ?? 0);
export const money = (n) => amounts.format(n ?? 0);
// amountsOf formats amounts by currency: "12.5 USD, 3 EUR".
export const amountsOf = (by) => Object.entries(by).map(([currency, n]) => `${money(n)} ${currency}`.trim()).join(", ") || "nothing";
export const compact = (n) => (n < 10_000 ? whole.format(n) : short.format(n));
export const figure = (n) => (Number.isInteger(n) ? whole.format(n) : Math.abs(n) >= 100 ? amounts.format(n) : fine.format(n));
export const plural = (n, word, many = word + "s") => `${number(n)} ${n === 1 ? word : many}`;

export function bytes(n) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return `${n < 10 && i > 0 ? n.toFixed(1) : Math.round(n)} ${units[i]}`;
}

export function span(seconds) {
  seconds = Math.max(0, seconds);
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

// ago formats the distance of a time from now: "5 min ago", "in 2 h".
export function ago(t, now = clock()) {
  const seconds = (now - new Date(t).getTime()) / 1000;
  const far = Math.abs(seconds);
  let text;
  if (far < 5) return "just now";
  if (far < 60) text = `${Math.floor(far)} s`;
  else if (far < 3600) text = `${Math.floor(far / 60)} min`;
  else if (far < 86400) text = `${Math.floor(far / 3600)} h`;
  else if (far < 86400 * 60) text = plural(Math.floor(far / 86400), "day");
  else return day(t);
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}
