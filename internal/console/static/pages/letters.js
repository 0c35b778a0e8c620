// Dead letters: causes, list, and actions on the letters that match the filter.
import { html, useEffect, useState } from "../ui.js";
import { may, query, useData } from "../api.js";
import { number, plural } from "../format.js";
import { Card, Choice, Doing, Empty, Failure, Hint, Loading, Message, Page, Search, Time } from "../parts.js";
import { setParams } from "../route.js";
import { Sorted } from "../table.js";
import { causeOf, causes, meanings } from "../words.js";
import { Fix } from "./fix.js";
import { kindChoices } from "./jobs.js";
import { Discard, Edit, LaterJob, Show, Unsure, undone } from "./letteracts.js";
import { Replays } from "./replays.js";

const step = 50;
const knownStarts = 20; // of pages, that stand in the address
const onPage = "Sort the rows on this page";

// filterOf returns the API's filter for the parameters of the route.
const filterOf = (p) => ({ id: p.id, kind: p.kind, class: p.class, group: p.group, match: p.match, replay: p.replay });
const given = (f) => Object.fromEntries(Object.entries(f).filter(([, v]) => v));

// narrow changes the filter. The list begins again at its first page.
const narrow = (change) => setParams({ after: "", page: "", ...change });

const pathOf = (filter, after) => "/api/letters" + query({ ...filter, after, limit: step });

export function Letters({ params }) {
  const filter = filterOf(params);
  const wide = { ...filter, group: "" };
  const groups = useData("/api/letters/groups" + query(wide), ["letters"]);
  // What the list and the replays read is asked for at once, and not when the causes have come. All of it is
  // drawn at the same time: on a phone it is one below the other, and would jump.
  const first = useData(pathOf(filter, pagesOf(params).after), ["letters"]);
  const replays = useData("/api/replays", ["replays"]);
  const come = [first, replays].every((r) => r.data || r.stale || r.error);
  const list = come && (groups.data?.groups ?? groups.stale?.groups);
  const all = list ? list.reduce((n, g) => n + g.count, 0) : 0;
  const group = list && list.find((g) => g.group === params.group);
  const total = params.group ? group?.count ?? 0 : all;
  const filtered = Object.keys(given(filter)).length > 0;
  return html`<${Page} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <div class="filters">
      <${Search} label="Search target or message …" value=${params.match} onText=${(match) => narrow({ match, group: "" })} />
      <${Choice} label="Cause" value=${params.class} onPick=${(v) => narrow({ class: v, group: "" })} options=${[["", "All causes"], ...Object.entries(causes).map(([c, { title }]) => [c, title])]} />
      <${Choice} label="Kind" value=${params.kind} onPick=${(kind) => narrow({ kind, group: "" })} options=${kindChoices} />
    </div>
    ${params.replay && html`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${() => narrow({ replay: "" })}>show all letters</button></div>`}
    ${params.id && html`<div><span class="tag">job ${params.id}</span> <button class="small bare" onClick=${() => narrow({ id: "" })}>show all jobs</button></div>`}
    ${groups.error && html`<${Failure} says=${groups.error} retry=${groups.reload} />`}
    ${!list ? !groups.error && html`<div class="card"><${Loading} /></div>` : list.length === 0
      ? html`<${Replays} /><div class="card">${filtered ? html`<${Empty} title="No dead letter matches">Remove a filter to see other letters.<//>`
        : html`<${Empty} title="No dead letters">No job has failed.<//>`}</div>`
      : html`<div class="grid two-one letters"><div class="stack"><${List} filter=${filter} total=${total} reasons=${list.length} params=${params} key=${JSON.stringify(filter)} /></div>
        <div class="stack"><${Replays} ended=${false} /><${Causes} list=${list} filter=${given(wide)} picked=${params.group} /><${Replays} running=${false} /></div></div>`}
  <//>`;
}

function Causes({ list, filter, picked }) {
  const [ask, setAsk] = useState(null);
  const [discard, setDiscard] = useState(null);
  const [all, showAll] = useState(false);
  const first = all ? list : list.slice(0, 8);
  return html`<${Card} title="Causes" flush side=${html`<span class="faint small">${plural(list.length, "cause")}${list.length > 1 ? ", what costs most first" : ""}</span>`}>
    <ul class="causes">${first.map((g) => html`<li key=${g.group}>
        <div><b title=${g.class}>${causeOf(g.class)}</b> <span class="tag" title=${meanings.letters}>${plural(g.count, "letter")}</span></div>
        <div class="note"><${Doing} kind=${g.kind} target=${g.target} name=${g.targetName} /> · last <${Time} at=${g.last} /></div>
        <div class="break"><${Message} text=${g.message} /></div>${isOver(g) ? html`<${LaterJob} l=${g.later} filter=${{ group: g.group }} />` : html`<${Hint} text=${g.hint} of=${g.class} letters=${{ group: g.group }} remedies=${g.remedies} />${partOf(g) && html`<div class="note">${partOf(g)}</div>`}<${Unsure} since=${g.knownSince} filter=${{ group: g.group }} />`}
        <div class="acts-line">${may("operator") && (isOver(g) ? html`<button class="small danger" onClick=${() => setDiscard(g)} aria-label=${`Discard ${plural(g.count, "letter")}: ${g.message}`}>Discard …</button>` : html`<button class="small" onClick=${() => setAsk(g)} aria-label=${`Fix and replay ${plural(g.count, "letter")}: ${g.message}`}>Fix and replay …</button>`)}
          <button class="small" aria-pressed=${picked === g.group} onClick=${() => narrow({ group: picked === g.group ? "" : g.group })}>${picked === g.group ? "Show all" : "Only these"}</button></div>
      </li>`)}</ul>
    ${list.length > first.length && html`<div class="foot"><button class="small" onClick=${() => showAll(true)}>Show all ${number(list.length)} causes</button></div>`}
    ${ask && html`<${Fix} cause=${ask} filter=${{ ...filter, group: ask.group }} onClose=${() => setAsk(null)} />`}
    ${discard && html`<${Discard} filter=${{ ...filter, group: discard.group }} count=${discard.count} why=${discard.later.why} onClose=${() => setDiscard(null)} onDone=${() => {}} />`}<//>`;
}

// isOver reports whether nothing is left to do with a cause: later jobs have done it, or have done something that a
// replay of any of its jobs would undo.
const isOver = (g) => (g.needless ?? 0) + (g.superseded ?? 0) === g.count;

// partOf says of how many letters of a cause nothing is left to do.
const partOf = (g) => [g.needless && `${number(g.needless)} of them can be discarded: ${g.needless === 1 ? "a later job has" : "later jobs have"} done what they should do`, g.superseded && `${number(g.superseded)} of them would undo what later jobs did`].filter(Boolean).join("; ");

// kept are the selections of lists by their filters, so that one survives a visit to another page.
const kept = new Map();
const none = { all: false, seqs: [] };

// present returns the selected numbers without those that a page of the list shows to be gone.
// A number before the page's first one may be newer than the page: an edited letter gets a new one.
function present(seqs, data) {
  const here = data.letters.map((l) => l.seq);
  const newest = here[0] ?? Infinity;
  const oldest = data.more ? here.at(-1) ?? Infinity : 0;
  return seqs.filter((s) => here.includes(s) || s < oldest || s > newest);
}

// pagesOf returns the number of the page of letters in the address, the letters before which it and
// some pages before it begin, and the addresses of its neighbours.
function pagesOf(params) {
  const starts = (params.after ?? "").split(",").filter(Boolean);
  const page = starts.length ? Math.max(2, Number(params.page) || 2) : 1;
  const at = (list, n) => "#/letters" + query({ ...params, after: list.slice(-knownStarts).join(), page: list.length ? n : "" });
  return {
    page, after: starts.at(-1) ?? "",
    earlier: page > 1 && at(starts.slice(0, -1), page - 1),
    later: (last) => at([...starts, last], page + 1),
  };
}

function List({ filter, total, reasons, params }) {
  const { page, after, earlier, later } = pagesOf(params);
  const place = JSON.stringify(filter);
  const chosen = kept.get(place) ?? none;
  const [, redraw] = useState(0);
  const choose = (now) => { // also after the list is gone, because its last letter was replayed
    kept.set(place, now);
    redraw((n) => n + 1);
  };
  const [ask, setAsk] = useState(null);
  const result = useData(pathOf(filter, after), ["letters"]);
  const data = result.data ?? result.stale;
  const count = chosen.all ? total : chosen.seqs.length;
  const selected = chosen.all ? given(filter) : { seqs: chosen.seqs };
  const clear = () => choose(none);
  const toggle = (seq) => {
    const now = chosen.all ? data.letters.map((l) => l.seq) : chosen.seqs;
    choose({ all: false, seqs: now.includes(seq) ? now.filter((s) => s !== seq) : [...now, seq] });
  };
  useEffect(() => {
    const now = kept.get(place) ?? none; // an edit may have given it new numbers since this was drawn
    if (!result.data || now.all) return;
    const left = present(now.seqs, result.data);
    if (left.length < now.seqs.length) choose({ all: false, seqs: left });
  }, [result.data]);
  if (!data) return result.error ? html`<${Failure} says=${result.error} retry=${result.reload} />` : html`<div class="card"><${Loading} /></div>`;
  const here = data.letters.map((l) => l.seq);
  const full = chosen.all || (here.length > 0 && here.every((s) => chosen.seqs.includes(s)));
  const acts = may("operator");
  return html`${result.error && html`<${Failure} says=${result.error} retry=${result.reload} />`}<section class="card" inert=${!result.data} aria-busy=${!result.data}>
      <div class="top"><h2>Letters</h2><button class="bare small below" onClick=${() => document.querySelector(".causes").scrollIntoView()}>${plural(reasons, "cause")} ↓</button>${acts && total > 0 && html`<button class="small" onClick=${() => choose({ all: true, seqs: [] })}>Select all ${number(total)} that match</button>`}</div>
      <div class="flush"><${Sorted} look=${`cards ${acts ? "ticks" : ""}`} rows=${data.letters} columns=${[["Job", (l) => l.id, false, onPage], ["Why", (l) => l.class, false, onPage], ["When", (l) => Date.parse(l.at), true, onPage]]}
        first=${acts && html`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${full} onChange=${() => choose(full ? none : { all: false, seqs: [...new Set([...chosen.seqs, ...here])] })} /></th>`}>${(l) => html`<tr key=${l.seq}>
          ${acts && html`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${l.seq}`} checked=${chosen.all || chosen.seqs.includes(l.seq)} onChange=${() => toggle(l.seq)} /></td>`}
          <td><button class="bare id small" onClick=${() => setAsk({ show: l })}>${l.id ?? "no id"}</button><div class="note"><${Doing} kind=${l.kind} target=${l.target} name=${l.targetName} /></div></td>
          <td class="whole"><b title=${l.class}>${causeOf(l.class)}</b><div class="break"><${Message} text=${l.message} /></div>${l.later && html`<div class="note break">${l.later.needless ? html`<span class="good-ink">Can be discarded</span>: ${l.later.why}` : `Superseded: ${undone(l.later)}`}</div>`}${l.knownSince && html`<div class="note">Not known here whether a later job has done it</div>`}</td>
          <td class="num" data-name="When"><div><${Time} at=${l.at} /><div class="note">letter ${l.seq}</div></div></td></tr>`}<//></div>
      ${here.length === 0 && html`<${Empty} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(page > 1 || data.more) && html`<div class="foot"><span class="acts">${earlier ? html`<a class="button small" href=${earlier}>Newer</a>` : html`<button class="small" disabled>Newer</button>`}</span>
        <span>page ${number(page)}${total > step ? ` of ${number(Math.max(page, Math.ceil(total / step)))}` : ""}, newest first</span>
        <span class="acts">${data.more ? html`<a class="button small" href=${later(here.at(-1))}>Older</a>` : html`<button class="small" disabled>Older</button>`}</span></div>`}
    </section>
    ${acts && count > 0 && html`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${plural(count, "letter")}</b> selected${chosen.all ? ", all that match" : ""}</span>
      <button class="bare" onClick=${clear}>Clear</button>
      <button class="danger" onClick=${() => setAsk({ discard: true })}>Discard …</button>
      <button onClick=${() => setAsk({ edit: true })}>Edit …</button>
      <button class="primary" onClick=${() => setAsk({ fix: true })}>Fix and replay …</button></div>`}
    ${ask?.fix && html`<${Fix} filter=${selected} onClose=${() => setAsk(null)} onDone=${clear} />`}
    ${ask?.show && html`<${Show} letter=${ask.show} onClose=${() => setAsk(null)} onEdit=${() => setAsk({ edit: true, letter: ask.show })} onDiscard=${() => setAsk({ discard: true, letter: ask.show })} />`}
    ${ask?.discard && html`<${Discard} filter=${ask.letter ? { seqs: [ask.letter.seq] } : selected} count=${ask.letter ? 1 : count} why=${ask.letter?.later?.why} onClose=${() => setAsk(null)} onDone=${clear} />`}
    ${ask?.edit && html`<${Edit} filter=${ask.letter ? { seqs: [ask.letter.seq] } : selected} letter=${ask.letter ?? (chosen.seqs.length === 1 && data.letters.find((l) => l.seq === chosen.seqs[0]))}
      onClose=${() => setAsk(null)} onDone=${(now) => !ask.letter && !chosen.all && choose({ all: false, seqs: now })} />`}`;
}
