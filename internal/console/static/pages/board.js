// The board of campaigns: what serves, what is paused and by whom, and what is spent.
import { html } from "../ui.js";
import { query, useData } from "../api.js";
import { money, number, plural } from "../format.js";
import { Callout, Card, Empty, Loaded, Page, Search, Tabs, Time } from "../parts.js";
import { link, setParams } from "../route.js";
import { Table } from "../table.js";

const used = (c) => (c.spend?.budget > 0 ? c.spend.spent / c.spend.budget : null);
const high = 0.95; // of the budget

// Creatives says how many creatives serve, and how many do not.
function Creatives({ c }) {
  if (!c.at) return html`<span class="faint">being read …</span>`;
  if (c.error && c.active + c.paused + c.pending === 0) return html`<span class="bad-ink small break">${c.error}</span>`;
  return html`<span class="nowrap"><b class=${c.active ? "good-ink" : ""}>${number(c.active)}</b> active${c.paused > 0 && html`, <b class="warn-ink">${number(c.paused)}</b> paused`}${c.pending > 0 && `, ${number(c.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active", "c-accepted"], ["paused", "c-junk"], ["pending", "c-duplicate"]].map(([k, look]) => c[k] > 0 && html`<i class=${look} style=${{ flexGrow: c[k] }}></i>`)}</div>`;
}

function PausedBy({ all }) {
  if (!all.length) return html`<span class="faint none">–</span>`;
  return all.map((p) => html`<div class="small break">${p.rule ? html`rule <a href=${"#/rules" + query({ text: p.rule })}>${p.rule}</a>` : p.actor || "outside usher"}${all.length > 1 && html` <span class="faint">${number(p.count)}</span>`}</div>`);
}

// Spend draws the spend of a day as a bar up to the budget.
function Spend({ s }) {
  if (!s) return html`<span class="faint">not known</span>`;
  const share = s.budget > 0 ? s.spent / s.budget : null;
  return html`<div class="spend" title=${`on ${s.date}`}><span class="nowrap">${money(s.spent)}${share !== null && ` of ${money(s.budget)}`} ${s.currency}</span>
    ${share !== null && html`<meter class=${share >= high ? "high" : ""} min="0" max="1" value=${Math.min(share, 1)} aria-label=${`${Math.round(share * 100)} % of the budget of ${s.date} is spent`}></meter><span class="small ${share >= high ? "warn-ink" : "faint"}">${Math.round(share * 100)} %</span>`}</div>`;
}

const columns = [
  { key: "name", title: "Campaign", card: false, value: (c) => c.code, cell: (c) => html`<a class="id" href=${link("campaigns", c.code)}>${c.code}</a>` },
  { key: "creatives", title: "Creatives", num: false, value: (c) => (c.at ? -c.paused : null), meaning: "Sort by the number of paused creatives", cell: (c) => html`<${Creatives} c=${c} />` },
  { key: "by", title: "Paused by", value: (c) => c.pausedBy[0] && (c.pausedBy[0].rule || c.pausedBy[0].actor || "~"), cell: (c) => html`<div><${PausedBy} all=${c.pausedBy} /></div>` },
  { key: "spend", title: "Spend and budget", value: used, num: false, meaning: "Sort by the share of the budget that is spent", cell: (c) => html`<${Spend} s=${c.spend} />` },
  { key: "held", title: "Held", num: true, value: (c) => c.held, meaning: "Changes that wait for approval", cell: (c) => (c.held ? html`<a class="badge warn" href=${link("rules", "runs", c.heldRun)}>${number(c.held)} held</a>` : html`<span class="faint none">–</span>`) },
  { key: "last", title: "Last change", num: true, value: (c) => c.last && Date.parse(c.last.at), cell: (c) => (c.last ? html`<span title=${`${c.last.what}: ${c.last.reason}`}><${Time} at=${c.last.at} /><div class="note">${c.last.by}</div></span>` : html`<span class="faint none">–</span>`) },
];

const kinds = { "": () => true, paused: (c) => c.paused > 0, held: (c) => c.held > 0, spent: (c) => used(c) >= high };

export function Board({ params }) {
  const result = useData("/api/campaigns", ["campaigns", "rules"]);
  return html`<${Page} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${Loaded} result=${result}>${({ campaigns, spendError }) => {
      const text = (params.text ?? "").toLowerCase();
      const matching = campaigns.filter((c) => c.code.toLowerCase().includes(text));
      const found = matching.filter(kinds[params.only] ?? kinds[""]);
      const count = (kind) => matching.filter(kinds[kind]).length;
      const unread = campaigns.filter((c) => !c.at).length;
      return html`<div class="filters"><${Search} label="Search campaigns …" value=${params.text} onText=${(t) => setParams({ text: t })} />
          <${Tabs} label="Which" value=${params.only} onPick=${(only) => setParams({ only })} options=${[["", "All", matching.length], ["paused", "With pauses", count("paused")], ["held", "Held", count("held")], ["spent", "95 % spent", count("spent")]]} /></div>
        ${spendError && html`<${Callout} level="warn" says="Spend and budgets are not known now" hint=${spendError} />`}
        <${Card} flush>${found.length === 0 ? html`<${Empty} title=${campaigns.length ? "No campaign matches" : "No campaigns"}>${campaigns.length ? "Remove a filter to see other campaigns." : "The platform lists no campaigns for this advertiser."}<//>`
          : html`<${Table} label="Campaigns" columns=${columns} rows=${found.slice(0, 500)} params=${params} id=${(c) => c.code} href=${(c) => link("campaigns", c.code)} />
            <div class="foot"><span>${plural(found.length, "campaign")}${found.length > 500 ? ", the first 500 are shown" : ""}</span>${unread > 0 && html`<span>the creatives of ${number(unread)} are being read</span>`}</div>`}<//>`;
    }}<//>
  <//>`;
}
