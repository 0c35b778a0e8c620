// Replays that run, or ended in the last quarter of an hour, with their progress.
import { html, useState } from "../ui.js";
import { may, post, query, useData } from "../api.js";
import { figure, number, plural } from "../format.js";
import { now as clock } from "../time.js";
import { Callout, Time, say } from "../parts.js";

const shownFor = 15 * 60_000;
const hidden = new Set();

// Replays shows replays: those that run, those that have ended, or both.
export function Replays({ running = true, ended = true }) {
  const result = useData("/api/replays", ["replays"]);
  const [, redraw] = useState(0);
  const now = clock();
  const shown = (result.data?.replays ?? []).filter((r) => (r.finished ? ended && !hidden.has(r.id) && now - new Date(r.finished) < shownFor : running));
  return shown.map((r) => html`<${Replay} key=${r.id} r=${r} onHide=${() => { hidden.add(r.id); redraw((n) => n + 1); }} />`);
}

// titleOf says what a replay does now, or how it ended.
function titleOf(r) {
  if (r.error) return "Replay failed";
  if (r.stopped) return "Replay stopped";
  if (r.finished) return "Replay finished";
  return r.report.planned === 0 && r.report.changed > 0 ? "Changing the jobs …" : "Replaying …";
}

function Replay({ r, onHide }) {
  const p = r.report;
  const most = Math.max(p.planned, 1);
  const whole = r.finished && !r.stopped && !r.error;
  return html`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${titleOf(r)}</b>
      <span class="soft">by ${r.by}, <${Time} at=${r.started} />${r.rate ? `, ${figure(r.rate)} a second` : ""}</span>
      ${!r.finished && may("operator") && html`<button class="small danger" onClick=${() => post(`/api/replays/${r.id}/stop`).catch((e) => say(e.message, true))}>Stop</button>`}
      ${r.finished && html`<button class="small bare" onClick=${onHide}>Hide</button>`}</div>
    <progress max=${most} value=${whole ? most : p.replayed + p.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${p.changed > 0 && `${plural(p.changed, "job")} changed, `}${number(p.replayed)} of ${number(p.planned)} replayed${p.skipped ? `, ${number(p.skipped)} skipped` : ""}${r.stopped ? "; the other letters were kept" : ""}</div>
    ${p.replayed > 0 && r.finished && html`<${Endings} p=${p} />`}
    ${p.left?.length > 0 && html`<details class="small"><summary>Why letters were skipped</summary>${p.left.map((l) => html`<div class="break">${l.id ?? `letter ${l.seq}`}: ${l.why}</div>`)}</details>`}
    ${r.error && html`<${Callout} level="bad" says=${r.error} />`}
  </div></section>`;
}

// Endings says how the replayed jobs have ended.
function Endings({ p }) {
  const open = Math.max(0, p.replayed - p.done - p.failedAgain - p.cancelled);
  return html`<div class="small"><span class="good-ink">${number(p.done)} done</span>${open > 0 && html`, <span class="soft">${number(open)} not ended yet</span>`}${p.cancelled > 0 && `, ${number(p.cancelled)} cancelled`}${p.failedAgain > 0 && html`, <a class="bad-ink strong" href=${"#/letters" + query({ replay: p.name })}>${number(p.failedAgain)} failed again</a>`}</div>`;
}
