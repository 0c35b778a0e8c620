// The route: the part of the address after #, such as /jobs/x?state=done.
import { useEffect, useState } from "./ui.js";

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

export function link(...names) {
  return "#/" + names.map(encodeURIComponent).join("/");
}

// setParams changes the filters in the address without adding a history entry.
export function setParams(change) {
  const { path, params } = { path: (location.hash.slice(1) || "/").split("?")[0], params: here().params };
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...params, ...change })) if (value) words.set(key, value);
  const text = words.toString();
  history.replaceState(null, "", "#" + path + (text && "?" + text));
  window.dispatchEvent(new Event("hashchange"));
}
