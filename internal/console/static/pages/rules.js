// Rules: their conditions, their runs, and the stop switch.
import { html, useState } from "../ui.js";
import { may, post, query, useData } from "../api.js";
import { amountsOf, number, plural } from "../format.js";
import { Callout, Card, Dialog, Empty, Field, InTerminal, Loaded, Page, Search, Since, Time, say } from "../parts.js";
import { Action, Paused, RunState, Subject, counted, isStopped, moved, reasonOf, together, wouldBe } from "../decisions.js";
import { link, setParams } from "../route.js";
import { Sorted } from "../table.js";
import { day, now as clock } from "../time.js";
import { countApprovable, modeOf } from "../words.js";
import { Backtest } from "./backtest.js";
import { DecisionDialog, Run, Why } from "./runs.js";

export function Rules({ names, params }) {
  const [page, id] = names;
  if (page === "runs" && id) return html`<${Run} id=${id} key=${id} />`;
  if (page === "why" && id) return html`<${Why} creative=${id} campaign=${params.campaign} key=${id} />`;
  if (page === "backtest") return html`<${Backtest} params=${params} />`;
  return html`<${List} params=${params} />`;
}

function List({ params }) {
  const result = useData("/api/rules", ["rules", "overview"]);
  const [ask, setAsk] = useState("");
  const stopped = result.data?.stopped;
  const acts = result.data && html`${result.data.rules.length > 0 && html`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${stopped == null ? may("operator") && html`<button class="danger" onClick=${() => setAsk("stop")}>Stop all campaign actions …</button>`
      : may("admin") && html`<button class="primary" onClick=${() => setAsk("start")}>Start campaign actions …</button>`}`;
  return html`<${Page} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${acts}>
    <${Loaded} result=${result}>${(p) => html`
      <${Switch} stopped=${p.stopped} />
      <${Held} runs=${p.runs.filter((r) => r.state === "held")} rules=${p.held} />
      <${Week} week=${p.week} rules=${p.rules} runs=${p.runs} />
      <${Now} files=${[...new Set(p.rules.map((r) => r.file))]} />
      <${All} rules=${p.rules} text=${params.text} />
      <${Runs} runs=${p.runs} />`}<//>
    ${ask && html`<${SwitchDialog} way=${ask} onClose=${() => setAsk("")} onDone=${result.reload} />`}
  <//>`;
}

function Switch({ stopped }) {
  return stopped == null ? html`<${Callout} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`
    : html`<${Callout} level="bad" says=${`Campaign actions are stopped${stopped ? ": " + stopped : ""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`;
}

function Held({ runs, rules }) {
  const who = (r) => {
    const of = rules[r.id];
    if (!of) return `A run of the file ${r.file}`;
    return `${of.rules.length > 1 ? "Rules" : "Rule"} ${of.rules.join(", ")} of the file ${r.file}, for ${of.campaigns.slice(0, 3).join(", ")}${of.campaigns.length > 3 ? ` and ${number(of.campaigns.length - 3)} more` : ""}`;
  };
  const [ask, setAsk] = useState("");
  return html`${runs.map((r) => html`<${Callout} key=${r.id} level="warn" says=${html`${who(r)}: ${counted(r)}${countApprovable(r) === (r.counts?.held ?? 0) && moved(r) === 0 ? ", waiting for approval" : ","} <${Since} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${may("operator") && html`<button class="primary small" onClick=${() => setAsk(r.id)}>Approve …</button>`}<a class="button small" href=${link("rules", "runs", r.id)}>Details</a></div><//>`)}
    ${ask && html`<${DecisionDialog} id=${ask} way="approve" onClose=${() => setAsk("")} onDone=${() => {}} />`}`;
}

// Saved says about how much the pauses of a rule have saved, and of which that is not known. all is the
// result for all rules.
function Saved({ w, all }) {
  if (!w.pauses && !w.earlier) return html`<span class="faint">–</span>`;
  if (all.error && !all.data) return html`not known<div class="note">${all.error}</div>`;
  if (!all.data) return html`<span class="faint">…</span>`;
  const s = all.data[w.rule];
  if (!s) return "not known";
  return html`${s.pauses > 0 && html`<b>about ${amountsOf(s.gross)}</b>`}${s.notKnown.map((n) => html`<div class="note">not known of ${plural(n.pauses, "pause")}: ${n.why}</div>`)}`;
}

// Week says what each rule did in the last seven days, what that saved, and which were held back.
function Week({ week, rules, runs }) {
  const saved = useData(week.some((w) => w.pauses || w.earlier) ? "/api/rules/saved" : "", ["audit", "rules"]);
  if (rules.length === 0) return null;
  const sum = (key) => week.reduce((n, w) => n + w[key], 0);
  const ago = clock() - 7 * 86_400_000;
  const stopped = runs.filter((r) => isStopped(r) && Date.parse(r.at) > ago).length;
  const from = day(ago), to = day(clock() - 86_400_000);
  return html`<${Card} title="This week" flush side=${html`<span class="faint small">the last seven days</span>`}>
    ${week.length === 0 ? html`<${Empty} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`
    : html`<${Sorted} name="week" rows=${week} columns=${[["Rule", (w) => w.rule], ["Paused", (w) => w.pauses, true], ["Resumed", (w) => w.resumes, true], ["Budgets, bids", (w) => w.numbers, true], ["Waits", (w) => w.held, true], ["Cannot decide on", (w) => w.blind, true], ["Saved"]]}>${(w) => html`<tr key=${w.rule}>
        <td class="strong break"><a href=${"#/rules" + query({ text: w.rule })}>${w.rule}</a></td>
        <td class="num" data-name="Paused">${number(w.pauses)}${w.earlier > 0 && html`<div class="note">and ${number(w.earlier)} before, which lasted</div>`}</td><td class="num" data-name="Resumed">${number(w.resumes)}</td><td class="num" data-name="Budgets, bids">${number(w.numbers)}</td>
        <td class="num" data-name="Waits">${w.held ? html`<b class="warn-ink">${plural(w.held, "run")}</b>` : "0"}</td><td class="num" data-name="Cannot decide on">${w.blind ? html`<b class="warn-ink">${number(w.blind)}</b>` : "0"}</td>
        <td class="whole break" data-name="Saved"><${Saved} w=${w} all=${saved} /></td></tr>`}<//>`}
    <div class="foot">${plural(sum("pauses"), "pause")}, ${plural(sum("resumes"), "resume")}, ${plural(sum("numbers"), "change")} of budgets and bids.${stopped > 0 && ` The stop switch held back ${plural(stopped, "run")}.`}</div>
    ${sum("pauses") + sum("earlier") > 0 && html`<div class="foot">Saved is an estimate. For each of these days on which a creative was paused it counts what the creative had spent on the last complete day before the pause; what it spent all the same is subtracted. Pauses that began more than 31 days earlier, and changes of budgets and bids, are not counted.</div>`}
    <div class="foot">What they would have done on these days: ${[...new Set(rules.map((r) => r.file))].map((f) => html`<a href=${"#/rules/backtest" + query({ file: f, from, to })}>backtest of ${f}</a> `)}</div><//>`;
}

// Now says what the rules of a file would do now.
function Now({ files }) {
  const [file, setFile] = useState("");
  if (files.length === 0) return null;
  return html`<${Card} title="What would they do now?" side=${html`<div>${files.map((f) => html`<button class="small" aria-label=${`Preview ${f}`} aria-pressed=${f === file} onClick=${() => setFile(f === file ? "" : f)}>${f}</button> `)}</div>`}>
    ${file ? html`<${Preview} file=${file} key=${file} />` : html`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`;
}

function Preview({ file }) {
  const result = useData("/api/rules/preview" + query({ file }));
  return html`<${Loaded} result=${result}>${(p) => html`<p>${counted({ ...p, state: "done" }, true)}. Nothing was changed.</p>
    ${p.decisions.length > 0 && html`<${Sorted} name="preview" rows=${together(p.decisions)} columns=${[["Creative", (d) => d.creative || d.campaign], ["Would", (d) => d.action], ["Why", (d) => d.rule]]}>${(d) => html`<tr key=${d.key}><td><${Subject} d=${d} /></td><td><${Action} is=${d.action} />${d.wants && html`<div class="note">${wouldBe(d)}</div>`}</td><td class="whole break">${d.rule}<div class="note">${reasonOf(d)}</div></td></tr>`}<//>`}`}<//>`;
}

// levels say of what the numbers are that decide, if not of each campaign.
const levels = { account: ", all together", creative: ", each creative" };

// extraKeys returns the keys of a rule that its row does not show elsewhere.
const extraKeys = (r) => r.extras.filter((k) => ["for", "min_age", "until", "notify"].includes(k.key));

function All({ rules, text = "" }) {
  if (rules.length === 0) {
    return html`<${Card} title="Rules"><${Empty} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${InTerminal}>usher rules backtest FILE<//><//><//>`;
  }
  const [ask, setAsk] = useState(null), [run, setRun] = useState(null);
  const found = rules.filter((r) => `${r.name} ${r.scope} ${r.extras.map((k) => `${k.key} ${k.value}`).join(" ")} ${r.says}`.toLowerCase().includes(text.toLowerCase()));
  return html`<${Card} title="Rules" flush side=${rules.length > 8 && html`<div><${Search} label="Search rules …" value=${text} onText=${(t) => setParams({ text: t })} /></div>`}>
    <${Sorted} rows=${found} columns=${[["Rule", (r) => r.name], ["Does", (r) => r.says], ["Last", (r) => r.last && Date.parse(r.last), true], ["Next", (r) => r.next && Date.parse(r.next), true]]}>${(r) => html`<tr key=${r.name}>
        <td><span class="id">${r.name}</span> <span class="tag">${modeOf(r.mode)}</span><${Paused} p=${r.paused} /><div class="note">${r.scope}${levels[r.level] ?? ""}${r.window && ` · ${r.window}`}</div>${extraKeys(r).map((k) => html`<div class="note">${k.key} ${k.value}</div>`)}
          ${may("operator") && html`<div class="inline-acts"><button class="bare small lane" onClick=${() => setRun(r)} aria-label=${`Run ${r.name} now`}>Run now …</button> <button class="bare small lane" onClick=${() => setAsk(r)} aria-label=${`${r.paused ? "Resume" : "Pause"} ${r.name}`}>${r.paused ? "Resume this rule …" : "Pause this rule …"}</button></div>`}</td>
        <td class="whole">${r.activeHours && html`<div class="break">pause outside <code>${r.activeHours}</code></div>`}${r.pause && html`<div class="break">${r.mode === "notify" ? "notify" : "pause"} when <code>${r.pause}</code></div>`}${r.resume && html`<div class="break">resume when <code>${r.resume}</code></div>`}${r.bidding && html`<${Bidding} b=${r.bidding} />`}</td>
        <td class="num" data-name="Last"><${Time} at=${r.last} /></td>
        <td class="num" data-name="Next"><div>${r.next ? html`<${Time} at=${r.next} />` : html`<span class="faint">on request</span>`}${r.schedule && html`<div class="note">${r.schedule}</div>`}</div></td></tr>`}<//>${ask && html`<${PauseDialog} rule=${ask} onClose=${() => setAsk(null)} />`}${run && html`<${RunDialog} rule=${run} onClose=${() => setRun(null)} />`}${found.length === 0 && html`<${Empty} title="No rule matches" />`}<//>`;
}

// What a run of a rule does, by its mode.
const effects = {
  act: "What it decides is carried out at once: it may change creatives, budgets or bids.",
  approve: "What it decides waits until somebody approves it.",
  notify: "It reports what it finds, and changes nothing.",
  observe: "It records what it would do, and changes nothing.",
};

function RunDialog({ rule, onClose }) {
  const act = async () => {
    const { id } = await post("/api/rules/run", { file: rule.file, rule: rule.name.slice(rule.file.length + 1) });
    location.hash = link("rules", "runs", id);
  };
  return html`<${Dialog} title=${`Run rule ${rule.name} now?`} act="Run" onAct=${act} onClose=${onClose}>
    <p>It decides on the platform's reports as they are now. ${effects[rule.mode]}</p>
  <//>`;
}

function PauseDialog({ rule, onClose }) {
  const [reason, setReason] = useState("");
  const verb = rule.paused ? "resume" : "pause";
  const act = async () => {
    await post(`/api/rules/${verb}`, { file: rule.file, rule: rule.name.slice(rule.file.length + 1), reason });
    say(`Rule ${rule.name} is ${verb}d`);
  };
  return html`<${Dialog} title=${`${rule.paused ? "Resume" : "Pause"} rule ${rule.name}?`} act=${rule.paused ? "Resume" : "Pause"} danger=${!rule.paused} ready=${reason.trim()} onAct=${act} onClose=${onClose}>
    <p>${rule.paused ? "It decides again at its next time. Nothing of the pause is made up for." : "It takes no decisions until somebody resumes it. Creatives that it has paused stay paused; what it decided before is carried out."}</p>
    <${Field} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}

function Bidding({ b }) {
  return html`${b.decrease && html`<div class="break">decrease the ${b.number} when <code>${b.decrease}</code></div>`}${b.increase && html`<div class="break">increase the ${b.number} when <code>${b.increase}</code></div>`}<div class="note">${b.by}</div>`;
}

function Runs({ runs }) {
  return html`<${Card} title="Runs" flush side=${html`<span class="faint small">newest first</span>`}>
    ${runs.length === 0 ? html`<${Empty} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`
    : html`<${Sorted} name="runs" rows=${runs.slice(0, 50)} columns=${[["Run", (r) => r.id], ["State", (r) => r.state], ["Decisions", (r) => Object.values(r.counts ?? {}).reduce((a, b) => a + b, 0)], ["When", (r) => Date.parse(r.at), true]]}>${(r) => html`<tr key=${r.id}>
        <td><a class="id" href=${link("rules", "runs", r.id)}>${r.id}</a><div class="note">${r.undoOf ? `undoes ${r.undoOf}` : r.rule ? `${r.file}/${r.rule}` : r.file}${r.event ? " · event" : ""}</div></td>
        <td><${RunState} is=${r.state} /></td>
        <td class="whole">${counted(r)}<div class="note">${r.by ? `${r.by}${r.reason ? ": " + r.reason : ""}` : r.why}</div></td>
        <td class="num" data-name="When"><${Time} at=${r.at} /></td></tr>`}<//>
      <div class="foot">${plural(runs.length, "run")}${runs.length >= 100 ? ", newest only" : ""}</div>`}<//>`;
}

export function SwitchDialog({ way, onClose, onDone }) {
  const [reason, setReason] = useState("");
  const stop = way === "stop";
  const set = useData(stop ? "" : "/api/stop"); // the one that is shown, and so ended
  const act = async () => {
    await post(stop ? "/api/stop" : "/api/start", stop ? { reason } : set.data);
    say(stop ? "Campaign actions are stopped" : "Campaign actions are started");
    onDone();
  };
  return html`<${Dialog} title=${stop ? "Stop all campaign actions?" : "Start campaign actions again?"} act=${stop ? "Stop" : "Start"} danger=${stop} ready=${stop ? reason.trim() : set.data?.stop} onAct=${act} onClose=${onClose}>
    <p>${stop ? "No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can start campaign actions again." : "Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${!stop && html`<${Loaded} result=${set}>${(p) => html`<p class="break">${p.stop ? html`Stopped by ${p.stop.by || "somebody"}${p.stop.at && html`, <${Time} at=${p.stop.at} />`}${p.stop.reason && `: ${p.stop.reason}`}` : "They are on already."}</p>`}<//>`}
    ${stop && html`<${Field} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>`}
  <//>`;
}
