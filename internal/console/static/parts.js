// Components that several pages share.
import { html, useEffect, useRef, useState } from "./ui.js";
import { ago, number } from "./format.js";
import { pageDrawn, useLeaving } from "./route.js";
import { exact, now as clock, since } from "./time.js";
import { remedyCommands } from "./terminal.js";
import { causes, doing, meanings, namesCommand, plain, statusOf, statuses, withTitles, withoutCommands } from "./words.js";

// Page renders a page's heading and content. After a navigation the heading gets the focus,
// so that keyboard and screen reader start at the new page.
let firstPage = true;
export function Page({ title, sub, crumb, acts, children }) {
  const head = useRef(null);
  useEffect(() => { document.title = `${title} · usher`; }, [title]);
  useEffect(() => {
    const restoring = pageDrawn();
    if (!firstPage) { head.current?.focus({ preventScroll: true }); if (!restoring) window.scrollTo(0, 0); }
    firstPage = false;
  }, []);
  return html`<div class="page">
    <div class="head">
      <div class="title">
        ${crumb && html`<div class="crumb">${crumb}</div>`}
        <h1 tabindex="-1" ref=${head}>${title}</h1>
        ${sub && html`<div class="sub">${sub}</div>`}
      </div>
      ${acts && html`<div class="acts">${acts}</div>`}
    </div>
    ${children}
  </div>`;
}

export function Card({ title, side, children, flush }) {
  return html`<section class="card">
    ${title && html`<div class="top"><h2>${title}</h2>${side}</div>`}
    <div class=${flush ? "flush" : "body"}>${children}</div>
  </section>`;
}

const looks = {
  done: "good", running: "info", retrying: "warn", queued: "", failed: "bad", cancelled: "",
  ACTIVE: "good", INACTIVE: "", PENDING: "warn",
};
export const look = (word) => looks[word] ?? "";
export const State = ({ is }) => html`<span class="badge ${look(is)}" title=${statuses[is] ? `the platform says ${is}` : meanings[is]}>${statusOf(is)}</span>`;

// Doing says what a job does, with its kind on hover.
export const Doing = ({ kind, target, name }) => html`<span title=${kind}>${doing(kind, target, name)}</span>`;

// One timer updates all relative times.
const ticking = new Set();
setInterval(() => ticking.forEach((tick) => tick(clock())), 5000);
export function useNow() {
  const [now, set] = useState(clock());
  useEffect(() => { ticking.add(set); return () => ticking.delete(set); }, []);
  return Math.max(now, clock() - 5000);
}

export function Time({ at }) {
  useNow();
  if (!at) return html`<span class="faint none">–</span>`;
  return html`<time class="nowrap" datetime=${at} title=${exact(at)}>${ago(at)}</time>`;
}

// Since says since when something lasts, and how long that is.
export function Since({ at }) {
  const now = useNow();
  return html`<time datetime=${at} title=${exact(at)}>since <span class="nowrap">${since(at)}</span>, <span class="nowrap">${ago(at, now).replace(" ago", "")}</span></time>`;
}

// Message renders what an error says, whole on hover.
export const Message = ({ text }) => html`<span title=${plain(text) === text ? undefined : text}><${Words} text=${plain(text)} /></span>`;

// Looking says how far usher has looked through older jobs, if it has not looked at all.
export const Looking = ({ l }) => l && html`<div class="looking" role="status">
  ${l.error ? html`<span class="bad-ink">Older jobs cannot be read: ${l.error}</span>` : html`<progress max=${l.of} value=${l.looked} aria-label="Jobs looked through"></progress><span>Looked through ${number(l.looked)} of ${number(l.of)} jobs so far</span>`}</div>`;

// soFar returns a count, of which there may be more while usher still looks.
export const soFar = (n, looking) => (looking ? (n ? number(n) + "+" : "…") : number(n));

export const Empty = ({ title, children }) => html`<div class="empty"><b>${title}</b>${children}</div>`;
export const Loading = () => html`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`;

const Titled = ({ text }) => withTitles(text).map((part) => (part.title ? html`<span title=${part.name}>“${part.title}”</span>` : part));
const Coded = ({ text }) => text.split("`").map((part, i) => (i % 2 ? html`<code>${part}</code>` : html`<${Titled} text=${part} />`));

// Words renders a text of usher without what only the terminal can do. Fields of jobs have the names
// that people call them.
export const Words = ({ text }) => (typeof text === "string" ? html`<${Coded} text=${withoutCommands(text) || text} />` : text);

// Hint says what to do about an error: what usher advises, and what the console offers for errors of
// its class. What only the terminal can do is folded: commands that the text has, and those for the letters of
// a filter. onFix is what the words Fix and replay do, if they do.
export function Hint({ text, of, onFix, letters, remedies = [] }) {
  const known = causes[of];
  const said = typeof text === "string" ? withoutCommands(text) : text;
  const whole = known?.then === "Then replay." ? /\breplay\b/i.test(said) : /\bdiscard\b/.test(said); // it says itself what follows
  const more = known && !whole && (said ? known.then : known.todo);
  const folded = typeof text === "string" && said !== text && (!known || namesCommand(text)) && text;
  const commands = letters ? remedyCommands(letters, remedies) : [];
  if (!said && !more && !folded) return null;
  return html`<div class="hint">${said && html`<${Words} text=${said} />`}${said && more && (/[.!?]$/.test(said) ? " " : ". ")}${more && html`<${Fixing} text=${more} onFix=${onFix} />`}
    ${(folded || commands.length > 0) && html`<${Folded}>${folded && html`<span>${folded.split("`").map((part, i) => (i % 2 ? html`<code>${part}</code>` : part))}</span>`}${commands.map((c) => html`<code key=${c}>${c}</code>`)}<//>`}</div>`;
}

// Folded folds what can be done in the terminal, and InTerminal a command.
export const Folded = ({ children }) => html`<details class="small terminal"><summary>In the terminal</summary>${children}</details>`;
export const InTerminal = ({ children }) => html`<${Folded}><code>${children}</code><//>`;

// Fixing makes a button of the words Fix and replay.
function Fixing({ text, onFix }) {
  const [before, ...after] = text.split("Fix and replay");
  if (!onFix || after.length === 0) return text;
  return html`${before}<button class="bare lane" onClick=${onFix}>Fix and replay</button>${after.join("Fix and replay")}`;
}

export function Failure({ says, retry }) {
  return html`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${Hint} text=${says} /></div>
    ${retry && html`<button class="small" onClick=${retry}>Try again</button>`}</div>`;
}

// of is the class of the error that a callout is about, and letters selects its dead letters.
export function Callout({ level = "", says, hint, of, onFix, letters, remedies, where, children }) {
  const inside = html`<div><div class="says"><${Words} text=${says} /></div>${where ? hint && html`<div class="hint"><${Words} text=${hint} /></div>` : html`<${Hint} text=${hint} of=${of} onFix=${onFix} letters=${letters} remedies=${remedies} />`}${children}</div>`;
  return where ? html`<a class="callout ${level}" href=${where}>${inside}</a>` : html`<div class="callout ${level}">${inside}</div>`;
}

// Loaded renders the data of a result of useData; before it has arrived, a placeholder or
// the error.
export function Loaded({ result, children }) {
  if (result.data) return html`${result.error && !result.lost && html`<${Failure} says=${result.error} retry=${result.reload} />`}${children(result.data)}`;
  if (result.error) return html`<${Failure} says=${result.error} retry=${result.reload} />`;
  return html`<div class="card"><${Loading} /></div>`;
}

export const Figure = ({ name, value, unit, note, href, bad, meaning }) => {
  const inside = html`<div class="name">${name}</div><div class="value ${bad ? "bad-ink" : ""}">${value}${unit && html` <small>${unit}</small>`}</div>${note && html`<div class="note">${note}</div>`}`;
  return href ? html`<a class="figure" href=${href} title=${meaning}>${inside}</a>` : html`<div class="figure" title=${meaning}>${inside}</div>`;
};

// Search reports its text 250 ms after the last keystroke.
export function Search({ value, onText, label }) {
  const [text, set] = useState(value ?? "");
  const timer = useRef(0);
  useEffect(() => set(value ?? ""), [value]);
  return html`<input type="search" value=${text} placeholder=${label} aria-label=${label} onInput=${(e) => {
    set(e.target.value);
    clearTimeout(timer.current);
    const now = e.target.value;
    timer.current = setTimeout(() => onText(now), 250);
  }} />`;
}

export const Choice = ({ value, onPick, label, options }) => html`<select aria-label=${label} value=${value ?? ""} onChange=${(e) => onPick(e.target.value)}>
  ${options.map(([word, text]) => html`<option value=${word} selected=${word === (value ?? "")}>${text}</option>`)}</select>`;

export const Tabs = ({ value, onPick, options, label }) => html`<div class="tabs" role="group" aria-label=${label}>
  ${options.map(([word, text, count, meaning]) => html`<button title=${meaning} aria-pressed=${word === (value ?? "")} onClick=${() => onPick(word)}>${text}${count !== undefined && html` <small>${typeof count === "number" ? number(count) : count}</small>`}</button>`)}</div>`;

// Dialog asks for confirmation. If the action fails, it stays open and shows the error. It belongs to its page:
// Back leaves both.
export function Dialog({ title, act, dismiss = "Cancel", danger, wide, onAct, onClose, ready = true, children }) {
  const box = useRef(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  useLeaving(onClose);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    dialog.showModal();
    (dialog.querySelector("[data-first]") ?? dialog.querySelector("input,textarea,select"))?.focus();
    return () => {
      dialog.close(); // an open dialog keeps the focus to itself
      before?.focus?.();
    };
  }, []);
  const send = async (e) => {
    e.preventDefault();
    if (busy || !ready) return;
    setBusy(true);
    setError("");
    try {
      await onAct();
      onClose();
    } catch (e) { // with an empty message, the dialog stays open for the next step
      setError(e.message);
      setBusy(false);
    }
  };
  return html`<dialog ref=${box} class=${wide ? "wide" : ""} aria-label=${title} onCancel=${(e) => { e.preventDefault(); onClose(); }}
      onMouseDown=${(e) => e.target === box.current && onClose()}>
    <form onSubmit=${send}>
      <header><h2>${title}</h2></header>
      <div class="inside">${children}${error && html`<div class="callout bad" role="alert"><${Hint} text=${error} /></div>`}</div>
      <footer>
        <button type="button" onClick=${onClose}>${act ? dismiss : "Close"}</button>
        ${act && html`<button type="submit" class=${danger ? "danger solid" : "primary"} disabled=${busy || !ready}>${busy ? "…" : act}</button>`}
      </footer>
    </form>
  </dialog>`;
}

export const Field = ({ name, hint, children }) => html`<label class="field"><span>${name}</span>${children}${hint && html`<small>${hint}</small>`}</label>`;

// Toasts confirm actions in the corner of the page.
let push = () => {};
export const say = (text, bad) => push({ text: withoutCommands(text) || text, bad, key: Math.random() });
export function Toasts() {
  const [all, set] = useState([]);
  push = (toast) => {
    set((list) => [...list.slice(-3), toast]);
    setTimeout(() => set((list) => list.filter((t) => t !== toast)), toast.bad ? 9000 : 5000);
  };
  return html`<div class="toasts" role="status" aria-live="polite">${all.map((t) => html`<div class="toast ${t.bad ? "bad" : ""}" key=${t.key}>${t.text}</div>`)}</div>`;
}
