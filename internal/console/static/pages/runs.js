// A run of rules with its decisions, and the history of a creative.
import { html, useState } from "../ui.js";
import { get, may, post, query, useData } from "../api.js";
import { amountsOf, figure, number, plural } from "../format.js";
import { Callout, Card, Dialog, Empty, Field, InTerminal, Loaded, Page, Time, say } from "../parts.js";
import { KeepActs, KeptBy } from "./keep.js";
import { Action, Figures, Paused, RunState, Subject, changed, counted, didOf, isStopped, moved, reasonOf, together, wouldBe } from "../decisions.js";
import { link } from "../route.js";
import { Sorted } from "../table.js";
import { exact } from "../time.js";
import { countApprovable, isApprovable, modeOf, numbers, statusOf } from "../words.js";

// waiting says how much of a held run waits.
const waiting = (run) => {
  const done = run.jobs?.length > 0 ? moved(run) : 0, n = countApprovable(run);
  return done ? `${plural(done, "change")} of this run ${done === 1 ? "has its job" : "have their jobs"}, and ${number(n)} ${n === 1 ? "waits" : "wait"} for approval` : "This run waits for approval";
};

// Judged says what became of a run that was held, or why it did nothing.
const Judged = ({ run }) => (["approved", "rejected"].includes(run.state)
  ? html`<${Callout} level=${run.state === "approved" ? "good" : ""} says=${html`${run.state === "approved" ? "Approved" : "Rejected"} by ${run.by || "somebody"}, <${Time} at=${run.judged ?? run.at} />`} hint=${`It was held: ${run.why}`} />`
  : html`<${Callout} says=${run.why} />`);

// What is known of a run without decisions, by the state of its job.
const undecided = {
  failed: ["bad", "It decided nothing: its job failed"],
  cancelled: ["", "It decided nothing: its job was cancelled"],
  done: ["", "No decisions of it are on record", "Its job says so if no rule was in scope. A run that changed nothing is kept for two days."],
};

// Undecided stands for a run whose job has not decided, or no longer has decisions.
function Undecided({ id, job }) {
  const [level, says, hint] = undecided[job.state] ?? ["", "It has not decided yet", "This page shows its decisions as soon as there are some."];
  return html`<${Callout} level=${level} says=${says} hint=${hint}><div class="acts-line"><a class="button small" href=${link("jobs", id)}>Its job</a></div><//>`;
}

export function Run({ id }) {
  const result = useData("/api/rules/runs/" + encodeURIComponent(id), ["rules", "job " + id]);
  const [ask, setAsk] = useState("");
  const run = result.data?.run;
  const held = run?.state === "held";
  const acts = run && may("operator") && html`
    ${held && html`<button class="primary" onClick=${() => setAsk("approve")}>Approve …</button><button class="danger" onClick=${() => setAsk("reject")}>Reject …</button>`}
    ${run.jobs?.length > 0 && html`<button onClick=${() => setAsk("undo")}>${result.data.undone.length ? "Undo again …" : "Undo …"}</button>`}`;
  return html`<${Page} title=${id} crumb=${html`<a href="#/rules">Rules</a>`} sub=${run && html`<${RunState} is=${run.state} /> ${run.undoOf ? `undoes ${run.undoOf}` : run.file} · ${counted(run)}`} acts=${acts}>
    <${Loaded} result=${result}>${(p) => p.run === null ? html`<${Undecided} id=${id} job=${p.job} />` : html`
      ${p.undone.map((u) => html`<${Callout} key=${u.id} says=${html`Undone by ${u.by || "somebody"}, <${Time} at=${u.at} />`}><div class="acts-line"><a class="button small" href=${link("rules", "runs", u.id)}>What was undone</a></div><//>`)}
      ${held && html`<${Callout} level="warn" says=${waiting(p.run)} hint=${p.run.why} />`}
      ${p.run.warnings?.length > 0 && html`<${Callout} level="warn" says=${isStopped(p.run) ? "The stop switch held back changes of this run" : `${plural(p.run.warnings.length, "change")} not carried out by the approval`}><ul class="small">${p.run.warnings.slice(0, 20).map((w) => html`<li class="break">${w.description}</li>`)}</ul><//>`}
      ${!held && p.run.why && html`<${Judged} run=${p.run} />`}
      <div class="grid two-one">
        <${Decisions} run=${p.run} all=${p.decisions} more=${p.more} />
        <${Card} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${p.run.account}</dd>
          <dt>As of</dt><dd>${exact(p.run.asOf)}</dd>
          <dt>Decided</dt><dd><${Time} at=${p.run.at} /></dd>
          ${p.run.by && html`<dt>By</dt><dd>${p.run.by}${p.run.reason && `: ${p.run.reason}`}</dd>`}
          ${p.run.jobs?.length > 0 && html`<dt>Jobs</dt><dd>${p.run.jobs.slice(0, 20).map((j) => html`<div class="break"><a href=${link("jobs", j)}>${j}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${ask && html`<${DecisionDialog} id=${id} way=${ask} onClose=${() => setAsk("")} onDone=${result.reload} />`}
  <//>`;
}

// stillHeld reports whether a decision stayed held after the last approval of a part.
const stillHeld = (run, d) => run.state !== "approved" && (!run.approvals?.length || run.approvals.at(-1).waiting.includes(subjectOf(d)));

// isApproved reports whether a held decision was approved.
const isApproved = (run, d) => isApprovable(d) && !d.left && !stillHeld(run, d);

function Decisions({ run, all, more }) {
  return html`<${Card} title="Decisions" flush>${all.length === 0 ? html`<${Empty} title="Nothing to change">What stays as it is is counted but not listed.<//>`
    : html`<${Sorted} rows=${together(all)} columns=${[[all.every((d) => d.bidding) ? "Number" : "Creative", (d) => d.creative || d.campaign], ["Action", (d) => d.action], ["Why", (d) => d.rule]]}>${(d) => html`<tr key=${d.key}>
        <td><${Subject} d=${d} /></td>
        <td><${Action} is=${isApproved(run, d) ? d.wants : d.action} />${isApproved(run, d) ? html`<div class="note">approved</div>` : d.wants && html`<div class="note">${wouldBe(d)}</div>`}${d.notice && html`<div class="note">notifies</div>`}</td>
        <td class="whole"><${Reasons} d=${d} /></td></tr>`}<//>
      ${more > 0 && html`<div class="foot">${number(more)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`;
}

// Reasons shows a decision's reason, its metrics, and each step of the condition.
function Reasons({ d }) {
  return html`<div class="break">${reasonOf(d)}</div><${Figures} metrics=${d.metrics} />
    ${d.values?.length > 0 && html`<details class="small"><summary>${plural(d.values.length, "step")} of ${d.rule}</summary>
      ${d.values.map((v) => html`<div class="break"><code>${v.expression}</code> = ${isNaN(v.result) ? v.result : figure(Number(v.result))}</div>`)}</details>`}`;
}

const questions = {
  approve: ["Approve this run?", "Approve", "What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the report as it is now."],
  reject: ["Reject this run?", "Reject", "Its decisions are not carried out. The next run decides again."],
  undo: ["Undo this run?", "Undo", "Creatives that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."],
};

const subjectOf = (d) => `${d.campaign}/${d.bidding?.field ?? d.creative}`;

const Wanted = ({ d }) => d.parts ? html`<b>${d.wants}</b> <${Subject} d=${d} />` : html`<b>${d.wants}</b> ${d.bidding ? `${numbers[d.bidding.field]} ${changed(d.bidding)}` : d.creative}<div class="note">${d.campaign}</div>`;

// Stake says what was spent on what waits.
const Stake = ({ s }) => html`<p><b>Spend at stake: ${s.known < s.of ? (Object.keys(s.gross).length ? `at least ${amountsOf(s.gross)}` : "not known") : amountsOf(s.gross)}</b> <span class="soft">spent on what would change, from ${s.from} to ${s.to}${s.known < s.of && `; the report has all of it on ${s.known} of ${s.of} days`}</span></p>`;

// Standings says it of each part of a decision, once if it is the same.
const Standings = ({ d, of }) => [...new Map((d.parts ?? [d]).map((p) => of?.[subjectOf(p)]).map((s) => [JSON.stringify(s), s])).values()].slice(0, 5).map((s) => html`<${Standing} s=${s} />`);

// Standing says that a held decision is no longer wanted, or cannot be decided now.
function Standing({ s }) {
  if (!s || s.is === "wanted") return null;
  const is = { unknown: "Cannot be decided now, and stays held", changed: "Out of date, and is left out" }[s.is] ?? "No longer wanted, and is left out";
  return html`<div class="note warn-ink">${is}: ${s.why}</div>`;
}

// HeldDecisions lists what a held run would change, exactly, and then what an approval does not
// carry out.
function HeldDecisions({ id, left, setLeft }) {
  const review = useData(`/api/rules/runs/${encodeURIComponent(id)}/review`);
  const result = useData("/api/rules/runs/" + encodeURIComponent(id));
  const isLeft = (d) => (d.parts ?? [d]).every((p) => left.includes(subjectOf(p)));
  const toggle = (d) => {
    const subjects = (d.parts ?? [d]).map(subjectOf);
    setLeft(isLeft(d) ? left.filter((l) => !subjects.includes(l)) : [...left, ...subjects]);
  };
  return html`<${Loaded} result=${result}>${({ run, decisions }) => {
    const held = decisions.filter((d) => isApprovable(d) && !d.left && stillHeld(run, d));
    const others = decisions.filter((d) => d.action === "held" && !isApprovable(d));
    return html`${review.data?.wrong ? html`<${Callout} level="bad" says="This run cannot be approved" hint=${review.data.wrong} />` : review.data?.stake ? html`<${Stake} s=${review.data.stake} />` : review.error ? html`<${Callout} level="warn" says="It is not known whether its changes are still wanted" hint=${review.error} />` : html`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${Time} at=${run.at} /> · ${run.why}</p>
      <div class="scroll block">${held.length > 0 && html`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${together(held).map((d) => html`<tr key=${d.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${d.wants} of ${d.parts ? `all ${d.parts.length} together` : subjectOf(d)}`} checked=${!isLeft(d)} onChange=${() => toggle(d)} /></td><td class="break"><${Wanted} d=${d} /></td>
        <td class="break">${d.rule}<div class="note">${reasonOf(d)}</div><${Standings} d=${d} of=${review.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${others.length > 0 && html`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${together(others).map((d) => html`<tr key=${d.key}><td class="break"><${Wanted} d=${d} /></td><td class="break">${d.rule}<div class="note">${reasonOf(d)}</div></td></tr>`)}</tbody></table>`}</div>`;
  }}<//>`;
}

// namedWithout returns the subjects of the decisions that wait for approval without those that are
// left out.
async function namedWithout(id, left) {
  const { decisions, more } = await get("/api/rules/runs/" + encodeURIComponent(id));
  if (more) throw new Error("This run has too many decisions to approve it in part on this page: approve or reject it whole.");
  return decisions.filter(isApprovable).map(subjectOf).filter((s) => !left.includes(s));
}

export function DecisionDialog({ id, way, onClose, onDone }) {
  const [reason, setReason] = useState("");
  const [without, leaveOut] = useState([]);
  const [title, verb, text] = questions[way];
  const act = async () => {
    const { undo, left, warnings, state } = await post(`/api/rules/runs/${encodeURIComponent(id)}/${way}`, without.length ? { reason, only: await namedWithout(id, without) } : { reason });
    if (warnings?.length) say(`Run ${id} is ${state === "held" ? "approved in part" : "approved"}. Not carried out: ${plural(warnings.length, "change")}; ${warnings[0].description}`);
    else if (way !== "undo") say(`Run ${id} is ${verb.toLowerCase()}${verb.endsWith("e") ? "d" : "ed"}`);
    else if (undo) say(`Undoing run ${id}${left.length ? `; ${left.length} not changed: ${left[0]}` : ""}`);
    else throw new Error(`There is nothing to undo${left.length ? ": " + left[0] : ""}`);
    onDone();
  };
  return html`<${Dialog} title=${title} act=${verb} wide=${way === "approve"} danger=${way !== "approve"} ready=${way !== "undo" || reason.trim()} onAct=${act} onClose=${onClose}>
    <p>${text}</p>
    ${way === "approve" && html`<${HeldDecisions} id=${id} left=${without} setLeft=${leaveOut} />${without.length > 0 && html`<p class="warn-ink">${plural(without.length, "change")} left out: dropped, and not carried out.</p>`}`}
    <${Field} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}

// owns says whether the rule that has paused a creative resumes it. That is not known if no worker
// has the rule.
const owns = (resumes) => (resumes === false ? "The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it."
  : resumes ? "Nobody has changed it since, so the rule may resume it." : "No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.");

// campaign is where the creative is, which usher does not know of one that it has never changed.
export function Why({ creative, campaign }) {
  const result = useData("/api/rules/why/" + encodeURIComponent(creative) + query({ campaign }), ["audit", "rules"]);
  return html`<${Page} title=${creative} crumb=${html`<a href="#/rules">Rules</a> · why`} sub=${result.data?.campaigns?.includes(creative) ? "What was changed on the budget and the bid of this campaign, what was decided but not changed, and why." : "What was changed on this creative, what was decided but not changed, and why."} acts=${result.data && html`<${KeepActs} code=${creative} campaign=${result.data.campaigns?.[0]} kept=${result.data.kept} onDone=${result.reload} />`}>
    <${Loaded} result=${result}>${(s) => html`
      ${s.owner && html`<${Callout} level="warn" says=${`Paused by the rule ${s.owner.file}/${s.owner.rule}`} hint=${owns(s.resumes)} />`}
      ${s.kept && html`<${Callout} level="warn" says=${html`Rules leave it alone: <${KeptBy} s=${s.kept} />`} hint=${s.kept.reason}><${InTerminal}>usher rules release ${s.creative}<//><//>`}
      <${Card} title="Rules that may change it">${s.campaigns.length === 0 ? html`<p class="soft">Not known: usher has never changed it, so it does not know its campaign. The page of its campaign lists them.</p>` : s.rules.length === 0 ? html`<p class="soft">None.</p>` : html`<ul class="stack">${s.rules.map((r) => html`<li><a href=${"#/rules" + query({ text: r.name })} class="break">${r.name}</a> <span class="tag">${modeOf(r.mode)}</span><${Paused} p=${r.paused} /><div class="small soft break">${r.says}</div></li>`)}</ul>`}<//>
      <${Card} title="History">${s.pages.length === 0 ? html`<${Empty} title="No history">Neither a rule nor a person has changed it through usher.<//>`
        : html`<ul class="line">${[...s.pages].reverse().map((p) => html`<${Entry} p=${p} />`)}</ul>`}<//>`}<//>
  <//>`;
}

function Entry({ p }) {
  if (p.audit) {
    const a = p.audit;
    return html`<li class=${a.after === "ACTIVE" || a.bidding?.to > a.bidding?.from ? "good" : "warn"}><b>${a.bidding ? numbers[a.bidding.field] + " " : ""}${statusOf(a.before)} → ${statusOf(a.after)}</b>${a.after !== a.wanted ? html` <span class="bad-ink">(wanted ${statusOf(a.wanted)})</span>` : ""}
      <div class="soft break">${[a.rule || a.actor, p.approval?.wanted ?? a.reason].filter(Boolean).join(": ")}</div>${p.approval && html`<div class="soft break">approved by ${[p.approval.by, p.approval.reason].filter(Boolean).join(": ")}</div>`}<${Figures} metrics=${a.metrics} /><${OneDecision} on=${p.together} />
      <div class="small faint"><${Time} at=${p.at} />${a.job && html` · job <a href=${link("jobs", a.job)}>${a.job}</a>`}</div></li>`;
  }
  const d = p.decision;
  return html`<li class="info"><b>${d.rule ? `${p.file}/${d.rule}` : p.by} ${didOf(p)}</b>
    <${Reasons} d=${d} /><${OneDecision} on=${p.together} />${p.outcome && html`<div class="soft break">${p.outcome}</div>`}<div class="small faint"><${Time} at=${p.at} /> · run <a href=${link("rules", "runs", p.evaluation)}>${p.evaluation}</a>${p.by ? ` · ${p.state === "held" ? "approved in part" : p.state} by ${p.by}` : ""}</div></li>`;
}

// OneDecision names the campaigns of a decision that a rule made on several of them together.
const OneDecision = ({ on }) => on?.length > 0 && html`<div class="soft break">one decision on ${plural(on.length, "campaign")}: ${on.slice(0, 5).join(", ")}${on.length > 5 ? ` and ${number(on.length - 5)} more` : ""}</div>`;
