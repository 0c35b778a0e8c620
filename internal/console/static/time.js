// Times: one format on all pages, in UTC or in the browser's zone, as the user has chosen.
let utc = false;
try { utc = localStorage.getItem("zone") === "utc"; } catch { /* local storage is disabled */ }

export const isUTC = () => utc;
export function setUTC(on) {
  utc = on;
  try { localStorage.setItem("zone", on ? "utc" : "local"); } catch { /* local storage is disabled */ }
  window.dispatchEvent(new Event("zone"));
}

// now returns the time of usher, which is NATS's: the browser's clock may be wrong.
let ahead = 0;
export const now = () => Date.now() + ahead;
export function setClock(at) {
  ahead = Math.abs(at - Date.now()) < 5000 ? 0 : at - Date.now();
}

const formats = new Map(); // by zone
const partsOf = (t) => {
  const zone = utc ? "UTC" : undefined;
  if (!formats.has(utc)) formats.set(utc, new Intl.DateTimeFormat("en-GB", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short" }));
  return Object.fromEntries(formats.get(utc).formatToParts(new Date(t)).map((p) => [p.type, p.value]));
};

// zone returns the name of the zone at a time: UTC, GMT+1, CET.
export const zone = (t = now()) => partsOf(t).timeZoneName;

// day: 2026-11-26. timeOfDay: 05:42:10 UTC. clock: 26 Nov 05:42. exact: 2026-11-26 05:42:10 UTC.
export const day = (t) => { const p = partsOf(t); return `${p.year}-${p.month}-${p.day}`; };
export const timeOfDay = (t) => { const p = partsOf(t); return `${p.hour}:${p.minute}:${p.second} ${p.timeZoneName}`; };
export const exact = (t) => `${day(t)} ${timeOfDay(t)}`;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const shortDay = (t) => { const p = partsOf(t); return `${Number(p.day)} ${months[p.month - 1]}`; };
// since returns a time of today as 12:30 UTC, an earlier one with its day.
export const since = (t) => { const p = partsOf(t); return `${day(t) === day(now()) ? "" : shortDay(t) + " "}${p.hour}:${p.minute} ${p.timeZoneName}`; };
export const clock = (t) => `${shortDay(t)} ${timeOfDay(t)}`;

// startOf returns the beginning of a day such as 2026-11-26, as an ISO time; days are added.
export function startOf(text, days = 0) {
  const [y, m, d] = text.split("-").map(Number);
  return (utc ? new Date(Date.UTC(y, m - 1, d + days)) : new Date(y, m - 1, d + days)).toISOString();
}

// ticks labels the marks of an axis of time, step seconds apart. A day is named at its first mark.
export function ticks(list, step) {
  let last = "";
  return list.map((t) => {
    const p = partsOf(t * 1000);
    const date = shortDay(t * 1000);
    const time = step >= 86400 ? "" : step >= 60 ? `${p.hour}:${p.minute}` : `${p.hour}:${p.minute}:${p.second}`;
    if (!time) return date;
    const label = date === last ? time : `${time}\n${date}`;
    last = date;
    return label;
  });
}
