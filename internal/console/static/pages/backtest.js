// A backtest: a rule file evaluated on past days.
import { html, useEffect, useMemo, useState } from "../ui.js";
import { get, query, useData } from "../api.js";
import { compact, figure, number, plural } from "../format.js";
import { Chart } from "../chart.js";
import { Callout, Card, Choice, Empty, Failure, Figure, Loading, Page } from "../parts.js";
import { Action, Subject, changed } from "../decisions.js";
import { setParams } from "../route.js";
import { DayGrid, linesOf } from "../days.js";
import { Sorted } from "../table.js";
import { now } from "../time.js";
import { meanings, numbers } from "../words.js";

const day = (back) => new Date(now() - back * 86_400_000).toISOString().slice(0, 10);

export function Backtest({ params }) {
  const rules = useData("/api/rules");
  const files = [...new Set((rules.data?.rules ?? []).map((r) => r.file))];
  const file = params.file ?? files[0] ?? "";
  const [from, setFrom] = useState(params.from ?? day(31));
  const [to, setTo] = useState(params.to ?? day(1));
  const [state, setState] = useState({});
  const run = async (wanted) => {
    setState({ busy: true });
    try { setState({ outcome: await get("/api/rules/backtest" + query(wanted)) }); } catch (e) { setState({ error: e.message }); }
  };
  useEffect(() => {
    if (params.file && params.from && params.to) run(params);
  }, [params.file, params.from, params.to]);
  const go = (e) => {
    e.preventDefault();
    const wanted = { file, from, to };
    if (params.file === file && params.from === from && params.to === to) run(wanted);
    else setParams(wanted);
  };
  return html`<${Page} title="Backtest" crumb=${html`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${go}>
      <${Choice} label="Rule file" value=${file} onPick=${(f) => setParams({ file: f, from: "", to: "" })} options=${files.map((f) => [f, f])} />
      <input class="date" type="date" aria-label="First day" required value=${from} onInput=${(e) => setFrom(e.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${to} onInput=${(e) => setTo(e.target.value)} />
      <button class="primary" disabled=${state.busy || !file}>${state.busy ? "Reading reports …" : "Run"}</button>
    </form>
    ${state.error && html`<${Failure} says=${state.error} />`}
    ${state.busy && html`<div class="card"><${Loading} /></div>`}
    ${state.outcome && html`<${Outcome} o=${state.outcome} />`}
    ${!state.outcome && !state.busy && !state.error && html`<div class="card"><${Empty} title="Choose days">The rules are evaluated at the end of each day on which they are due, on the platform's reports.<//></div>`}
  <//>`;
}

function Outcome({ o }) {
  const s = o.summary;
  const onlyNumbers = s.rules.length > 0 && s.rules.every((r) => r.field);
  const most = s.savedLacking ? "at most this and what the report lacks" : "at most this";
  return html`${s.spend === 0 && html`<${Callout} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${Figure} name="Saved" meaning=${meanings.saved} value=${onlyNumbers ? "unknown" : figure(s.saved)} note=${`${s.savedLacking ? "on days with rows, " : (s.atMost || s.until) && s.saved > 0 ? "at most, " : ""}of ${s.lacking ? "at least " : ""}${figure(s.spend)} spent`} />
      <${Figure} name="Pauses" meaning=${meanings.pauses} value=${number(s.pauses)} note=${plural(s.resumes, "resume")} />
      <${Figure} name="Held" meaning=${meanings.held} value=${number(s.held)} note=${s.unknown > 0 ? `and ${number(s.unknown)} unknown` : "by limits and guards"} />
      <${Figure} name="Missed clicks" meaning=${meanings.missed} value=${onlyNumbers ? "unknown" : compact(s.missed.clicks)} note=${onlyNumbers ? "as the effect of budgets and bids is" : `${compact(s.missed.impressions)} impressions`} />
    </div>
    ${s.byNumber && html`<${Numbers} all=${s.byNumber} />`}
    ${s.byDay.length > 1 && html`<${Days} days=${s.byDay} key=${s.from + s.to} />`}
    <${Grid} title="Creatives by day" days=${s.byDay} decisions=${o.decisions.filter((d) => !d.bidding)} />
    <${Grid} title="Budgets and bids by day" days=${s.byDay} decisions=${o.decisions.filter((d) => d.bidding)} />
    <${Card} title="By rule" flush><${Sorted} name="rules" rows=${s.rules} columns=${[["Rule", (r) => r.rule], ["Saved", (r) => r.saved, true], ["Pauses", (r) => r.pauses, true], ["Resumes", (r) => r.resumes, true], ...(s.byNumber ? [["Decreases", (r) => r.decreases, true], ["Increases", (r) => r.increases, true]] : []), ["Held", (r) => r.held, true]]}>${(r) => html`<tr><td class="strong break">${r.rule}</td><td class="num" data-name="Saved">${r.field ? "unknown" : figure(r.saved)}</td><td class="num" data-name="Pauses">${number(r.pauses)}</td><td class="num" data-name="Resumes">${number(r.resumes)}</td>${s.byNumber && html`<td class="num" data-name="Decreases">${number(r.decreases)}</td><td class="num" data-name="Increases">${number(r.increases)}</td>`}<td class="num" data-name="Held">${number(r.held)}</td></tr>`}<//>
      ${s.readAsAct && html`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${s.readAsAct.join(", ")}</div>`}
      ${s.notDaily && html`<div class="foot">Decided only on days on which they were due: ${s.notDaily.join(", ")}</div>`}
      ${s.withoutHours && html`<div class="foot">active_hours and active_days were ignored. Rules with them: ${s.withoutHours.join(", ")}</div>`}
      ${s.until && html`<div class="foot">Each day has one run, at its end: what until ends was resumed at the end of that day, and not at its beginning, so saved is ${most}. Rules with until: ${s.until.join(", ")}</div>`}
      ${s.atMost && s.saved > 0 && html`<div class="foot">Saved is ${most} for rules with resume_when, which see the report's spend also while they pause: ${s.atMost.join(", ")}</div>`}
      ${s.wholeDay && html`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${s.wholeDay.join(", ")}</div>`}<//>
    <${Card} title="What would have changed" flush>${o.decisions.length === 0 ? html`<${Empty} title="No rule would have changed anything">${s.unknown > 0 && `${plural(s.unknown, "decision")} could not be made: the reports lack what the conditions read.`}<//>`
      : html`<${Sorted} rows=${o.decisions.slice(0, 300)} columns=${[["Day", (d) => d.date], ["Subject", (d) => d.creative || d.campaign], ["Action", (d) => d.action], ["Why", (d) => d.rule]]}>${(d) => html`<tr><td class="nowrap">${d.date}</td><td class="break"><${Subject} d=${d} /></td>
          <td><${Action} is=${d.action} /></td><td class="whole break">${d.reason}<div class="note">${d.rule}</div></td></tr>`}<//>
        ${o.decisions.length > 300 && html`<div class="foot">The first 300 of ${number(o.decisions.length)}</div>`}`}<//>`;
}

function Days({ days }) {
  const data = useMemo(() => [days.map((d) => Date.parse(d.date) / 1000), days.map((d) => d.spend), days.map((d) => d.saved)], [days]);
  return html`<${Card} title="Spend by day" side=${html`<span class="faint small">in the account's currency</span>`}>
    <${Chart} data=${data} values=${compact} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent", "--c-suppressed"], ["would have been saved", "--c-accepted", { filled: "--good-soft" }]]} /><//>`;
}

// Numbers shows what each budget and bid would have been set to.
function Numbers({ all }) {
  return html`<${Card} title="Budgets and bids" flush><${Sorted} name="numbers" rows=${all} columns=${[["Campaign", (n) => n.campaign], ["Would have set", (n) => n.change.to], ["Decreases", (n) => n.decreases, true], ["Increases", (n) => n.increases, true], ["Held", (n) => n.held, true]]}>${(n) => html`<tr><td class="strong break">${n.campaign}<div class="note">${numbers[n.change.field]}</div></td><td>${n.decreases + n.increases > 0 ? changed(n.change) : `stays ${changed({ ...n.change, to: n.change.from })}`}</td>
      <td class="num" data-name="Decreases">${number(n.decreases)}</td><td class="num" data-name="Increases">${number(n.increases)}</td><td class="num" data-name="Held">${number(n.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`;
}

// Grid has a line for each creative or number on which a rule decided, and a cell for each day.
function Grid({ title, days, decisions }) {
  const lines = [...linesOf(decisions, (d) => (d.bidding ? `${d.campaign} ${numbers[d.bidding.field]}` : d.creative), (d) => d.date)];
  const legend = [["pause", "paused"], ["decrease", "decreased"], ["increase", "increased"], ["held", "held back"]].filter(([a]) => decisions.some((d) => d.action === a));
  return html`<${DayGrid} title=${title} days=${days.map((d) => d.date)} legend=${legend} lines=${lines.map(([name, byDay]) => [name, cellsOf(days, byDay)])} />`;
}

// cellsOf returns the cells of a line. A creative stays paused until it is resumed.
function cellsOf(days, byDay) {
  let paused = false;
  return days.map((day) => {
    const d = byDay.get(day.date)?.at(-1);
    if (d?.action === "pause" || d?.action === "resume") paused = d.action === "pause";
    return {
      look: paused ? "pause" : d && d.action !== "resume" ? d.action : "",
      title: d ? `${d.date}: ${d.action} by ${d.rule}: ${d.reason}` : `${day.date}: ${paused ? "still paused" : "no change"}`,
      text: d?.bidding && d.action !== "held" && days.length <= 14 ? d.bidding.to : "",
    };
  });
}
