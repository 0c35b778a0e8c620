// What audiences have in common: a matrix of each pair, and a bar of each within the union.
import { html } from "../ui.js";
import { query, useData } from "../api.js";
import { number, plural } from "../format.js";
import { Callout, Card, Empty, Figure, Loaded, Page, Time } from "../parts.js";
import { link, setParams } from "../route.js";
import { nameOf } from "./audiences.js";

const most = 10;
const percent = (part, whole) => (whole ? (100 * part) / whole : 0);
const share = (part, whole) => `${percent(part, whole).toFixed(1)} %`;

// chosen are the audiences that the address names.
const chosen = (params) => (params.of ?? "").split(",").filter(Boolean);

export function Overlaps({ params }) {
  const result = useData("/api/audiences", ["audiences"]);
  const of = chosen(params);
  return html`<${Page} title="Overlaps" crumb=${html`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${Loaded} result=${result}>${({ audiences }) => html`<${Picker} audiences=${audiences} of=${of} />`}<//>
    ${of.length < 2 ? html`<${Card}><${Empty} title="Choose two audiences">Then the members of both are counted.<//><//>` : html`<${Counted} of=${of} key=${of.join()} />`}
  <//>`;
}

// Picker has a button for each audience with a ledger.
function Picker({ audiences, of }) {
  const known = audiences.filter((a) => a.ledger || of.includes(a.target));
  if (known.length === 0) return html`<${Card}><${Empty} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
  const pick = (target) => setParams({ of: (of.includes(target) ? of.filter((t) => t !== target) : [...of, target]).join(",") });
  return html`<div class="picks" role="group" aria-label="Audiences">${known.map((a) => html`<button class="small" key=${a.target} aria-pressed=${of.includes(a.target)} disabled=${!of.includes(a.target) && of.length >= most} onClick=${() => pick(a.target)}>${nameOf(a)}</button>`)}</div>`;
}

function Counted({ of }) {
  const result = useData("/api/overlap" + "?" + of.map((t) => "target=" + encodeURIComponent(t)).join("&"), []);
  if (result.refused) return html`<${Callout} level="warn" says="These audiences cannot be compared" hint=${result.error} />`;
  return html`<${Loaded} result=${result}>${(o) => html`
    ${o.audiences.filter((a) => a.uncertain > 0).map((a) => html`<${Callout} level="warn" says=${`${plural(a.uncertain, "id")} of ${nameOf(a)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${Figures} o=${o} />
    <div class="grid two-one"><div class="stack"><${Matrix} o=${o} /></div><div class="stack"><${Bars} o=${o} /></div></div>`}<//>`;
}

function Figures({ o }) {
  const first = o.audiences[0];
  return html`<div class="figures">
    <${Figure} name="Together" value=${number(o.union)} note="members of at least one" meaning="Ids that are members of at least one of these audiences, each counted once, by usher's ledgers." />
    <${Figure} name=${o.audiences.length > 2 ? "In all" : "In both"} value=${number(o.all)} note=${`${share(o.all, o.union)} of all`} meaning="Ids that are members of each of these audiences." />
    <${Figure} name=${`Only in ${nameOf(first)}`} value=${number(first.only)} note=${`${share(first.only, first.members)} of its members`} meaning="Ids that are members of no other of these audiences." />
  </div>`;
}

// Matrix says how many members of the audience of a row each column has, too: the darker, the larger
// their share. On a phone, each row is a card.
function Matrix({ o }) {
  return html`<${Card} title="In both" flush side=${html`<span class="faint small">and their share of its members</span>`}>
    <div class="scroll"><table class="matrix cards" aria-label="Members in common"><thead><tr><th>Audience</th><th class="num">Members</th>${o.audiences.map((a, j) => html`<th class="num" title=${nameOf(a)}><span class="soft">and</span> ${j + 1}</th>`)}</tr></thead>
    <tbody>${o.audiences.map((a, i) => html`<tr key=${a.target}><th scope="row"><span class="faint">${i + 1}</span> <a href=${link("audiences", a.target)}>${nameOf(a)}</a><div class="note">generation ${number(a.generation)}, <${Time} at=${a.at} />${a.lapsed > 0 && `, ${number(a.lapsed)} lapsed`}</div></th>
      <td class="num" data-name="Members"><b>${number(a.members)}</b></td>
      ${o.both[i].map((n, j) => (i === j ? html`<td class="num self" key=${j}>–</td>`
        : html`<td class="num" key=${j} data-name=${`and ${nameOf(o.audiences[j])}`} style=${{ "--share": percent(n, a.members).toFixed(1) + "%" }} title=${`${number(n)} of the ${number(a.members)} members of ${nameOf(a)} are in ${nameOf(o.audiences[j])}`}>${number(n)}<div class="note">${share(n, a.members)}</div></td>`))}</tr>`)}</tbody></table></div>
  <//>`;
}

// Bars draws each audience within the union: who is only in it, and who is in others, too.
function Bars({ o }) {
  return html`<${Card} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${number(o.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{ flexGrow: 1 }}></i></div></div>
    ${o.audiences.map((a) => html`<div key=${a.target}><div class="small">${nameOf(a)} <span class="soft">${number(a.members)}, ${share(a.members, o.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${number(a.only)} only in ${nameOf(a)}, ${number(a.members - a.only)} in others, too`}>
        ${a.only > 0 && html`<i class="c-accepted" style=${{ flexGrow: a.only }}></i>`}${a.members > a.only && html`<i class="c-suppressed" style=${{ flexGrow: a.members - a.only }}></i>`}<i style=${{ flexGrow: o.union - a.members, minWidth: 0 }}></i></div>
      <div class="note">${number(a.only)} only here, ${number(a.members - a.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`;
}

// overlapLink leads to the overlaps of audiences.
export const overlapLink = (...targets) => "#/audiences/overlap" + query({ of: targets.join(",") });
