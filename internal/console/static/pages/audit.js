// The audit: who did what, when and why.
import { html } from "../ui.js";
import { query, useData } from "../api.js";
import { number, plural } from "../format.js";
import { Choice, Empty, Failure, Loading, Page, Search, Time } from "../parts.js";
import { link, setParams } from "../route.js";
import { Sorted } from "../table.js";
import { now } from "../time.js";
import { statusOf } from "../words.js";
import { Figures } from "../decisions.js";

const spans = [["", "All times"], ["1h", "Last hour"], ["24h", "Last 24 hours"], ["168h", "Last 7 days"], ["720h", "Last 30 days"]];
const step = 50;
const onPage = "Sort the rows on this page";
const columns = [["When", (a) => Date.parse(a.at), false, onPage], ["Who", (a) => a.rule || a.actor, false, onPage], ["What", (a) => a.creative || a.after || a.wanted, false, onPage], ["Why", (a) => a.reason, false, onPage]];

export function Audit({ params }) {
  // Rounded to minutes, so that the URL of the data stays the same for a while.
  const since = params.span && new Date(Math.floor(now() / 60_000) * 60_000 - parseInt(params.span) * 3_600_000).toISOString();
  const filter = { match: params.match, campaign: params.campaign, actor: params.actor, job: params.job, rule: params.rule, since };
  const limit = Math.max(step, Number(params.limit) || step);
  const result = useData("/api/audit" + query({ ...filter, limit }), ["audit"]);
  const list = result.data ?? result.stale;
  const narrowed = ["campaign", "actor", "job", "rule"].filter((k) => params[k]);
  return html`<${Page} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${html`<a class="button" href=${"/api/audit/export" + query({ ...filter, format: "ndjson" })} download>Export NDJSON</a><a class="button" href=${"/api/audit/export" + query({ ...filter, format: "csv" })} download>Export CSV</a>`}>
    <div class="filters">
      <${Search} label="Search actor, reason, creative, job …" value=${params.match} onText=${(match) => setParams({ match, limit: "" })} />
      <${Choice} label="Time" value=${params.span} onPick=${(span) => setParams({ span, limit: "" })} options=${spans} />
    </div>
    ${narrowed.length > 0 && html`<div class="filters">${narrowed.map((k) => html`<button class="small" onClick=${() => setParams({ [k]: "" })} aria-label=${`Remove the filter ${k}`}>${k}: ${params[k]} ×</button>`)}</div>`}
    ${result.error && html`<${Failure} says=${result.error} retry=${result.reload} />`}
    <section class="card">${!list ? !result.error && html`<${Loading} />` : list.entries.length === 0
      ? html`<${Empty} title=${params.match || narrowed.length || params.span ? "Nothing matches" : "No actions yet"}>Changes by rules and people, approvals, replays, edits, discards and uses of the stop switch are listed here.<//>`
      : html`<${Sorted} columns=${columns} rows=${list.entries}>${(a, i) => html`<tr key=${a.at + a.job + a.creative + i}>
          <td data-name="When"><${Time} at=${a.at} /></td>
          <td data-name="Who"><a href=${"#/audit" + query(a.rule ? { rule: a.rule } : { actor: a.actor })}>${a.rule || a.actor || "–"}</a></td>
          <td class="whole"><${What} a=${a} /></td>
          <td class="whole break">${a.reason}<${Figures} metrics=${a.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${plural(list.entries.length, "entry", "entries")}, newest first</span>${list.more && limit < 200 && html`<button class="small" onClick=${() => setParams({ limit: String(Math.min(limit + step, 200)) })}>Show more</button>`}${list.more && limit >= 200 && html`<span>More than ${number(limit)} entries match: narrow the search or export them.</span>`}</div>`}</section>
  <//>`;
}

// What describes an action: a change of a creative or a letter, or a use of the stop switch.
function What({ a }) {
  const job = a.job && html`<div class="note">job <a href=${link("jobs", a.job)}>${a.job}</a>${a.run > 1 ? `, run ${a.run}` : ""}</div>`;
  if (a.creative) {
    return html`<span class="strong break">${a.creative}</span> ${statusOf(a.before)} → ${statusOf(a.after)}${a.after !== a.wanted ? html` <span class="bad-ink">(wanted ${statusOf(a.wanted)})</span>` : ""}
      ${a.campaign && html`<div class="note">campaign <a href=${link("campaigns", a.campaign)}>${a.campaign}</a></div>`}${job}`;
  }
  if (a.job) return html`<span class="strong">${a.wanted}</span>${a.before ? ` (was ${a.before})` : ""}${job}`;
  return html`<span class="strong">${/^(stopped|started)$/.test(a.after) ? `campaign actions ${a.after}` : a.after}</span>`;
}
