// The list of jobs.
import { html } from "../ui.js";
import { query, useData } from "../api.js";
import { meanings, number, plural, span } from "../format.js";
import { Choice, Empty, Failure, Loading, Page, Search, State, Tabs, Time, Words } from "../parts.js";
import { link, setParams } from "../route.js";

export const kinds = ["segment.add", "segment.remove", "segment.mirror", "target.add", "target.replace", "target.clear", "target.mirror", "campaign.pause", "campaign.resume", "rules.evaluate", "device.forget"];
const states = ["queued", "running", "retrying", "done", "failed", "cancelled"];
const step = 50;

export function Jobs({ params }) {
  const limit = Math.max(step, Number(params.limit) || step);
  const result = useData("/api/jobs" + query({ state: params.state, kind: params.kind, text: params.text, limit }), ["jobs"]);
  const list = result.data ?? result.stale;
  const all = list ? Object.values(list.states).reduce((a, b) => a + b, 0) : undefined;
  return html`<${Page} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${Search} label="Search id, target, error …" value=${params.text} onText=${(text) => setParams({ text, limit: "" })} />
      <${Choice} label="Kind" value=${params.kind} onPick=${(kind) => setParams({ kind, limit: "" })} options=${[["", "All kinds"], ...kinds.map((k) => [k, k])]} />
    </div>
    <${Tabs} label="State" value=${params.state} onPick=${(state) => setParams({ state, limit: "" })}
      options=${[["", "All", all], ...states.map((s) => [s, s[0].toUpperCase() + s.slice(1), list?.states[s] ?? 0, meanings[s]])]} />
    ${result.error && html`<${Failure} says=${result.error} retry=${result.reload} />`}
    <section class="card">${!list ? !result.error && html`<${Loading} />` : html`<${List} list=${list} filtered=${params.text || params.kind || params.state} />
      ${list.total > 0 && html`<div class="foot"><span>${number(list.jobs.length)} of ${plural(list.total, "job")}</span>
        ${list.total > list.jobs.length && limit < 200 && html`<button class="small" onClick=${() => setParams({ limit: String(Math.min(limit + step, 200)) })}>Show more</button>`}</div>`}`}</section>
  <//>`;
}

function List({ list, filtered }) {
  if (list.jobs.length === 0) {
    return filtered ? html`<${Empty} title="No job matches">Remove a filter to see other jobs.<//>`
      : html`<${Empty} title="No jobs yet">Publish one: <code>usher submit segment.add --segment 1 --profile idfa export.csv</code><//>`;
  }
  return html`<${Rows} jobs=${list.jobs} />`;
}

export function Rows({ jobs }) {
  return html`<table class="cards"><thead><tr><th>Job</th><th>State</th><th class="num">Rows</th><th class="num">Accepted</th><th class="num">Submitted</th></tr></thead><tbody>
    ${jobs.map((r) => html`<tr key=${r.id}>
      <td><a class="id" href=${link("jobs", r.id)}>${r.id}</a><div class="note">${r.kind} · ${r.target}${r.run > 1 ? ` · run ${r.run}` : ""}</div>
        ${r.state === "running" ? html`<${Progress} row=${r} />` : html`<${Remark} row=${r} />`}</td>
      <td><${State} is=${r.state} /></td>
      <td class="num" data-name="Rows">${r.read ? number(r.read) : html`<span class="faint">–</span>`}</td>
      <td class="num" data-name="Accepted">${r.accepted ? number(r.accepted) : html`<span class="faint">–</span>`}</td>
      <td class="num" data-name="Submitted"><${Time} at=${r.submitted} />${took(r) && html`<div class="note">took ${took(r)}</div>`}</td>
    </tr>`)}</tbody></table>`;
}

const took = (r) => r.started && r.finished && span((new Date(r.finished) - new Date(r.started)) / 1000);

function Remark({ row }) {
  if (row.error) return html`<div class="note"><span class="bad-ink">${row.error.class}</span>: ${row.error.message}</div>`;
  if (row.why) return html`<div class="note"><${Words} text=${row.why} /></div>`;
  if (row.warnings) return html`<div class="note">${plural(row.warnings, "warning")}</div>`;
  return null;
}

export function Progress({ row }) {
  if (row.parts.total > 1) {
    return html`<progress max=${row.parts.total} value=${row.parts.done} aria-label="Parts done"></progress><div class="note">${number(row.parts.done)} of ${number(row.parts.total)} parts</div>`;
  }
  return html`<div class="note">${row.why || (row.read ? `${number(row.read)} rows so far` : "started")}</div>`;
}
