// The route: the part of the address after #, such as /jobs/x?state=done.
import { useEffect, useRef, useState } from "./ui.js";

// places are the pages by the letter that follows g.
export const places = [["h", "", "Overview"], ["a", "audiences", "Audiences"], ["f", "feeds", "Feeds"], ["j", "jobs", "Jobs"], ["l", "letters", "Dead letters"], ["c", "campaigns", "Campaigns"], ["r", "rules", "Rules"], ["u", "audit", "Audit"]];

// here returns the current route.
export function here() {
  const [path, words] = (location.hash.slice(1) || "/").split("?");
  return { path: path.split("/").map(decodeURIComponent).join("/"), names: path.split("/").filter(Boolean).map(decodeURIComponent), params: Object.fromEntries(new URLSearchParams(words)) };
}

export function useRoute() {
  const [route, set] = useState(here());
  useEffect(() => {
    const change = () => set(here());
    window.addEventListener("hashchange", change);
    return () => window.removeEventListener("hashchange", change);
  }, []);
  return route;
}

// useLeaving calls leave when the browser leaves the entry of the history: by Back, by Forward, or by a link.
export function useLeaving(leave) {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const left = () => latest.current();
    window.addEventListener("popstate", left);
    return () => window.removeEventListener("popstate", left);
  }, []);
}

export function link(...names) {
  return "#/" + names.map(encodeURIComponent).join("/");
}

// setParams changes the filters in the address. Each choice is an entry of the history, so that Back takes
// it back; what is typed into one field is one entry.
export function setParams(change) {
  const { path, params } = { path: (location.hash.slice(1) || "/").split("?")[0], params: here().params };
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...params, ...change })) if (value) words.set(key, value);
  const text = words.toString();
  const to = "#" + path + (text && "?" + text);
  const typed = ["text", "match"].find((key) => key in change) ?? "";
  if (to === location.hash) return;
  if (typed && history.state?.typed === typed) history.replaceState(history.state, "", to);
  else history.pushState({ typed }, "", to);
  window.dispatchEvent(new Event("hashchange"));
}

// Each entry of the history remembers how far its page was scrolled. The browser's own restoration
// would come before the data of the page.
history.scrollRestoration = "manual";
let saving = 0;
let stopRestoring = null;
window.addEventListener("scroll", () => {
  clearTimeout(saving);
  if (!stopRestoring) saving = setTimeout(() => history.replaceState({ ...history.state, y: window.scrollY }, ""), 150);
}, { passive: true });

const hands = ["wheel", "touchstart", "pointerdown", "keydown"];

// pageDrawn is called by a page that was drawn for the first time. It reports whether the page scrolls to
// where it was.
let drawn = () => {};
export function pageDrawn() {
  const restoring = stopRestoring !== null;
  drawn();
  return restoring;
}

// restore scrolls to where the page was, as soon as it is long enough; if it is another page than the one
// before, as soon as it was drawn: the page before may be long enough, too.
function restore(y, other) {
  stopRestoring?.();
  let there = !other;
  drawn = () => {
    there = true;
    if (stopRestoring) move();
  };
  const move = () => {
    if (!there) return;
    window.scrollTo(0, y);
    if (window.scrollY >= y - 1) stopRestoring?.();
  };
  const watch = new ResizeObserver(move);
  const late = setTimeout(() => stopRestoring?.(), 5000);
  const stop = () => {
    stopRestoring = null;
    watch.disconnect();
    clearTimeout(late);
    hands.forEach((name) => window.removeEventListener(name, stop));
  };
  stopRestoring = stop;
  hands.forEach((name) => window.addEventListener(name, stop, { passive: true }));
  watch.observe(document.body);
}

// A link makes a new entry, which has no state: its page begins at the top.
let shown = here().path;
window.addEventListener("hashchange", () => { shown = here().path; });
window.addEventListener("popstate", (e) => { // before hashchange
  clearTimeout(saving);
  stopRestoring?.();
  if (e.state?.y > 0) restore(e.state.y, here().path !== shown);
});
if (history.state?.y > 0) restore(history.state.y);
