// The timeline of a job: each run as a bar of queued, running and waiting time, and a list of events.
import { html } from "./ui.js";
import { number, span } from "./format.js";
import { Card, Time, look, useNow } from "./parts.js";
import { exact, timeOfDay } from "./time.js";
import { causeOf } from "./words.js";

const words = { queued: "queued", running: "running", retrying: "waiting for the next attempt" };
const ended = (state) => ["done", "failed", "cancelled"].includes(state);

// runsOf returns the runs of a job, each with the phases between its events.
function runsOf(r, history, now) {
  const runs = new Map();
  for (const e of history) {
    if (!runs.has(e.run)) runs.set(e.run, []);
    runs.get(e.run).push(e);
  }
  return [...runs].map(([run, events]) => {
    const marks = events.map((e) => ({ state: e.state, at: Date.parse(e.at) }));
    if (run === 1 && Date.parse(r.submitted) < marks[0].at) marks.unshift({ state: "queued", at: Date.parse(r.submitted) });
    const last = marks.at(-1);
    const end = ended(last.state) ? last.at : Math.max(now, last.at);
    let attempt = 0;
    const phases = marks.filter((m) => !ended(m.state)).map((m, i) => {
      if (m.state === "running" && marks[i - 1]?.state !== "running") attempt++;
      return { ...m, attempt, long: ((marks[i + 1]?.at ?? end) - m.at) / 1000 };
    });
    return { run, phases: merged(phases), from: marks[0].at, to: end, end: ended(last.state) ? last.state : "" };
  });
}

// merged joins phases of one state that follow each other.
function merged(phases) {
  const out = [];
  for (const p of phases) {
    const last = out.at(-1);
    if (last?.state === p.state) last.long += p.long;
    else out.push({ ...p });
  }
  return out;
}

const nameOf = (p) => words[p.state] + (p.state === "running" && p.attempt > 1 ? `, attempt ${number(p.attempt)}` : "");

function Run({ r: { run, phases, from, to, end }, many }) {
  const total = Math.max((to - from) / 1000, 0.001);
  const text = phases.map((p) => `${nameOf(p)} ${span(p.long)}`).join(", then ");
  return html`<figure class="run">${many && html`<figcaption class="small strong">Run ${number(run)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${text}${end ? `; ended ${end}` : ""}`}>${phases.map((p, i) => html`<i key=${i} class=${p.state} style=${{ flexGrow: Math.max(p.long / total, 0.01) }} title=${`${nameOf(p)}: ${span(p.long)}`}></i>`)}${end && html`<b class=${look(end)}></b>`}</div>
    <div class="ends small faint"><span title=${exact(from)}>${timeOfDay(from)}</span><span>${end || "now"} after ${span(total)}</span></div>
    <ul class="small soft">${phases.slice(0, 12).map((p) => html`<li><i class="dot ${p.state}"></i>${nameOf(p)} <b>${span(p.long)}</b></li>`)}${phases.length > 12 && html`<li>and ${number(phases.length - 12)} more phases</li>`}</ul></figure>`;
}

export function Timeline({ r, history }) {
  const now = useNow();
  const steps = history.length ? history : [{ state: r.state, at: r.submitted, run: r.run }];
  const runs = runsOf(r, steps, now);
  const errors = steps.filter((e) => e.error).slice(-5);
  return html`<${Card} title="Timeline">
    ${runs.slice(-6).map((run) => html`<${Run} key=${run.run} r=${run} many=${runs.length > 1 || run.run > 1} />`)}
    ${runs.length > 6 && html`<p class="small faint">${number(runs.length - 6)} earlier runs are not shown</p>`}
    ${errors.map((e) => html`<div class="small break"><span class="bad-ink" title=${e.error.class}>${causeOf(e.error.class)}</span> <${Time} at=${e.at} /></div>`)}<//>`;
}
