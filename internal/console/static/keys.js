// The keyboard: keys that move between pages and rows, and their list.
import { html, useEffect, useState } from "./ui.js";
import { Dialog } from "./parts.js";
import { Palette } from "./palette.js";
import { places } from "./route.js";
import { toggleCompact, toggleTheme } from "./settings.js";
import { isUTC, setUTC } from "./time.js";

const mac = /Mac|iPhone|iPad/.test(navigator.platform);
const help = [
  [mac ? "⌘ K" : "Ctrl K", "Find a page, an audience, a campaign or a job"], ["/", "Search on this page"], ["j  k", "Next and previous row"],
  ["Enter", "Open the row"], ["x", "Select the row"], ["Esc", "Close what is open"], ...places.map(([key, , name]) => [`g ${key}`, name]),
  ["z", "Compact rows, or roomy ones"], ["t", "Light or dark colours"], ["d", "Times in UTC, or in this computer's zone"], ["?", "These keys"],
];

const typing = (e) => e.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
const rows = () => [...document.querySelectorAll("main tbody tr, main .incident")].filter((r) => r.offsetParent !== null);

// step moves the focus to the next row, or to the previous one.
function step(by) {
  const all = rows();
  if (all.length === 0) return;
  const now = all.findIndex((r) => r.classList.contains("at"));
  const row = all[now < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(now + by, 0), all.length - 1)];
  all.forEach((r) => r.classList.toggle("at", r === row));
  const target = row.querySelector("a.id, button.id") ?? row.querySelector("a, button");
  target?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

const select = () => document.querySelector("main .at input[type=checkbox]")?.click();
const search = () => document.querySelector("main input[type=search]")?.focus();

export function Keys() {
  const [open, setOpen] = useState("");
  useEffect(() => {
    let after = 0; // when g was pressed
    const press = (e) => {
      if ((e.ctrlKey || e.metaKey) && !e.altKey && e.key.toLowerCase() === "k") {
        e.preventDefault();
        setOpen("palette");
        return;
      }
      if (e.ctrlKey || e.metaKey || e.altKey || typing(e) || document.querySelector("dialog[open]")) return;
      const place = Date.now() - after < 1500 && places.find(([key]) => key === e.key);
      after = 0;
      if (place) { location.hash = "#/" + place[1]; return; }
      const act = { g: () => { after = Date.now(); }, "/": search, "?": () => setOpen("help"), j: () => step(1), k: () => step(-1), x: select, z: toggleCompact, t: toggleTheme, d: () => setUTC(!isUTC()) }[e.key];
      if (!act) return;
      e.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  const close = () => setOpen("");
  if (open === "palette") return html`<${Palette} onClose=${close} onHelp=${() => setOpen("help")} />`;
  return open === "help" && html`<${Dialog} title="Keys" onClose=${close}><dl class="facts keys">${help.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl><//>`;
}
