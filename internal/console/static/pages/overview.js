// The overview: what runs, what waits, and what needs attention.
import { html, useEffect, useMemo, useState } from "../ui.js";
import { may, post, query, readHealth, useData } from "../api.js";
import { Changed, changeOf } from "../consequence.js";
import { ago, bytes, compact, figure, number, plural } from "../format.js";
import { Chart, bars } from "../chart.js";
import { Callout, Card, Dialog, Doing, Empty, Field, Figure, Loaded, Hint, Message, Page, Since, Tabs, Time, Words, say } from "../parts.js";
import { RunState, counted as runCounts } from "../decisions.js";
import { link, setParams } from "../route.js";
import { Sorted } from "../table.js";
import { exact } from "../time.js";
import { causeOf, meanings, nameOf } from "../words.js";
import { FeedDialog } from "./audience.js";
import { isLost, nameOf as titleOf } from "./audiences.js";
import { Fix } from "./fix.js";
import { LaterJob, Unsure } from "./letteracts.js";
import { Workers } from "./workers.js";
import { Replays } from "./replays.js";
import { SwitchDialog } from "./rules.js";
import { DecisionDialog } from "./runs.js";

export function Overview({ params }) {
  const span = params.span === "day" ? "day" : "";
  const result = useData("/api/overview" + query({ span }), ["overview"]);
  // What the parts below read is asked for at once, and not when the overview has come.
  useData("/api/replays", ["replays"]);
  useData("/api/marks");
  useData("/api/workers");
  return html`<${Page} title="Overview" sub="What failed, what waits, and what happened in the last 24 hours.">
    <${Loaded} result=${result}>${(o) => html`${!o.counted && html`<${Callout} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${Needs} needs=${o.needs} lanes=${o.lanes} /><${Replays} />
      <div class="grid two-one">
        <div class="stack"><${Changes} rows=${o.changes} before=${o.before} /></div>
        <div class="stack"><${Ruled} runs=${o.rules} /><${Taken} rows=${o.taken} /></div>
      </div>
      <${Figures} o=${o} />
      <div class="grid two-one">
        <div class="stack"><${Throughput} t=${o.throughput} span=${span} /><${Hours} hours=${o.hours} /></div>
        <div class="stack"><${Platform} p=${o.platform} /><${Lanes} lanes=${o.lanes} /></div>
      </div><${Workers} />`}<//>
  <//>`;
}

function Needs({ needs, lanes }) {
  const [ask, setAsk] = useState(null);
  const close = () => setAsk(null);
  const lost = readHealth().state?.services.some((s) => s.since); // which the status line says
  if (!needs.length) return html`<${Callout} level=${lost ? "" : "good"} says=${lost ? "Nothing else needs attention." : "Nothing needs attention."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`;
  return html`<section class="card" aria-label="What needs attention"><div class="flush incidents">${needs.map((n) => html`<${Incident} key=${n.subject || n.says + n.about} n=${n} onAct=${() => setAsk(n)} />`)}</div>
    ${ask && html`<${Act} n=${ask} lanes=${lanes} onClose=${close} />`}</section>`;
}

// acts are what can be done about an incident without leaving the page, and the role for it.
const acts = { "Fix and replay": "operator", Approve: "operator", "Look now": "operator", "Approve export": "operator", "Resume lane": "admin", "Start campaign actions": "admin" };

function Act({ n, lanes, onClose }) {
  switch (n.act) {
    case "Fix and replay": return html`<${Fix} cause=${{ class: n.class, message: n.says, hint: n.hint, count: n.count }} filter=${{ group: n.subject }} onClose=${onClose} />`;
    case "Look now": return html`<${FeedDialog} feed=${n.subject} way="look" onClose=${onClose} />`;
    case "Approve export": return html`<${FeedDialog} feed=${n.subject} versions=${n.versions} way="approve" onClose=${onClose} />`;
    case "Approve": return html`<${DecisionDialog} id=${n.subject} way="approve" onClose=${onClose} onDone=${() => {}} />`;
    case "Resume lane": return html`<${Lane} lane=${lanes.find((l) => l.name === n.subject) ?? { name: n.subject, paused: "?" }} onClose=${onClose} />`;
  }
  return html`<${SwitchDialog} way="start" onClose=${onClose} onDone=${() => {}} />`;
}

// Incident says what is wrong, how often and since when, and what to do.
function Incident({ n, onAct }) {
  const acting = acts[n.act] && may(acts[n.act]);
  return html`<div class="incident ${n.level}">
    <div class="what"><div class="says">${n.class ? html`<span title=${n.class}>${causeOf(n.class)}</span>${nameOf(n.target) && `: ${nameOf(n.target, n.targetName)}`}` : html`<${Words} text=${n.says} />`}</div>
      ${n.class ? html`<div class="break"><${Doing} kind=${n.kind} target=${n.target} name=${n.targetName} />: <${Message} text=${n.says} /></div>` : n.about && html`<div class="soft"><${Words} text=${n.about} /></div>`}
      ${n.later ? html`<${LaterJob} l=${n.later} filter=${{ group: n.subject }} />` : html`<${Hint} text=${n.hint} of=${n.class} letters=${n.class && { group: n.subject }} remedies=${n.remedies} /><${Unsure} since=${n.knownSince} filter=${{ group: n.subject }} />`}</div>
    <div class="facts-line">${n.count > 0 && html`<span class="nowrap"><b>${number(n.count)}</b> ${n.of}${n.count > 1 && "s"}</span>`}${n.since && html`<${Since} at=${n.since} />`}${n.recent && html`<${Trend} counts=${n.recent} />`}</div>
    <div class="acts">${acting && html`<button class="primary small" onClick=${onAct}>${n.act} …</button>`}
      ${n.where !== "/" && html`<a class="button small" href=${"#" + n.where}>${acting ? "Details" : "Open"}</a>`}</div>
  </div>`;
}

// Trend draws how many came in each five minutes of the last hour.
function Trend({ counts }) {
  const most = Math.max(1, ...counts);
  const hour = counts.reduce((a, b) => a + b, 0);
  return html`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${plural(hour, "letter")} in the last hour`}>
    ${counts.map((c, i) => html`<rect key=${i} x=${i * 4} y=${16 - Math.max(1, (15 * c) / most)} width="3" height=${Math.max(1, (15 * c) / most)} />`)}</svg> <span class="faint small">${number(hour)} in 1 h</span></span>`;
}

function Figures({ o }) {
  const n = (state) => o.states[state] ?? 0;
  const day = o.hours.reduce((sum, h) => ({ done: sum.done + h.done, failed: sum.failed + h.failed }), { done: 0, failed: 0 });
  return html`<div class="figures">
    <${Figure} name="Throughput" meaning=${meanings.rows} value=${o.throughput.rows === null ? "–" : compact(Math.round(o.throughput.rows))} unit="rows/s" note=${o.throughput.bytes === null ? "not measured yet" : bytes(o.throughput.bytes) + "/s sent"} />
    <${Figure} name="Running" meaning=${meanings.running} value=${number(n("running"))} note=${n("retrying") ? plural(n("retrying"), "waits for its next attempt", "wait for their next attempt") : "none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${Figure} name="Queued" meaning=${meanings.queued} value=${number(n("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${Figure} name="Done in 24 h" meaning=${meanings.done} value=${number(day.done)} note="jobs" href="#/jobs?state=done" />
    <${Figure} name="Dead letters" meaning=${meanings.letters} value=${number(o.letters)} note=${day.failed ? `${number(day.failed)} failed in 24 h` : "none failed in 24 h"} href="#/letters" bad=${o.letters > 0} />
  </div>`;
}

// useMarks returns the outages and starts of workers, which change seldom.
function useMarks() {
  const result = useData("/api/marks");
  useEffect(() => {
    const timer = setInterval(() => document.hidden || result.reload(), 30_000);
    return () => clearInterval(timer);
  }, []);
  return result.data?.marks;
}

const spans = [["", "15 min"], ["day", "24 h"]];

function Throughput({ t, span }) {
  const marks = useMarks();
  const data = useMemo(() => [t.series.map((p) => p.at), t.series.map((p) => p.read), t.series.map((p) => p.accepted)], [t]);
  return html`<${Card} title="Throughput" side=${html`<${Tabs} label="Time" value=${span} onPick=${(word) => setParams({ span: word })} options=${spans} />`}>
    <${Chart} data=${data} values=${compact} min=${10} unit="rows/s" counts marks=${marks} label=${`Rows a second of all workers over the last ${span ? "24 hours" : "15 minutes"}; now ${t.rows === null ? "not known" : number(t.rows)}`}
      lines=${[["read", "--c-suppressed"], ["accepted", "--c-accepted", { filled: "--good-soft" }]]} /><//>`;
}

function Hours({ hours }) {
  const data = useMemo(() => [hours.map((h) => h.at), hours.map((h) => h.done + h.failed || null), hours.map((h) => h.failed || null)], [hours]);
  return html`<${Card} title="Finished jobs" side=${html`<span class="faint small">by hour, last 24</span>`}>
    <${Chart} height=${140} data=${data} values=${compact} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished", "--c-accepted", { paths: bars(), filled: "--c-accepted" }], ["failed", "--c-refused", { paths: bars(), filled: "--c-refused" }]]} /><//>`;
}

const audienceOf = (r) => titleOf({ target: r.target, name: r.targetName });

// Changes lists what the newest jobs have changed.
function Changes({ rows, before }) {
  return html`<${Card} title="What changed" flush side=${html`<a class="small" href="#/audiences">Audiences</a>`}>
    ${rows.length === 0 ? html`<${Empty} title=${before ? "The newest jobs have changed no audience" : "No job has changed an audience"}>${before && html`They were submitted since <${Time} at=${before} />.`}<//>` : html`<${Sorted} name="changes" rows=${rows} columns=${[["Audience", audienceOf], ["Change"], ["When", (r) => Date.parse(r.finished), true]]}>${(r) => html`<tr key=${r.id}><td><a class="id" href=${link("audiences", r.target)}>${audienceOf(r)}</a></td>
        <td class="whole"><a href=${link("jobs", r.id)}>${changeOf(r) ? html`<${Changed} r=${r} />` : `${r.kind.endsWith(".remove") ? "removal" : "upload"} of ${plural(r.accepted, "id")}; no ledger says what it changed`}</a></td><td class="num" data-name="When"><${Time} at=${r.finished} /></td></tr>`}<//>${before && html`<div class="foot">of jobs that were submitted since <${Time} at=${before} /></div>`}`}<//>`;
}

// Ruled lists the runs of rules that have changed something, or wait for approval.
function Ruled({ runs }) {
  return html`<${Card} title="What the rules did" flush side=${html`<a class="small" href="#/rules">Rules</a>`}>
    ${runs.length === 0 ? html`<${Empty} title="The rules changed nothing" />` : html`<ul class="causes">${runs.map((r) => html`<li key=${r.id}>
      <div><a class="strong" href=${link("rules", "runs", r.id)}>${r.rule ? `${r.file}/${r.rule}` : r.file}</a> <${RunState} is=${r.state} /></div>
      <div>${r.undoOf && "Undo by a person: "}${runCounts(r)}</div><div class="note"><${Time} at=${r.at} />${r.by && ` · ${r.by}`}</div></li>`)}</ul>`}<//>`;
}

// Taken lists the newest export of each feed.
function Taken({ rows }) {
  return html`<${Card} title="What feeds took" flush side=${html`<a class="small" href="#/feeds">Feeds</a>`}>
    ${rows.length === 0 ? html`<${Empty} title="No feed took an export" />` : html`<ul class="causes">${rows.map((r) => html`<li key=${r.feed}>
      <div><a class="strong" href=${link("jobs", r.job)}>${r.feed}</a>: ${r.rows > 0 ? plural(r.rows, "row") : "an export"} for <a href=${link("audiences", r.audience)}>${r.label}</a></div>
      ${isLost(r.state) && html`<div class="bad-ink">Not uploaded: its job ${r.state === "failed" ? html`has failed. ${causeOf(r.error?.class)}` : "was cancelled"}</div>`}
      <div class="note"><${Time} at=${r.at} /></div></li>`)}</ul>`}<//>`;
}

function Platform({ p }) {
  const [ask, setAsk] = useState(false);
  const statuses = Object.entries(p.answers ?? {}).sort();
  return html`<${Card} title="Platform" side=${html`<span class="badge ${p.up ? "good" : "bad"}">${p.up ? "up" : p.refused ? "login refused" : "down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${p.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${p.advertiser}</dd>
      <dt>Limit</dt><dd>${figure(p.limit)} calls/s${p.limit !== p.configured && html` <span class="tag">set by hand</span>`}
        ${may("admin") && html` <button class="bare small" onClick=${() => setAsk(true)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${p.retryAfter ? html`until <${Time} at=${p.retryAfter} />` : "no"}</dd>
      <dt>Workers</dt><dd>${number(p.workers)}</dd>
      <dt>Answers</dt><dd>${statuses.length === 0 ? html`<span class="faint">none yet</span>`
        : statuses.map(([status, n]) => html`<span class="nowrap"><span class="tag">${status === "none" ? "no answer" : status}</span> ${number(n)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${ask && html`<${Limit} p=${p} onClose=${() => setAsk(false)} />`}<//>`;
}

function Limit({ p, onClose }) {
  const [limit, setLimit] = useState("");
  const [reason, setReason] = useState("");
  const act = async () => {
    await post("/api/limit", { perSecond: Number(limit) || 0, reason });
    say(Number(limit) ? `The limit is ${figure(Number(limit))} calls a second` : "The configured limit applies again");
  };
  return html`<${Dialog} title="Calls a second" act="Set" ready=${reason.trim()} onAct=${act} onClose=${onClose}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${figure(p.configured)}.</p>
    <${Field} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${limit} onInput=${(e) => setLimit(e.target.value)} data-first /><//>
    <${Field} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} /><//>
  <//>`;
}

function Lanes({ lanes }) {
  const [ask, setAsk] = useState(null);
  return html`<${Card} title="Lanes" flush side=${may("admin") && html`<button class="bare small" onClick=${() => setAsk(lanes.find((l) => l.paused) ?? lanes[0])}>Pause or resume …</button>`}>
    <${Sorted} look="tight" name="lanes" rows=${lanes} columns=${[["Lane", (l) => l.name], ["Waiting", (l) => l.waiting, true, meanings.waiting], ["Running", (l) => l.running, true, meanings.taken], ["Oldest", (l) => l.oldest && -Date.parse(l.oldest), true]]}>${(l) => html`<tr key=${l.name}><td><span class="strong">${l.name}</span><div class="note">${l.paused ? html`<span class="bad-ink">paused by ${l.paused}</span>` : plural(l.slots, "slot") + " here"}</div></td>
        <td class="num">${number(l.waiting)}</td><td class="num">${number(l.running)}</td>
        <td class="num">${l.oldest ? html`<span title=${exact(l.oldest)}>${ago(l.oldest).replace(" ago", "")}</span>` : html`<span class="faint none">–</span>`}</td></tr>`}<//>${ask && html`<${Lane} lane=${ask} lanes=${lanes} onClose=${() => setAsk(null)} />`}<//>`;
}

// Lane pauses or resumes a lane: the given one, or, of all lanes, another one.
function Lane({ lane: first, lanes, onClose }) {
  const [lane, setLane] = useState(first);
  const [reason, setReason] = useState("");
  const verb = lane.paused ? "resume" : "pause";
  const act = async () => {
    await post(`/api/lanes/${lane.name}/${verb}`, { reason });
    say(`Lane ${lane.name} is ${verb}d`);
  };
  return html`<${Dialog} title=${`${lane.paused ? "Resume" : "Pause"} lane ${lane.name}?`} act=${lane.paused ? "Resume" : "Pause"} danger=${!lane.paused} ready=${reason.trim()} onAct=${act} onClose=${onClose}>
    ${lanes && html`<${Field} name="Lane"><select value=${lane.name} onChange=${(e) => setLane(lanes.find((l) => l.name === e.target.value))}>${lanes.map((l) => html`<option value=${l.name} selected=${l.name === lane.name}>${l.name}${l.paused ? " (paused)" : ""}</option>`)}</select><//>`}
    <p>${lane.paused ? "Workers take its jobs again." : "Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait."}</p>
    <${Field} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}
