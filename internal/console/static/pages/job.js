// One job, updated live.
import { html, useEffect, useRef, useState } from "../ui.js";
import { may, post, query, useData } from "../api.js";
import { changeOf } from "../consequence.js";
import { bytes, number, plural, span } from "../format.js";
import { Callout, Card, Dialog, Doing, Field, Loaded, Message, Page, State, Time, say } from "../parts.js";
import { Tally } from "../tally.js";
import { Timeline } from "../timeline.js";
import { Sorted } from "../table.js";
import { link } from "../route.js";
import { causeOf, meanings, nameOf, reasonOf } from "../words.js";
import { Fix } from "./fix.js";
import { Discard, LaterJob, Unsure } from "./letteracts.js";
import { Understood } from "./understood.js";

const ended = (state) => ["done", "failed", "cancelled"].includes(state);

// useJob returns a job, kept up to date, and its parts on a page: a line below the title, and buttons.
function useJob(id) {
  const result = useData("/api/jobs/" + encodeURIComponent(id), ["job " + id]);
  const [ask, setAsk] = useState("");
  const r = result.data?.record;
  const letter = result.data?.letter;
  const open = r && !ended(r.state);
  // Why a job waits may change although its record does not, and an announcement may be lost.
  useEffect(() => {
    const timer = open && setInterval(result.reload, 15000);
    return () => clearInterval(timer);
  }, [open, id]);
  const fix = letter && !letter.later && may("operator") && (() => setAsk("fix"));
  const drop = letter?.later && may("operator") && (() => setAsk("discard"));
  const sub = r && html`<${State} is=${r.state} /> <${Doing} kind=${r.kind} target=${result.data.target} name=${r.targetName} />${r.run > 1 ? ` · run ${r.run}` : ""}`;
  const acts = r && html`
    ${fix && html`<button class="primary" onClick=${fix}>Fix and replay …</button>`}
    ${drop && html`<button class="danger" onClick=${drop}>Discard its letter …</button>`}
    ${letter && html`<a class="button" href=${"#/letters" + query({ id })}>Dead letter</a>`}
    ${!ended(r.state) && may("operator") && html`<button class="danger" onClick=${() => setAsk("cancel")}>Cancel job</button>`}`;
  const body = html`<${Loaded} result=${result}>${(page) => html`<${Body} page=${page} onFix=${fix} />`}<//>
    ${ask === "cancel" && html`<${Cancel} ids=${[id]} onClose=${() => setAsk("")} onDone=${result.reload} />`}
    ${ask === "fix" && html`<${Fix} cause=${{ ...r.error, count: 1 }} filter=${{ id }} onClose=${() => setAsk("")} onDone=${result.reload} />`}
    ${ask === "discard" && html`<${Discard} filter=${{ id }} count=${1} why=${letter?.later?.why} onClose=${() => setAsk("")} onDone=${result.reload} />`}`;
  return { sub, acts, body };
}

export function Job({ id }) {
  const { sub, acts, body } = useJob(id);
  return html`<${Page} title=${id} crumb=${html`<a href="#/jobs">Jobs</a>`} sub=${sub} acts=${acts}>${body}<//>`;
}

// Drawer shows a job beside the list. It has an address of its own: job=ID behind the filters.
export function Drawer({ id, onClose }) {
  const { sub, acts, body } = useJob(id);
  const head = useRef(null);
  useEffect(() => {
    head.current?.focus({ preventScroll: true });
    const close = (e) => { if (e.key === "Escape" && !document.querySelector("dialog[open]")) onClose(); };
    window.addEventListener("keydown", close);
    return () => { window.removeEventListener("keydown", close); document.querySelector(`a.id[href$="job=${CSS.escape(encodeURIComponent(id))}"]`)?.focus({ preventScroll: true }); };
  }, []);
  return html`<aside class="drawer" aria-label=${`Job ${id}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${head}>${id}</h2><div class="sub">${sub}</div></div>
      <div class="acts">${acts}<a class="button" href=${link("jobs", id)}>Open page</a><button class="bare" onClick=${onClose} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${body}</div></aside>`;
}

// Cancel asks for a reason and cancels jobs.
export function Cancel({ ids, onClose, onDone }) {
  const [reason, setReason] = useState("");
  const title = ids.length === 1 ? "Cancel this job?" : `Cancel ${plural(ids.length, "job")}?`;
  const act = async () => {
    if (ids.length === 1) {
      await post(`/api/jobs/${encodeURIComponent(ids[0])}/cancel`, { reason });
      say(`Job ${ids[0]} is cancelled`);
    } else {
      const { cancelled, left } = await post("/api/jobs/cancel", { ids, reason });
      say(`${plural(cancelled, "job")} cancelled${left.length ? `; ${number(left.length)} not: ${left[0].why}` : ""}`, left.length > 0);
    }
    onDone();
  };
  return html`<${Dialog} title=${title} act=${ids.length === 1 ? "Cancel job" : `Cancel ${plural(ids.length, "job")}`} dismiss=${ids.length === 1 ? "Keep job" : "Keep jobs"} danger onClose=${onClose} onAct=${act}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Field} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//><//>`;
}

function Body({ page, onFix }) {
  const r = page.record;
  const job = r.job ?? {};
  const change = changeOf({ ...r, accepted: r.tally.accepted, dryRun: job.dryRun });
  return html`
    ${r.consequence && html`<${Callout} level=${r.consequence.large ? "bad" : ""} says=${html`<span class="named">${nameOf(page.target, r.targetName)}: ${change}</span>`} hint=${r.consequence.large ? removal(r.consequence, job) : ""} />`}
    ${r.error && html`<${Failed} r=${r} letter=${page.letter} onFix=${onFix} />`}
    ${r.why && !ended(r.state) && html`<${Callout} level=${r.state === "running" ? "" : "warn"} says=${r.why} hint=${{ queued: "The job has not started for this reason.", retrying: "The job waits for this before its next attempt." }[r.state]}>${r.waitsFor?.job && html`<div class="hint">Job <a class="id" href=${link("jobs", r.waitsFor.job)}>${r.waitsFor.job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${page.parts?.length || r.parts.total > 1 ? html`<${Parts} r=${r} parts=${page.parts ?? []} />` : null}
        ${(r.tally.read > 0 || counts(r)) && html`<${Card} title="Where every row went" side=${job.dryRun && html`<span class="tag">dry run</span>`}><${Tally} tally=${r.tally} dryRun=${job.dryRun} /><//>`}
        ${r.warnings.length > 0 && html`<${Card} title="Warnings" flush><${Sorted} name="warnings" rows=${r.warnings} columns=${[["What", (w) => w.description], ["Times", (w) => w.count, true]]}>${(w) => html`<tr><td class="break whole" title=${w.code}><${Message} text=${w.description} /></td><td class="num" data-name="Times">${number(w.count)}</td></tr>`}<//><//>`}
        ${r.samples.length > 0 && html`<${Samples} all=${r.samples} />`}
        <${Card}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(job, null, 2)}</pre></details><//>
      </div>
      <div class="stack"><${Facts} r=${r} target=${page.target} />${r.understood && html`<${Understood} u=${r.understood} />`}<${Timeline} r=${r} history=${page.history} /></div>
    </div>`;
}

// Failed says why a job has failed, and what is left to do.
function Failed({ r, letter, onFix }) {
  const says = html`<span title=${r.error.class}>${causeOf(r.error.class)}</span>: <${Message} text=${r.error.message} />`;
  if (letter?.later) return html`<${Callout} level=${letter.later.needless ? "" : "bad"} says=${says}><${LaterJob} l=${letter.later} filter=${{ id: r.id }} /><//>`;
  if (!letter) return html`<${Callout} says=${says} hint="Its dead letter was discarded, so that it cannot be replayed: publish the job again, under a new id, if it is still needed." />`;
  return html`<${Callout} level="bad" says=${says} hint=${r.error.hint} of=${r.error.class} onFix=${onFix} letters=${{ id: r.id }} remedies=${letter.remedies}><${Unsure} since=${letter.knownSince} filter=${{ id: r.id }} /><//>`;
}

// removal says how many of the members a mirror has removed, and how many it may remove without force.
function removal({ added, removed, now }, job) {
  const share = Math.floor((1000 * removed) / (now - added + removed)) / 10;
  const most = job.maxRemovePercent ?? 20;
  return `It ${job.dryRun ? "would remove" : "has removed"} ${share} % of the members${share > most ? `. Without force, it may remove ${most} %` : `, more than half of the ${most} % that it may remove`}. If that is not right, usher ledger rollback brings back the generation before.`;
}

// counts reports whether the tally of an ended job is worth showing even if it is empty.
const counts = (r) => ["segment.add", "segment.remove", "segment.mirror", "target.add", "target.replace", "target.mirror"].includes(r.kind) && ended(r.state) && r.state === "done";

function Samples({ all }) {
  const [whole, setWhole] = useState(false);
  const few = 6;
  return html`<${Card} title="Samples of dropped rows" flush side=${html`<span class="faint small">masked</span>`}>
    <${Sorted} look="" name="samples" rows=${all.slice(0, whole ? all.length : few)} columns=${[["Row", (s) => s.row, true], ["Dropped as", (s) => s.reason], ["Masked"]]}>${(s) => html`<tr><td class="num">${number(s.row)}</td><td title=${s.reason}>${reasonOf(s.reason)}</td><td class="mono break">${s.masked}</td></tr>`}<//>
    ${!whole && all.length > few && html`<div class="foot"><span>${few} of ${number(all.length)}</span><button class="small" onClick=${() => setWhole(true)}>Show all</button></div>`}<//>`;
}

function Parts({ r, parts }) {
  const by = new Map(parts.map((p) => [p.number, p]));
  const { total, done } = r.parts;
  const crashed = r.crashedParts ?? [];
  return html`<${Card} title="Parts" side=${html`<span class="soft">${number(done)} of ${number(total)} done</span>`}>
    <progress max=${total} value=${done} aria-label="Parts done"></progress>
    <div class="parts" style=${{ marginTop: "12px" }} aria-hidden="true">${Array.from({ length: total }, (_, i) => {
      // The records of parts are deleted once all parts are done.
      const p = by.get(i) ?? (done === total ? { state: "done", read: null } : undefined);
      return html`<i key=${i} class=${p?.state ?? ""} title=${`part ${i + 1}: ${p ? p.state + (p.read === null ? "" : `, ${number(p.read)} rows`) : "waiting"}`}></i>`;
    })}</div>
    ${crashed.length > 0 && html`<p class="small soft" style=${{ marginTop: "12px" }}>Workers crashed while they ran ${crashed.slice(0, 5).map((p, i) => html`${i > 0 && ", "}part ${number(p.part + 1)} <b class="bad-ink">${p.crashes === 1 ? "once" : `${number(p.crashes)} times`}</b>`)}${crashed.length > 5 && " and others"}. Each ${ended(r.state) ? "went" : "goes"} on where it stopped.</p>`}<//>`;
}

function Facts({ r, target }) {
  const campaign = r.kind.startsWith("segment.") || r.kind.startsWith("rules.") ? "" : target.split(" ")[1];
  return html`<${Card} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${campaign ? html`<a href=${link("campaigns", campaign)}>${nameOf(target)}</a>` : r.kind.startsWith("segment.") ? html`<a href=${link("audiences", target)}>${nameOf(target, r.targetName)}</a>` : nameOf(target)}</dd>
    ${r.publisher && html`<dt>Publisher</dt><dd>token ${r.publisher}, over HTTP</dd>`}
    <dt>Submitted</dt><dd><${Time} at=${r.submitted} /></dd>
    ${r.started && html`<dt>Started</dt><dd><${Time} at=${r.started} /></dd>`}
    ${r.finished && html`<dt>Finished</dt><dd><${Time} at=${r.finished} />${r.started && html` <span class="faint">after ${span((new Date(r.finished) - new Date(r.started)) / 1000)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${number(r.attempts)}${r.crashes > 0 && html`, <span class="bad-ink">${plural(r.crashes, "crash", "crashes")}</span>`}</dd>
    ${r.batches > 0 && html`<dt>Sent</dt><dd>${plural(r.batches, "batch", "batches")}, ${bytes(r.bytes)}</dd>`}
    ${r.distinct > 0 && html`<dt>Distinct ids</dt><dd>${r.kind.endsWith(".mirror") ? "" : "about "}${number(r.distinct)}</dd>`}
    ${r.new !== undefined && html`<dt title=${meanings.new}>New</dt><dd>${r.new ? number(r.new) : "none: all were members before"}</dd>`}
    ${(r.numberOfIds.before > 0 || r.numberOfIds.after > 0) && html`<dt>On the platform</dt><dd>${number(r.numberOfIds.before)} before, ${number(r.numberOfIds.after)} after</dd>`}
    ${r.job?.actor && html`<dt>Actor</dt><dd>${r.job.actor}</dd>`}
    ${r.job?.reason && html`<dt>Reason</dt><dd>${r.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit" + query({ job: r.id })}>In the audit</a></dd>
  </dl><//>`;
}
