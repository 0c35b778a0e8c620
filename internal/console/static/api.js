// The API client: requests, the session, live updates, and hooks that reload data.
import { useEffect, useRef, useState } from "./ui.js";
import { setClock } from "./time.js";

export const session = { user: "", role: "", csrf: "", ways: [], absent: "" };
const ranks = { viewer: 1, operator: 2, admin: 3 };
export const may = (role) => (ranks[session.role] ?? 0) >= ranks[role];

let expired = () => {};
export const onExpired = (f) => { expired = f; };

async function call(method, path, body) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") {
    headers["Content-Type"] = "application/json";
    headers["X-CSRF-Token"] = session.csrf;
  }
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw Object.assign(new Error("usher does not respond. The page retries automatically."), { lost: true });
  }
  const value = await answer.json().catch(() => ({}));
  if (answer.status === 401 && !path.startsWith("/api/login")) expired();
  if (!answer.ok) throw Object.assign(new Error(value.error || `the server answered with status ${answer.status}`), { lost: answer.status === 503, gone: answer.status === 404, refused: answer.status >= 400 && answer.status < 500 });
  return value;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);

// readSession asks who is logged in. absent says why nobody is; if usher cannot tell now, the
// user stays.
export async function readSession() {
  const state = await get("/api/session");
  if (state.absent !== "unread" || !session.user) Object.assign(session, { user: "", role: "", csrf: "", absent: "" }, state);
  return session;
}

// query returns "?a=1&b=2" for the parameters that are set, or "".
export function query(params) {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) words.set(key, value);
  }
  const text = words.toString();
  return text && "?" + text;
}

// While the page is visible, a stream of server-sent events announces changed topics.
let source = null;
let opened = false; // since the page was loaded

// notify has what is shown read again if one of its topics changed. Any topic is "*", that of any job "job *".
function notify(topics) {
  const concerns = (topic) => topics.includes(topic) || topics.includes("job *") && topic.startsWith("job ");
  for (const resource of resources.values()) {
    if (topics.includes("*") || [...resource.topics].some(concerns)) resource.changed(topics.includes("letters") && resource.topics.has("letters"));
  }
}

// health is the last state of the services that usher sent, and when it came: every second.
// A page that has heard nothing for longer than silence is cut off.
const health = { state: null, at: Date.now() };
const silence = 3500;
export const readHealth = () => ({ state: health.state, heard: health.at, cut: Date.now() - health.at > silence });

function open() {
  if (source || document.hidden || !session.user) return;
  health.at = Date.now(); // nothing was sent while the page was hidden
  source = new EventSource("/api/live");
  if (opened) source.onopen = () => notify(["*"]); // what changed meanwhile; the first stream begins with what changed just before
  opened = true;
  source.onmessage = (e) => notify(e.data.split(","));
  source.addEventListener("health", (e) => {
    const lost = (state) => (state?.services ?? []).filter((s) => s.since).map((s) => s.name).join();
    const before = health.state;
    Object.assign(health, { state: JSON.parse(e.data), at: Date.now() });
    if (!health.state.at.startsWith("0001")) setClock(Date.parse(health.state.at));
    if (before && lost(before) !== lost(health.state)) notify(["*"]); // read again what could not be read
  });
  source.onerror = () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    source = null;
    setTimeout(async () => {
      if (await readSession().then((s) => s.user || s.absent === "unread", () => true)) open();
      else expired();
    }, 2000);
  };
}

export function closeLive() {
  source?.close();
  source = null;
}

export function openLive() {
  document.addEventListener("visibilitychange", () => (document.hidden ? closeLive() : open()));
  window.addEventListener("pagehide", closeLive);
  open();
}

// What is shown, by its path: parts of a page that show the same share one request.
const resources = new Map();
const pace = 1500; // milliseconds between two requests for the same
const urgent = 500; // the same, of what shows failures

// Resource is what a path returns. The last data stays available during a reload, and if the
// reload fails. lost says that it failed because a service does not respond, and refused that it would
// fail again.
class Resource {
  state = { data: null, error: "", lost: false };
  topics = new Set(); // whose changes it is read again for
  drawn = new Set(); // functions that draw the parts that show it
  busy = false;
  again = false;
  sent = 0;
  timer = 0;

  constructor(path) {
    this.path = path;
    this.load();
  }

  async load() {
    if (this.busy) { this.again = true; return; }
    this.busy = true;
    this.again = false;
    clearTimeout(this.timer);
    this.sent = Date.now();
    try {
      this.state = { data: await get(this.path), error: "", lost: false };
    } catch (e) {
      this.state = { data: e.gone ? null : this.state.data, error: e.message, lost: e.lost, refused: e.refused };
    }
    this.busy = false;
    for (const draw of this.drawn) draw();
    if (this.again) this.changed();
  }

  // changed loads the data again: at once, or when the pace allows it.
  changed(soon = false) {
    if (this.busy) { this.again = true; return; }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => resources.get(this.path) === this && this.load(), Math.max(0, this.sent + (soon ? urgent : pace) - Date.now()));
  }
}

// useData returns what a path returns, and reads it again whenever one of the topics changes.
// While a new path is read, stale is the data of the one before.
export function useData(path, topics = []) {
  const [, draw] = useState(0);
  const last = useRef(null);
  const resource = path ? resources.get(path) ?? new Resource(path) : null;
  if (resource) {
    resources.set(path, resource);
    topics.forEach((t) => resource.topics.add(t)); // now: a change may come before the effect
  }
  useEffect(() => {
    if (!resource) return undefined;
    const redraw = () => draw((n) => n + 1);
    resource.drawn.add(redraw);
    if (!resources.has(path)) { // the part that showed it before has gone in this drawing
      resources.set(path, resource);
      resource.changed();
    }
    if (resource.state.data || resource.state.error) redraw(); // it has come before
    return () => {
      resource.drawn.delete(redraw);
      if (resource.drawn.size === 0 && resources.get(path) === resource) resources.delete(path);
    };
  }, [resource]);
  const { data, error, lost, refused } = resource?.state ?? { data: null, error: "", lost: false };
  if (data) last.current = data;
  return { data, stale: last.current, error, lost, refused, reload: () => resource?.load() };
}
