// A backtest: a rule file evaluated on past days.
import { html, useEffect, useMemo, useState } from "../ui.js";
import { get, query, useData } from "../api.js";
import { compact, figure, number, plural } from "../format.js";
import { Chart } from "../chart.js";
import { Card, Choice, Empty, Failure, Figure, Loading, Page } from "../parts.js";
import { link, setParams } from "../route.js";

const day = (back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

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
  return html`<${Page} title="Backtest" crumb=${html`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing is changed.">
    <form class="filters" onSubmit=${go}>
      <${Choice} label="Rule file" value=${file} onPick=${(f) => setParams({ file: f, from: "", to: "" })} options=${files.map((f) => [f, f])} />
      <input class="date" type="date" aria-label="First day" required value=${from} onInput=${(e) => setFrom(e.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${to} onInput=${(e) => setTo(e.target.value)} />
      <button class="primary" disabled=${state.busy || !file}>${state.busy ? "Reading reports …" : "Run"}</button>
    </form>
    ${state.error && html`<${Failure} says=${state.error} />`}
    ${state.busy && html`<div class="card"><${Loading} /></div>`}
    ${state.outcome && html`<${Outcome} o=${state.outcome} />`}
    ${!state.outcome && !state.busy && !state.error && html`<div class="card"><${Empty} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`;
}

function Outcome({ o }) {
  const s = o.summary;
  return html`<div class="figures">
      <${Figure} name="Saved" value=${figure(s.saved)} note=${`of ${figure(s.spend)} spent`} />
      <${Figure} name="Pauses" value=${number(s.pauses)} note=${plural(s.resumes, "resume")} />
      <${Figure} name="Held" value=${number(s.held)} note="by limits and guards" />
      <${Figure} name="Missed clicks" value=${compact(s.missed.clicks)} note=${`${compact(s.missed.impressions)} impressions`} />
    </div>
    ${s.byDay.length > 1 && html`<${Days} days=${s.byDay} key=${s.from + s.to} />`}
    <${Card} title="By rule" flush><table class="cards"><thead><tr><th>Rule</th><th class="num">Saved</th><th class="num">Pauses</th><th class="num">Resumes</th><th class="num">Held</th></tr></thead><tbody>
      ${s.rules.map((r) => html`<tr><td class="strong break">${r.rule}</td><td class="num" data-name="Saved">${figure(r.saved)}</td><td class="num" data-name="Pauses">${number(r.pauses)}</td><td class="num" data-name="Resumes">${number(r.resumes)}</td><td class="num" data-name="Held">${number(r.held)}</td></tr>`)}</tbody></table>
      ${s.readAsAct && html`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${s.readAsAct.join(", ")}</div>`}<//>
    <${Card} title="What would have changed" flush>${o.decisions.length === 0 ? html`<${Empty} title="No rule would have changed anything" />`
      : html`<table class="cards"><thead><tr><th>Day</th><th>Creative</th><th>Action</th><th>Why</th></tr></thead><tbody>
        ${o.decisions.slice(0, 300).map((d) => html`<tr><td class="nowrap">${d.date}</td><td class="break">${d.creative}<div class="note"><a href=${link("campaigns", d.campaign)}>${d.campaign}</a></div></td>
          <td><span class="badge ${d.action === "resume" ? "good" : "warn"}">${d.action}</span></td><td class="whole break">${d.reason}<div class="note">${d.rule}</div></td></tr>`)}</tbody></table>
        ${o.decisions.length > 300 && html`<div class="foot">The first 300 of ${number(o.decisions.length)}</div>`}`}<//>`;
}

function Days({ days }) {
  const data = useMemo(() => [days.map((d) => Date.parse(d.date) / 1000), days.map((d) => d.spend), days.map((d) => d.saved)], [days]);
  return html`<${Card} title="Spend by day" side=${html`<span class="faint small">in the account's currency</span>`}>
    <${Chart} data=${data} values=${compact} height=${220} label="Spend by day, and what the rules would have saved"
      lines=${[["spent", "--c-suppressed"], ["would have been saved", "--c-accepted", { filled: "--good-soft" }]]} /><//>`;
}
