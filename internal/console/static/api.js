// The API client: requests, the session, live updates, and hooks that reload data.
import { useEffect, useRef, useState } from "./ui.js";
import { setClock } from "./time.js";

export const session = { user: "", role: "", csrf: "", ways: [] };
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
  if (!answer.ok) throw Object.assign(new Error(value.error || `the server answered with status ${answer.status}`), { lost: answer.status === 503 });
  return value;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);

export async function readSession() {
  Object.assign(session, { user: "", role: "", csrf: "", ways: [] }, await get("/api/session"));
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
const listeners = new Set();
let source = null;

function notify(topics) {
  for (const listen of listeners) listen(topics);
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
  source.onopen = () => notify(["*"]);
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
      if (await readSession().then((s) => s.user, () => "?")) open();
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

function useTopics(onTopics) {
  const latest = useRef(onTopics);
  latest.current = onTopics;
  useEffect(() => {
    const listen = (topics) => latest.current(topics);
    listeners.add(listen);
    return () => listeners.delete(listen);
  }, []);
}

// useData fetches a path, and fetches it again whenever one of the topics changes. The last
// data stays available during a reload, and if the reload fails. lost says that it failed
// because a service does not respond, as the status line says.
export function useData(path, topics = []) {
  const [state, set] = useState({ data: null, error: "", lost: false, path: "" });
  const work = useRef({ busy: false, again: false, path: "" });
  const load = useRef(null);
  load.current = async () => {
    const w = work.current;
    if (!path) return;
    if (w.busy) { w.again = true; return; }
    w.busy = true;
    try {
      const data = await get(path);
      if (w.path === path) set({ data, error: "", lost: false, path });
    } catch (e) {
      if (w.path === path) set((s) => ({ data: s.path === path ? s.data : null, error: e.message, lost: e.lost, path }));
    }
    w.busy = false;
    if (w.again) { w.again = false; setTimeout(() => load.current(), 250); }
  };
  useEffect(() => {
    work.current.path = path;
    load.current();
  }, [path]);
  useTopics((changed) => {
    if (changed.includes("*") || changed.some((t) => topics.includes(t))) load.current();
  });
  return { data: state.path === path ? state.data : null, stale: state.data, error: state.path === path ? state.error : "", lost: state.lost, reload: () => load.current() };
}
