// The list of jobs.
import { html, useMemo, useRef, useState } from "../ui.js";
import { may, query, useData } from "../api.js";
import { Changed, changeOf } from "../consequence.js";
import { number, plural, span } from "../format.js";
import { Choice, Doing, Empty, Failure, InTerminal, Loading, Looking, Message, Page, Search, State, Tabs, Time, Words, soFar, useNow } from "../parts.js";
import { link, setParams } from "../route.js";
import { now, startOf } from "../time.js";
import { causeOf, kinds, meanings } from "../words.js";
import { Sorted } from "../table.js";
import { Cancel, Drawer } from "./job.js";

export const kindChoices = [["", "All kinds"], ...Object.entries(kinds).map(([kind, [name]]) => [kind, name])];
const states = ["queued", "running", "retrying", "done", "failed", "cancelled"];
const step = 50;
const spans = [["", "All times"], ["1", "Last hour"], ["24", "Last 24 hours"], ["168", "Last 7 days"], ["720", "Last 30 days"], ["days", "From … to …"]];
const ended = (state) => ["done", "failed", "cancelled"].includes(state);

// timesOf returns the range of time of the filters. It is rounded to minutes, so that the address
// of the data stays the same for a while.
function timesOf({ span, from, to }) {
  if (span === "days") return { since: from && startOf(from), until: to && startOf(to, 1) };
  return { since: span && new Date(Math.floor(now() / 60_000) * 60_000 - Number(span) * 3_600_000).toISOString() };
}

export function Jobs({ params }) {
  const filter = { state: params.state, kind: params.kind, text: params.text, target: params.target, ...timesOf(params) };
  const result = useData("/api/jobs" + query({ ...filter, after: params.after, limit: step }), ["jobs"]);
  const [chosen, choose] = useState([]);
  const [asking, setAsking] = useState(false);
  const list = result.data ?? result.stale;
  const all = list ? Object.values(list.states).reduce((a, b) => a + b, 0) : undefined;
  const set = (change) => { choose([]); setParams({ after: "", ...change }); };
  const open = list?.jobs.filter((j) => !ended(j.state)).map((j) => j.id) ?? [];
  const picked = chosen.filter((id) => open.includes(id));
  const at = { ...params, job: "" };
  return html`<${Page} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${Search} label="Search id, target, error …" value=${params.text} onText=${(text) => set({ text })} />
      <${Choice} label="Kind" value=${params.kind} onPick=${(kind) => set({ kind })} options=${kindChoices} />
      <${Choice} label="Submitted" value=${params.span} onPick=${(span) => set({ span, from: "", to: "" })} options=${spans} />
      ${params.span === "days" && html`<input type="date" aria-label="First day" value=${params.from ?? ""} onChange=${(e) => set({ from: e.target.value })} /><input type="date" aria-label="Last day" value=${params.to ?? ""} onChange=${(e) => set({ to: e.target.value })} />`}
    </div>
    <${Tabs} label="State" value=${params.state} onPick=${(state) => set({ state })}
      options=${[["", "All", all], ...states.map((s) => [s, s[0].toUpperCase() + s.slice(1), list && (list.states[s] ?? 0), meanings[s]])].map(([word, text, n, meaning]) => [word, text, n == null ? "…" : Object.values(filter).some(Boolean) ? soFar(n, list.looking) : number(n), meaning])} />
    ${params.target && html`<div><button class="small" onClick=${() => set({ target: "" })} aria-label="Remove the filter target">${params.target} ×</button></div>`}
    ${result.error && html`<${Failure} says=${result.error} retry=${result.reload} />`}
    <section class="card">${!list ? !result.error && html`<${Loading} />` : html`<${List} list=${list} filtered=${Object.values(filter).some(Boolean)} params=${at} chosen=${picked} choose=${choose} />
      <${Looking} l=${list.looking} />
      ${(list.jobs.length > 0 || params.after) && html`<div class="foot"><span>${number(list.jobs.length)} of ${plural(list.total, "job")}${list.looking && list.total <= list.jobs.length ? " so far" : ""}${list.more && !list.next ? "; choose a time to see older ones" : ""}</span>
        <span class="acts">${params.after && html`<a class="button small" href=${"#/jobs" + query({ ...at, after: "" })}>Newest</a>`}
        ${list.next && html`<a class="button small" href=${"#/jobs" + query({ ...at, after: list.next })}>Older</a>`}</span></div>`}`}</section>
    ${picked.length > 0 && html`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${plural(picked.length, "job")}</b> selected</span>
      <button class="bare" onClick=${() => choose([])}>Clear</button><button class="danger" onClick=${() => setAsking(true)}>Cancel ${plural(picked.length, "job")} …</button></div>`}
    ${asking && html`<${Cancel} ids=${picked} onClose=${() => setAsking(false)} onDone=${() => choose([])} />`}
    ${params.job && html`<${Drawer} id=${params.job} key=${params.job} onClose=${() => setParams({ job: "" })} />`}
  <//>`;
}

function List({ list, filtered, params, chosen, choose }) {
  if (list.jobs.length === 0) {
    if (list.looking) return html`<${Empty} title="No job found so far">Older jobs are being read.<//>`;
    return filtered || params.after ? html`<${Empty} title="No job matches">Remove a filter to see other jobs.<//>`
      : html`<${Empty} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${InTerminal}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`;
  }
  return html`<${Rows} jobs=${list.jobs} href=${(id) => "#/jobs" + query({ ...params, job: id })} chosen=${may("operator") && list.jobs.some((j) => !ended(j.state)) ? chosen : null} choose=${choose} />`;
}

const onPage = "Sort the rows on this page";
const columns = [["Job", (r) => r.id, false, onPage], ["State", (r) => r.state, false, onPage], ["Rows", (r) => r.read, true, meanings.read], ["Accepted", (r) => r.accepted, true, meanings.accepted], ["Submitted", (r) => Date.parse(r.submitted), true, onPage]];

// Rows lists jobs. With chosen, jobs that have not ended can be selected.
export function Rows({ jobs, href = (id) => link("jobs", id), chosen, choose }) {
  const open = jobs.filter((j) => !ended(j.state)).map((j) => j.id);
  const toggle = (id) => choose(chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id]);
  return html`<${Sorted} look=${`cards ${chosen ? "ticks" : ""}`} rows=${jobs} columns=${columns}
    first=${chosen && html`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${chosen.length === open.length} onChange=${() => choose(chosen.length === open.length ? [] : open)} /></th>`}>${(r) => html`<tr key=${r.id} data-href=${href(r.id)}>
      ${chosen && html`<td class="tick">${!ended(r.state) && html`<input type="checkbox" aria-label=${`Select job ${r.id}`} checked=${chosen.includes(r.id)} onChange=${() => toggle(r.id)} />`}</td>`}
      <td><a class="id" href=${href(r.id)}>${r.id}</a><div class="note"><${Doing} kind=${r.kind} target=${r.target} name=${r.targetName} />${r.run > 1 ? ` · run ${r.run}` : ""}</div>
        ${r.state === "running" ? html`<${Progress} row=${r} />` : html`<${Remark} row=${r} />`}</td>
      <td><${State} is=${r.state} /></td>
      <td class="num" data-name="Rows">${r.read ? number(r.read) : html`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${r.accepted ? number(r.accepted) : html`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${Time} at=${r.submitted} />${took(r) && html`<div class="note nowrap">took ${took(r)}</div>`}</div></td>
    </tr>`}<//>`;
}

const took = (r) => r.started && r.finished && span((new Date(r.finished) - new Date(r.started)) / 1000);

function Remark({ row }) {
  if (row.error) return html`<div class="note"><span class="bad-ink" title=${row.error.class}>${causeOf(row.error.class)}</span>: <${Message} text=${row.error.message} /></div>`;
  if (row.why) return html`<div class="note"><${Words} text=${row.why} /></div>`;
  const changed = ended(row.state) && (changeOf(row) || row.rejected);
  if (!changed && !row.warnings) return null;
  return html`<div class="note">${changed && html`<${Changed} r=${row} />`}${changed && row.warnings > 0 && "; "}${row.warnings > 0 && plural(row.warnings, "warning")}</div>`;
}

// useRate returns the rows a second of a job between what was heard of it.
function useRate(row) {
  const seen = useRef({ read: 0, at: Date.parse(row.started), rate: 0 });
  return useMemo(() => {
    const { read, at } = seen.current;
    const seconds = (Date.now() - at) / 1000;
    if (row.read > read && seconds >= 1) seen.current = { read: row.read, at: Date.now(), rate: (row.read - read) / seconds };
    return seen.current.rate;
  }, [row.read]);
}

// Progress says how far a job is, how fast, and when it is done if that can be said.
export function Progress({ row }) {
  const now = useNow();
  const rate = useRate(row);
  if (row.state !== "running") return html`<div class="note"><${Words} text=${row.why || "waits for its next attempt"} /></div>`;
  const { total, done } = row.parts;
  const share = total > 1 ? done / total : null;
  const left = share > 0 && row.started ? (((now - Date.parse(row.started)) / 1000) * (1 - share)) / share : null;
  const words = [
    share !== null && `${Math.floor(100 * share)} %, ${number(done)} of ${number(total)} parts`, row.read > 0 && `${number(row.read)} rows`,
    rate >= 1 && `${number(rate)} rows/s`, left !== null && `about ${span(Math.max(left, 1))} left`,
  ].filter(Boolean);
  return html`${share !== null && html`<progress max=${total} value=${done} aria-label="Parts done"></progress>`}<div class="note">${row.why ? html`<${Words} text=${row.why} />` : words.join(" · ") || "started"}</div>`;
}
