// The palette: finds pages, audiences, campaigns, jobs and settings by a few letters.
import { html, useEffect, useMemo, useRef, useState } from "./ui.js";
import { get } from "./api.js";
import { link, places, useLeaving } from "./route.js";
import { isCompact, isDark, toggleCompact, toggleTheme } from "./settings.js";
import { isUTC, setUTC } from "./time.js";

const most = 12;
const go = (hash) => () => { location.hash = hash; };

// commands are what can always be found.
const commands = (onHelp) => [
  ...places.map(([key, path, name]) => ({ name, kind: "page", key: `g ${key}`, act: go("#/" + path) })),
  { name: "Backtest of rules", kind: "page", act: go("#/rules/backtest") },
  { name: "Failed jobs", kind: "page", act: go("#/jobs?state=failed") },
  { name: "Audiences with problems", kind: "page", act: go("#/audiences?only=problems") },
  { name: isDark() ? "Light colours" : "Dark colours", kind: "setting", key: "t", act: toggleTheme },
  { name: isUTC() ? "Times in this computer's zone" : "Times in UTC", kind: "setting", key: "d", act: () => setUTC(!isUTC()) },
  { name: isCompact() ? "Roomy rows" : "Compact rows", kind: "setting", key: "z", act: toggleCompact },
  { name: "Keys", kind: "help", key: "?", act: onHelp },
];

export function Palette({ onClose, onHelp }) {
  const box = useRef(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [things, setThings] = useState([]);
  useLeaving(onClose);
  useEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    get("/api/audiences").then(({ audiences }) => setThings((t) => [...t, ...audiences.map((a) => ({ name: a.target, kind: "audience", act: go(link("audiences", a.target)) }))]), () => {});
    get("/api/campaigns").then(({ campaigns }) => setThings((t) => [...t, ...campaigns.map((c) => ({ name: c.code, kind: "campaign", act: go(link("campaigns", c.code)) }))]), () => {});
    return () => before?.isConnected && before.focus?.({ preventScroll: true });
  }, []);
  const found = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [...commands(onHelp), ...things].filter((c) => words.every((w) => `${c.name} ${c.kind}`.toLowerCase().includes(w))).slice(0, most);
    if (/^\S+$/.test(text.trim())) all.push({ name: `Open the job ${text.trim()}`, kind: "job", act: go(link("jobs", text.trim())) });
    if (text.trim()) all.push({ name: `Search jobs for “${text.trim()}”`, kind: "search", act: go("#/jobs?text=" + encodeURIComponent(text.trim())) });
    return all;
  }, [text, things]);
  const run = (c) => { onClose(); c?.act(); };
  const press = (e) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by) { e.preventDefault(); setAt((at + by + found.length) % found.length); }
    if (e.key === "Enter") { e.preventDefault(); run(found[at]); }
  };
  return html`<dialog ref=${box} class="palette" aria-label="Find" onCancel=${(e) => { e.preventDefault(); onClose(); }} onMouseDown=${(e) => e.target === box.current && onClose()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${at}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${text} onInput=${(e) => { setText(e.target.value); setAt(0); }} onKeyDown=${press} />
    <ul role="listbox" id="found" aria-label="Found">${found.map((c, i) => html`<li role="option" id=${`found-${i}`} aria-selected=${i === at} onMouseMove=${() => setAt(i)} onClick=${() => run(c)}><span>${c.name}</span><span class="faint small">${c.key ? html`<kbd>${c.key}</kbd>` : c.kind}</span></li>`)}</ul>
  </dialog>`;
}
