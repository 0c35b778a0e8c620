// Dead letters: causes, list, and actions on the letters that match the filter.
import { html, useState } from "../ui.js";
import { may, post, query, useData } from "../api.js";
import { figure, number, plural } from "../format.js";
import { Callout, Card, Choice, Empty, Failure, Loading, Page, Search, Time, say } from "../parts.js";
import { setParams } from "../route.js";
import { kinds } from "./jobs.js";
import { Discard, Edit, Replay, Show } from "./letteracts.js";

const classes = ["invalid_job", "source_missing", "source_refused", "source_broken", "unauthorized", "forbidden", "not_found", "refused", "shrink", "too_many_rejects", "exhausted", "poison", "deadline"];
const step = 50;

// filterOf returns the API's filter for the parameters of the route.
const filterOf = (p) => ({ id: p.id, kind: p.kind, class: p.class, group: p.group, match: p.match });
const given = (f) => Object.fromEntries(Object.entries(f).filter(([, v]) => v));

export function Letters({ params }) {
  const filter = filterOf(params);
  const wide = { ...filter, group: "" };
  const groups = useData("/api/letters/groups" + query(wide), ["letters"]);
  const list = groups.data?.groups ?? groups.stale?.groups;
  const all = list?.reduce((n, g) => n + g.count, 0);
  const group = params.group && list?.find((g) => g.group === params.group);
  const total = params.group ? group?.count ?? 0 : all;
  const filtered = Object.keys(given(filter)).length > 0;
  return html`<${Page} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <${Running} />
    <div class="filters">
      <${Search} label="Search target or message …" value=${params.match} onText=${(match) => setParams({ match, group: "" })} />
      <${Choice} label="Class" value=${params.class} onPick=${(v) => setParams({ class: v, group: "" })} options=${[["", "All classes"], ...classes.map((c) => [c, c])]} />
      <${Choice} label="Kind" value=${params.kind} onPick=${(kind) => setParams({ kind, group: "" })} options=${[["", "All kinds"], ...kinds.map((k) => [k, k])]} />
    </div>
    ${params.id && html`<div><span class="tag">job ${params.id}</span> <button class="small bare" onClick=${() => setParams({ id: "" })}>show all jobs</button></div>`}
    ${groups.error && html`<${Failure} says=${groups.error} retry=${groups.reload} />`}
    ${!list ? !groups.error && html`<div class="card"><${Loading} /></div>` : list.length === 0
      ? html`<div class="card">${filtered ? html`<${Empty} title="No dead letter matches">Remove a filter to see other letters.<//>`
        : html`<${Empty} title="No dead letters">No job has failed.<//>`}</div>`
      : html`<${Causes} list=${list} picked=${params.group} /><${List} filter=${filter} total=${total} key=${JSON.stringify(filter)} />`}
  <//>`;
}

function Causes({ list, picked }) {
  return html`<${Card} title="Causes" flush side=${html`<span class="faint small">${plural(list.length, "cause")}, largest first</span>`}>
    <table class="cards"><thead><tr><th class="num">Letters</th><th>Cause</th><th>What</th><th class="num">Last</th><th></th></tr></thead><tbody>
      ${list.slice(0, 50).map((g) => html`<tr key=${g.group}>
        <td class="num strong" data-name="Letters">${number(g.count)}</td>
        <td class="whole"><span class="badge bad">${g.class}</span><div class="note">${g.kind} · ${g.target}</div></td>
        <td class="break whole">${g.message}</td>
        <td class="num" data-name="Last"><${Time} at=${g.last} /></td>
        <td class="right whole"><button class="small" aria-pressed=${picked === g.group} onClick=${() => setParams({ group: picked === g.group ? "" : g.group })}>${picked === g.group ? "Show all" : "Only these"}</button></td>
      </tr>`)}</tbody></table><//>`;
}

function List({ filter, total }) {
  const [pages, setPages] = useState([0]);
  const [chosen, choose] = useState({ all: false, seqs: [] });
  const [ask, setAsk] = useState(null);
  const after = pages.at(-1);
  const result = useData("/api/letters" + query({ ...filter, after: after || "", limit: step }), ["letters"]);
  const data = result.data ?? result.stale;
  const count = chosen.all ? total : chosen.seqs.length;
  const selected = chosen.all ? given(filter) : { seqs: chosen.seqs };
  const clear = () => choose({ all: false, seqs: [] });
  const toggle = (seq) => choose(({ all, seqs }) => {
    const now = all ? data.letters.map((l) => l.seq) : seqs;
    return { all: false, seqs: now.includes(seq) ? now.filter((s) => s !== seq) : [...now, seq] };
  });
  if (!data) return result.error ? html`<${Failure} says=${result.error} retry=${result.reload} />` : html`<div class="card"><${Loading} /></div>`;
  const here = data.letters.map((l) => l.seq);
  const full = chosen.all || (here.length > 0 && here.every((s) => chosen.seqs.includes(s)));
  const acts = may("operator");
  return html`<section class="card">
      <div class="top"><h2>Letters</h2>${acts && total > 0 && html`<button class="small" onClick=${() => choose({ all: true, seqs: [] })}>Select all ${number(total)} that match</button>`}</div>
      <div class="flush"><table class="cards ${acts ? "ticks" : ""}"><thead><tr>
        ${acts && html`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${full} onChange=${() => choose(full ? { all: false, seqs: [] } : { all: false, seqs: [...new Set([...chosen.seqs, ...here])] })} /></th>`}
        <th>Job</th><th>Why</th><th class="num">When</th></tr></thead><tbody>
        ${data.letters.map((l) => html`<tr key=${l.seq}>
          ${acts && html`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${l.seq}`} checked=${chosen.all || chosen.seqs.includes(l.seq)} onChange=${() => toggle(l.seq)} /></td>`}
          <td><button class="bare id small" onClick=${() => setAsk({ show: l })}>${l.id ?? "no id"}</button><div class="note">${l.kind} · ${l.target}</div></td>
          <td class="whole"><span class="badge bad">${l.class}</span> <span class="break">${l.message}</span></td>
          <td class="num" data-name="When"><${Time} at=${l.at} /><div class="note">letter ${l.seq}</div></td></tr>`)}
      </tbody></table></div>
      ${(pages.length > 1 || data.more) && html`<div class="foot"><button class="small" disabled=${pages.length < 2} onClick=${() => setPages(pages.slice(0, -1))}>Earlier</button>
        <span>page ${number(pages.length)}, oldest first</span>
        <button class="small" disabled=${!data.more} onClick=${() => setPages([...pages, here.at(-1)])}>Later</button></div>`}
    </section>
    ${acts && count > 0 && html`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${plural(count, "letter")}</b> selected${chosen.all ? ", all that match" : ""}</span>
      <button class="bare" onClick=${clear}>Clear</button>
      <button class="danger" onClick=${() => setAsk({ discard: true })}>Discard …</button>
      <button onClick=${() => setAsk({ edit: true })}>Edit …</button>
      <button class="primary" onClick=${() => setAsk({ replay: true })}>Replay …</button></div>`}
    ${ask?.show && html`<${Show} letter=${ask.show} onClose=${() => setAsk(null)} onEdit=${() => setAsk({ edit: true, letter: ask.show })} />`}
    ${ask?.replay && html`<${Replay} filter=${selected} onClose=${() => setAsk(null)} onDone=${clear} />`}
    ${ask?.discard && html`<${Discard} filter=${selected} count=${count} onClose=${() => setAsk(null)} onDone=${clear} />`}
    ${ask?.edit && html`<${Edit} filter=${ask.letter ? { seqs: [ask.letter.seq] } : selected} letter=${ask.letter ?? (chosen.seqs.length === 1 && data.letters.find((l) => l.seq === chosen.seqs[0]))}
      onClose=${() => setAsk(null)} onDone=${clear} />`}`;
}

// Running lists the replays that run or ended in the last ten minutes.
function Running() {
  const result = useData("/api/replays", ["replays"]);
  const [hidden, hide] = useState([]);
  const now = Date.now();
  const shown = (result.data?.replays ?? []).filter((r) => !hidden.includes(r.id) && (!r.finished || now - new Date(r.finished) < 10 * 60_000));
  return shown.map((r) => {
    const done = r.report.replayed + r.report.skipped;
    return html`<section class="card" key=${r.id}><div class="body replay">
      <div class="head"><b class="title">${r.finished ? (r.error ? "Replay failed" : r.stopped ? "Replay stopped" : "Replay finished") : "Replaying …"}</b>
        <span class="soft">by ${r.by}, <${Time} at=${r.started} />${r.rate ? `, ${figure(r.rate)} a second` : ""}</span>
        ${!r.finished && may("operator") && html`<button class="small danger" onClick=${() => post(`/api/replays/${r.id}/stop`).catch((e) => say(e.message, true))}>Stop</button>`}
        ${r.finished && html`<button class="small bare" onClick=${() => hide([...hidden, r.id])}>Hide</button>`}</div>
      <progress max=${Math.max(r.report.planned, 1)} value=${r.finished && !r.stopped && !r.error ? Math.max(r.report.planned, 1) : done} aria-label="Replayed"></progress>
      <div class="small soft">${number(r.report.replayed)} of ${number(r.report.planned)} replayed${r.report.skipped ? `, ${number(r.report.skipped)} skipped` : ""}${r.report.failedAgain ? html`, <span class="bad-ink">${number(r.report.failedAgain)} failed again</span>` : ""}${r.stopped ? "; the other letters were kept" : ""}</div>
      ${r.report.left?.length > 0 && html`<details class="small"><summary>Why letters were skipped</summary>${r.report.left.map((l) => html`<div class="break">${l.id ?? `letter ${l.seq}`}: ${l.why}</div>`)}</details>`}
      ${r.error && html`<${Callout} level="bad" says=${r.error} />`}
    </div></section>`;
  });
}
