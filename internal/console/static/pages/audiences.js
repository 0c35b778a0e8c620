// Audiences: each segment and each campaign's device list, its size, its feed and its problems.
import { html } from "../ui.js";
import { useData } from "../api.js";
import { number, plural } from "../format.js";
import { Card, Empty, Loaded, Looking, Message, Page, Search, Since, Tabs, Time, soFar } from "../parts.js";
import { link, setParams } from "../route.js";
import { Table } from "../table.js";
import { since } from "../time.js";
import { meanings } from "../words.js";

// titleOf is what people call an audience: "Segment 17", "Devices of SANDBOX1-summer".
export const titleOf = (target) => target.replace(/^segment /, "Segment ").replace(/^target /, "Devices of ");

// nameOf is what people call an audience whose name the platform has said: "iOS customers (17)".
export const nameOf = (a) => (a.name ? `${a.name} (${a.target.replace(/^segment /, "")})` : titleOf(a.target));

export const Change = ({ c }) => c ? html`<span class="nowrap"><span class="good-ink">+${number(c.added)}</span> <span class=${c.large ? "bad-ink" : c.removed ? "" : "faint"}>−${number(c.removed)}</span></span>` : html`<span class="faint none">–</span>`;

// everyOf says how often a feed looks.
export const everyOf = (f) => (/^\d/.test(f.every) ? `every ${f.every.replace(/(\d)([a-z])/g, "$1 $2")}` : f.every);

// isLost reports whether a job has not uploaded its export, or not to its end.
export const isLost = (state) => state === "failed" || state === "cancelled";

// Due says when the next export of a feed is expected.
export function Due({ f }) {
  if (!f) return html`<span class="faint">no feed</span>`;
  if (f.paused) return html`<span class="badge warn">paused</span>`;
  if (f.held) return html`<span class="badge warn">export held</span>`;
  if (f.blind) return html`<span class="badge bad">blind</span> <span class="small"><${Since} at=${f.blind} /></span>`;
  if (f.late) return html`<span class="badge bad">late</span> <span class="small"><${Since} at=${f.late} /></span>`;
  if (isLost(f.jobState)) return html`<span class="badge ${f.jobState === "failed" ? "bad" : "warn"}">last job ${f.jobState}</span>`;
  return f.next ? html`next export by ${since(f.next)}` : html`<span class="soft">looks ${everyOf(f)}</span>`;
}

const columns = [
  { key: "name", title: "Audience", card: false, value: (a) => nameOf(a), cell: (a) => html`<a class="id" href=${link("audiences", a.target)}>${nameOf(a)}</a>${a.problems.slice(0, 2).map((p) => html`<div class="note ${p.level === "bad" ? "bad-ink" : ""}"><${Message} text=${p.says} /></div>`)}` },
  { key: "size", title: "Ids", num: true, value: (a) => a.size, meaning: meanings.ids, cell: (a) => a.size === null ? html`<span class="faint">not known</span>` : html`<b>${number(a.size)}</b><div class="note">${a.sizeOf === "ledger" ? "in the ledger" : "on the platform"}</div>` },
  { key: "change", title: "Last change", num: true, meaning: meanings.change, value: (a) => a.last && Date.parse(a.last.at), cell: (a) => html`<${Change} c=${a.last} />${a.last && html`<div class="note"><${Time} at=${a.last.at} /></div>`}` },
  { key: "expiry", title: "Expiry", num: true, value: (a) => a.expiry, meaning: "Days after which a member leaves the segment unless it is uploaded again", cell: (a) => (a.expiry ? plural(a.expiry, "day") : html`<span class="faint none">–</span>`) },
  { key: "feed", title: "Feed", value: (a) => a.feed?.name, cell: (a) => html`<div>${a.feed && html`<b>${a.feed.name}</b> `}<${Due} f=${a.feed} /></div>` },
  { key: "ledger", title: "Ledger from", num: true, value: (a) => a.ledger && Date.parse(a.ledger.at), meaning: "When the last mirror has set what usher knows of its ids", cell: (a) => a.ledger ? html`<${Time} at=${a.ledger.at} />${a.ledger.changed && html`<div class="note">changed since</div>`}` : html`<span class="faint">none</span>` },
  { key: "open", title: "Open jobs", num: true, value: (a) => a.open, meaning: meanings.open, cell: (a) => a.open ? number(a.open) : html`<span class="faint">0</span>` },
];

const aboutAudiences = { title: "Audiences", sub: "The segments and device lists that jobs and feeds fill: how large they are, what changed last, and what is wrong.", none: "No audiences yet", hint: "A segment appears here with its first job or feed." };
const aboutFeeds = { title: "Feeds", sub: "The places that usher watches for new exports, each with the audience that it fills. An audience's page has its feed, and what to do with a held export.", none: "No feeds", hint: "Feeds are written in files, which whoever runs usher lists in its configuration.", only: (a) => a.feed };

export const Audiences = ({ params }) => html`<${List} params=${params} about=${aboutAudiences} />`;
export const Feeds = ({ params }) => html`<${List} params=${params} about=${aboutFeeds} />`;

function List({ params, about }) {
  const result = useData("/api/audiences", ["audiences", "letters"]);
  return html`<${Page} title=${about.title} acts=${html`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub=${about.sub}>
    <${Loaded} result=${result}>${(data) => {
      const { looking } = data;
      const audiences = data.audiences.filter(about.only ?? (() => true));
      const troubled = audiences.filter((a) => a.problems.length > 0);
      const text = (params.text ?? "").toLowerCase();
      const found = (params.only === "problems" ? troubled : audiences).filter((a) => `${nameOf(a)} ${titleOf(a.target)} ${a.feed?.name ?? ""}`.toLowerCase().includes(text));
      const none = audiences.length ? ["No audience matches", "Remove a filter to see others."] : looking && !about.only ? ["No audience found so far", "Older jobs are being read."] : [about.none, about.hint];
      return html`<div class="filters"><${Search} label="Search audience or feed …" value=${params.text} onText=${(t) => setParams({ text: t })} />
        <${Tabs} label="Which" value=${params.only} onPick=${(only) => setParams({ only })} options=${[["", "All", soFar(audiences.length, looking)], ["problems", "With problems", troubled.length]]} /></div>
        <${Card} flush>${found.length === 0 ? html`<${Empty} title=${none[0]}>${none[1]}<//>`
          : html`<${Table} label=${about.title} columns=${columns} rows=${found} params=${params} id=${(a) => a.target} href=${(a) => link("audiences", a.target)} /><div class="foot">${plural(found.length, "audience")}</div>`}<${Looking} l=${looking} /><//>`;
    }}<//>
  <//>`;
}
