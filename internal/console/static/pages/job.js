// One job, updated live.
import { html, useState } from "../ui.js";
import { may, post, useData } from "../api.js";
import { bytes, clock, exact, number, plural, span } from "../format.js";
import { Callout, Card, Dialog, Field, Loaded, Page, State, Time, look, say } from "../parts.js";
import { Tally } from "../tally.js";
import { link } from "../route.js";

const ended = (state) => ["done", "failed", "cancelled"].includes(state);

export function Job({ id }) {
  const result = useData("/api/jobs/" + encodeURIComponent(id), ["job " + id]);
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const r = result.data?.record;
  return html`<${Page} title=${id} crumb=${html`<a href="#/jobs">Jobs</a>`}
      sub=${r && html`<${State} is=${r.state} /> <span class="nowrap">${r.kind}</span> · ${result.data.target}${r.run > 1 ? ` · run ${r.run}` : ""}`}
      acts=${r && html`
        ${r.state === "failed" && html`<a class="button" href=${"#/letters?id=" + encodeURIComponent(id)}>Open dead letter</a>`}
        ${!ended(r.state) && may("operator") && html`<button class="danger" onClick=${() => setAsking(true)}>Cancel job</button>`}`}>
    <${Loaded} result=${result}>${(page) => html`<${Body} page=${page} />`}<//>
    ${asking && html`<${Dialog} title="Cancel this job?" act="Cancel job" dismiss="Keep job" danger onClose=${() => setAsking(false)}
      onAct=${async () => { await post(`/api/jobs/${encodeURIComponent(id)}/cancel`, { reason }); say(`Job ${id} is cancelled`); result.reload(); }}>
      <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
      <${Field} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//><//>`}
  <//>`;
}

function Body({ page }) {
  const r = page.record;
  const job = r.job ?? {};
  return html`
    ${r.error && html`<${Callout} level="bad" says=${`${r.error.class}: ${r.error.message}`} hint=${r.error.hint} />`}
    ${r.why && !ended(r.state) && html`<${Callout} level=${r.state === "running" ? "" : "warn"} says=${r.why} hint=${{ queued: "The job has not started for this reason.", retrying: "The job waits for this before its next attempt." }[r.state]} />`}
    <div class="grid two-one">
      <div class="stack">
        ${page.parts?.length || r.parts.total > 1 ? html`<${Parts} r=${r} parts=${page.parts ?? []} />` : null}
        ${(r.tally.read > 0 || counts(r)) && html`<${Card} title="Where every row went" side=${job.dryRun && html`<span class="tag">dry run</span>`}><${Tally} tally=${r.tally} dryRun=${job.dryRun} /><//>`}
        ${r.warnings.length > 0 && html`<${Card} title="Warnings" flush><table class="cards"><thead><tr><th>Code</th><th>What</th><th class="num">Times</th></tr></thead><tbody>
          ${r.warnings.map((w) => html`<tr><td class="mono">${w.code}</td><td class="break whole">${w.description}</td><td class="num" data-name="Times">${number(w.count)}</td></tr>`)}</tbody></table><//>`}
        ${r.samples.length > 0 && html`<${Samples} all=${r.samples} />`}
        <${Card} title="Job as recorded"><pre class="block">${JSON.stringify(job, null, 2)}</pre><//>
      </div>
      <div class="stack"><${Facts} r=${r} target=${page.target} />${r.understood && html`<${Understood} u=${r.understood} />`}<${Timeline} r=${r} history=${page.history} /></div>
    </div>`;
}

// counts reports whether the tally of an ended job is worth showing even if it is empty.
const counts = (r) => ["segment.add", "segment.remove", "segment.mirror", "target.add", "target.replace", "target.mirror"].includes(r.kind) && ended(r.state) && r.state === "done";

function Samples({ all }) {
  const [whole, setWhole] = useState(false);
  const few = 6;
  return html`<${Card} title="Samples of dropped rows" flush side=${html`<span class="faint small">masked</span>`}>
    <table><thead><tr><th class="num">Row</th><th>Dropped as</th><th>Masked</th></tr></thead><tbody>
      ${all.slice(0, whole ? all.length : few).map((s) => html`<tr><td class="num">${number(s.row)}</td><td>${s.reason}</td><td class="mono break">${s.masked}</td></tr>`)}</tbody></table>
    ${!whole && all.length > few && html`<div class="foot"><span>${few} of ${number(all.length)}</span><button class="small" onClick=${() => setWhole(true)}>Show all</button></div>`}<//>`;
}

function Parts({ r, parts }) {
  const by = new Map(parts.map((p) => [p.number, p]));
  const { total, done } = r.parts;
  return html`<${Card} title="Parts" side=${html`<span class="soft">${number(done)} of ${number(total)} done</span>`}>
    <progress max=${total} value=${done} aria-label="Parts done"></progress>
    <div class="parts" style=${{ marginTop: "12px" }} aria-hidden="true">${Array.from({ length: total }, (_, i) => {
      // The records of parts are deleted once all parts are done.
      const p = by.get(i) ?? (done === total ? { state: "done", read: null } : undefined);
      return html`<i key=${i} class=${p?.state ?? ""} title=${`part ${i + 1}: ${p ? p.state + (p.read === null ? "" : `, ${number(p.read)} rows`) : "waiting"}`}></i>`;
    })}</div><//>`;
}

function Facts({ r, target }) {
  const campaign = r.kind.startsWith("segment.") || r.kind.startsWith("rules.") ? "" : target.split(" ")[1];
  return html`<${Card} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${campaign ? html`<a href=${link("campaigns", campaign)}>${target}</a>` : target}</dd>
    <dt>Submitted</dt><dd title=${exact(r.submitted)}><${Time} at=${r.submitted} /></dd>
    ${r.started && html`<dt>Started</dt><dd><${Time} at=${r.started} /></dd>`}
    ${r.finished && html`<dt>Finished</dt><dd><${Time} at=${r.finished} />${r.started && html` <span class="faint">after ${span((new Date(r.finished) - new Date(r.started)) / 1000)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${number(r.attempts)}${r.crashes > 0 && html`, <span class="bad-ink">${plural(r.crashes, "crash", "crashes")}</span>`}</dd>
    ${r.batches > 0 && html`<dt>Sent</dt><dd>${plural(r.batches, "batch", "batches")}, ${bytes(r.bytes)}</dd>`}
    ${r.distinct > 0 && html`<dt>Distinct ids</dt><dd>about ${number(r.distinct)}</dd>`}
    ${(r.numberOfIds.before > 0 || r.numberOfIds.after > 0) && html`<dt>On the platform</dt><dd>${number(r.numberOfIds.before)} before, ${number(r.numberOfIds.after)} after</dd>`}
    ${r.job?.actor && html`<dt>Actor</dt><dd>${r.job.actor}</dd>`}
    ${r.job?.reason && html`<dt>Reason</dt><dd>${r.job.reason}</dd>`}
  </dl><//>`;
}

// visible shows a tab and other control characters as escapes.
const visible = (text) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');

const delimiters = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space" };

// Understood shows how the export was read.
function Understood({ u }) {
  const { column } = u;
  const encoding = ["parquet", "avro", "xlsx"].includes(u.format) ? "" : `, ${u.encoding}`; // these have none
  const table = ["csv", "xlsx"].includes(u.format);
  const numbered = table && column.number > 0;
  const every = u.format === "text" ? "every line" : "every value";
  const files = u.files > 1 ? `, ${plural(u.files, "file")}` : "";
  return html`<${Card} title="How the export was read"><dl class="facts">
    <dt>Format</dt><dd>${u.format}${encoding}${u.compression === "none" ? "" : `, ${u.compression}`}${files}</dd>
    ${u.sheet && html`<dt>Sheet</dt><dd>${visible(u.sheet)}</dd>`}
    ${u.delimiter && html`<dt>Delimiter</dt><dd>${delimiters[u.delimiter] ?? html`<code>${visible(u.delimiter)}</code>`}</dd>`}
    ${u.quote && html`<dt>Quotes</dt><dd>${u.quote}, escape ${u.escape}</dd>`}
    ${u.skip !== 0 && html`<dt>Skipped</dt><dd>${typeof u.skip === "number" ? `the first ${plural(u.skip, "line")}` : html`lines that begin with <code>${visible(u.skip)}</code>`}</dd>`}
    ${(table || u.format === "text") && html`<dt>Header</dt><dd>${u.header ? "yes" : "no"}</dd>`}
    <dt>Ids in</dt><dd>${column.name && html`<b>${visible(column.name)}</b>`}${column.name && numbered ? ", " : ""}${numbered && `column ${number(column.number)}`}${u.format === "text" && column.name ? ", " : ""}${u.format === "text" || !column.name && !numbered ? every : ""}
      ${column.why && html`<div class="faint small">${column.why}</div>`}</dd>
    ${u.typeColumn && html`<dt>Types in</dt><dd>${visible(u.typeColumn)}</dd>`}
  </dl><//>`;
}

function Timeline({ r, history }) {
  const steps = history.length ? history : [{ state: r.state, at: r.submitted, run: r.run }];
  const shown = steps.slice(-30);
  return html`<${Card} title="Timeline">
    <ul class="line">${shown.length < steps.length && html`<li class="faint">${number(steps.length - shown.length)} earlier</li>`}
      ${shown.map((e) => html`<li class=${look(e.state)}><b>${e.state}</b>${e.run > 1 ? html` <span class="faint small">run ${e.run}</span>` : null}
        <div class="faint small" title=${exact(e.at)}>${clock(e.at)}${e.tally?.read ? ` · ${number(e.tally.read)} rows` : ""}</div>
        ${e.error && html`<div class="small break">${e.error.class}</div>`}</li>`)}</ul><//>`;
}
