// Settings that the browser remembers: colours, and the height of rows.
const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* local storage is disabled */ } };
const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };

// The theme follows the system until the user picks one. isDark asks a query of its own:
// one that is read between a change and its event sends no event in Chromium.
const darkScheme = "(prefers-color-scheme: dark)";
export const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia(darkScheme).matches ? "dark" : "light")) === "dark";

// onTheme calls f when the colours may have changed, until the function that it returns is called.
export function onTheme(f) {
  const scheme = matchMedia(darkScheme);
  scheme.addEventListener("change", f);
  window.addEventListener("theme", f);
  return () => { scheme.removeEventListener("change", f); window.removeEventListener("theme", f); };
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event("theme"));
}

export function toggleTheme() {
  const next = isDark() ? "light" : "dark";
  setTheme(next);
  keep("theme", next);
}

// In the compact mode the rows of tables are 36 pixels high.
export const isCompact = () => document.documentElement.dataset.rows === "compact";
function setCompact(on) {
  if (on) document.documentElement.dataset.rows = "compact";
  else delete document.documentElement.dataset.rows;
}

export function toggleCompact() {
  setCompact(!isCompact());
  keep("rows", isCompact() ? "compact" : "roomy");
}

export function restoreSettings() {
  if (kept("theme")) setTheme(kept("theme"));
  setCompact(kept("rows") === "compact");
}
