// A campaign: the status and history of its creatives, and actions on them.
import { html, useState } from "../ui.js";
import { may, post, query, session, useData } from "../api.js";
import { number, plural } from "../format.js";
import { Callout, Card, Dialog, Empty, Field, Loaded, Page, State, Time, say } from "../parts.js";
import { Figures, Paused } from "../decisions.js";
import { link } from "../route.js";
import { DayGrid, linesOf } from "../days.js";
import { Sorted } from "../table.js";
import { day, now as clock, timeOfDay } from "../time.js";
import { KeepActs, KeepChoice, Kept, aDate } from "./keep.js";
import { doing, modeOf, numbers, statusOf } from "../words.js";

const noZone = "The platform's times have no zone, so they are shown as the platform sends them.";

export function Campaign({ code }) {
  const result = useData("/api/campaigns/" + encodeURIComponent(code), ["audit", "jobs", "rules"]);
  const [chosen, choose] = useState([]);
  const [ask, setAsk] = useState("");
  const page = result.data;
  const acts = may("operator");
  const toggle = (c) => choose(chosen.includes(c) ? chosen.filter((o) => o !== c) : [...chosen, c]);
  return html`<${Page} title=${code} crumb=${html`<a href="#/campaigns">Campaigns</a>`}
      sub=${page && html`${plural(page.creatives.length, "creative")}, ${number(page.creatives.filter((c) => c.status === "ACTIVE").length)} active`}
      acts=${page && acts && html`<button class="danger" onClick=${() => setAsk("pause")}>Pause ${chosen.length ? number(chosen.length) : "all"} …</button>
        <button onClick=${() => setAsk("resume")}>Resume ${chosen.length ? number(chosen.length) : "all"} …</button>`}>
    <${Loaded} result=${result}>${(p) => html`
      ${p.holder && html`<${Callout} level="warn" says=${`Locked by ${p.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${p.lockError && html`<${Callout} level="warn" says="It is not known whether a worker has locked this campaign" hint=${p.lockError} />`}
      ${p.jobs.map((j) => html`<${Callout} key=${j.id} says=${html`<${State} is=${j.state} /> ${doing(j.kind, j.target)}`} hint=${j.why || j.id} where=${link("jobs", j.id)} />`)}
      ${p.partial && html`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs" + query({ state: "queued,running,retrying", text: code })}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${Card} title="Creatives" flush>${p.creatives.length === 0 ? html`<${Empty} title="No creatives" />` : html`<${Sorted} look=${`cards ${acts ? "ticks" : ""}`} rows=${p.creatives} columns=${[["Creative", (c) => c.code], ["Status", (c) => c.status], ["Last change on the platform", (c) => c.updated || null, true]]}
          first=${acts && html`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${chosen.length === p.creatives.length} onChange=${() => choose(chosen.length ? [] : p.creatives.map((c) => c.code))} /></th>`}>${(c) => html`<tr key=${c.code}>${acts && html`<td class="tick"><input type="checkbox" aria-label=${`Select ${c.code}`} checked=${chosen.includes(c.code)} onChange=${() => toggle(c.code)} /></td>`}
            <td class="strong break"><a class="id" href=${link("rules", "why", c.code) + query({ campaign: code })} title="Its history">${c.code}</a><${Kept} s=${p.kept[c.code]} />${c.message && html`<div class="note">${c.message}</div>`}</td><td><${State} is=${c.status} /></td>
            <td class="num" data-name="Changed">${c.updated ? html`<span class="nowrap" title=${noZone}>${c.updated.replace("T", " ").replace(/\.\d+$/, "")} <span class="faint">no zone</span></span>` : "–"}</td></tr>`}<//>
            ${p.creatives.some((c) => c.updated) && html`<div class="foot">${noZone}</div>`}`}<//><${Statuses} creatives=${p.creatives} changes=${p.changes} /></div>
        <div class="stack"><${Covering} rules=${p.rules ?? []} kept=${p.kept[code]} code=${code} /><${History} entries=${p.history} code=${code} /></div>
      </div>`}<//>
    ${ask && html`<${Change} code=${code} verb=${ask} creatives=${chosen} all=${page.creatives.length} onClose=${() => setAsk("")} onDone=${() => choose([])} />`}
  <//>`;
}

function Covering({ rules, kept, code }) {
  return html`<${Card} title="Rules in scope" side=${html`<${KeepActs} code=${code} campaign=${code} kept=${kept} what="budget and bid" />`}>${kept && html`<p><b>Budget and bid</b><${Kept} s=${kept} /></p>`}${rules.length === 0 ? html`<p class="soft">None.</p>`
    : html`<ul class="stack">${rules.map((r) => html`<li><a href=${"#/rules" + query({ text: r.name })} class="break">${r.name}</a> <span class="tag">${modeOf(r.mode)}</span><${Paused} p=${r.paused} /><div class="small soft break">${r.says}</div></li>`)}</ul>`}<//>`;
}

const shownDays = 28;

// Statuses shows which creatives were paused on which day, as far as usher has changed them.
function Statuses({ creatives, changes }) {
  const days = Array.from({ length: shownDays }, (_, n) => day(clock() - (shownDays - 1 - n) * 86_400_000));
  const lines = [...linesOf([...changes].reverse(), (c) => c.creative, (c) => day(c.at))].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  const now = new Map(creatives.map((c) => [c.code, c.status]));
  return html`<${DayGrid} title="Creatives by day" days=${days} legend=${[["", "active"], ["pause", "paused at the end of the day"], ["changed", "changed, and active again"]]}
    lines=${lines.filter(([code]) => now.has(code)).map(([code, byDay]) => [code, statusCells(days, byDay, now.get(code))])} />`;
}

// statusCells goes back from the status of today: a day ends with the status that the next day's
// first change has found.
function statusCells(days, byDay, status) {
  const cells = [];
  for (const day of [...days].reverse()) {
    const changes = byDay.get(day) ?? [];
    const why = changes.map((c) => `${timeOfDay(c.at)} ${statusOf(c.before)} → ${statusOf(c.after)} by ${[c.by, c.reason].filter(Boolean).join(": ")}`).join("\n");
    cells.unshift({ look: status === "INACTIVE" ? "pause" : changes.length ? "changed" : "", title: `${day}: ${why || statusOf(status)}` });
    status = changes[0]?.before || status;
  }
  return cells;
}

// byJob groups entries that follow each other and are of one job.
function byJob(entries) {
  const groups = [];
  for (const a of entries) {
    const last = groups.at(-1);
    if (last && a.job && last[0].job === a.job && last[0].run === a.run) last.push(a);
    else groups.push([a]);
  }
  return groups;
}

function History({ entries, code }) {
  return html`<${Card} title="History" side=${html`<a class="small" href=${"#/audit" + query({ campaign: code })}>Open in audit</a>`}>
    ${entries.length === 0 ? html`<p class="soft">usher has not changed its creatives.</p>` : html`<ul class="line">${byJob(entries).slice(0, 20).map(([a, ...more]) => html`
      <li class=${a.after === "ACTIVE" ? "good" : a.after === "INACTIVE" ? "warn" : ""}>
        <${Entry} a=${a} />${more.length > 0 && html`<details class="small"><summary>and ${number(more.length)} more by this job</summary>${more.map((m) => html`<${Entry} a=${m} />`)}</details>`}
        <div class="small soft break">${[a.rule || a.actor, a.reason].filter(Boolean).join(": ")}</div>
        <${Figures} metrics=${a.metrics} /><div class="small faint"><${Time} at=${a.at} /></div></li>`)}</ul>`}<//>`;
}

const Entry = ({ a }) => html`<div><b class="break">${a.creative || (a.bidding ? numbers[a.bidding.field] : "campaign")}</b> <span class="small">${statusOf(a.before)} → ${statusOf(a.after)}${a.after !== a.wanted ? ` (wanted ${statusOf(a.wanted)})` : ""}</span></div>`;

// Reversals says which rules would pause creatives again after they are resumed: by which numbers, and
// when.
function Reversals({ code, creatives }) {
  const result = useData(`/api/campaigns/${encodeURIComponent(code)}/reversals?${creatives.map((c) => "creative=" + encodeURIComponent(c)).join("&")}`);
  if (result.error) return html`<${Callout} level="warn" says="It is not known whether a rule would pause them again" hint=${result.error} />`;
  if (!result.data) return html`<p class="soft">Asking the rules …</p>`;
  return html`${result.data.map((r) => html`<${Callout} key=${r.rule + r.reason} level="warn" says=${html`Rule ${r.rule} would ${r.asks ? "ask to pause" : "pause"} ${r.creatives.slice(0, 3).join(", ")}${r.creatives.length > 3 ? ` and ${number(r.creatives.length - 3)} more` : ""} again ${r.next ? html`in its next run, <${Time} at=${r.next} />` : "when it runs next"}`} hint=${r.reason} />`)}
    ${result.data.length === 0 && html`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`;
}

function Change({ code, verb, creatives, all, onClose, onDone }) {
  const [reason, setReason] = useState(""), [keep, setKeep] = useState("");
  const n = creatives.length || all;
  const act = async () => {
    const { id } = await post(`/api/campaigns/${encodeURIComponent(code)}/${verb}`, { creatives, reason, keep });
    say(`${verb === "pause" ? "Pausing" : "Resuming"} ${plural(n, "creative")}: job ${id}`);
    onDone();
  };
  return html`<${Dialog} title=${`${verb === "pause" ? "Pause" : "Resume"} ${plural(n, "creative")}?`} act=${verb === "pause" ? "Pause" : "Resume"} danger=${verb === "pause"} ready=${reason.trim() && keep !== aDate} onAct=${act} onClose=${onClose}>
    <p>${creatives.length ? creatives.join(", ") : `All creatives of ${code}`} ${verb === "pause" ? "stop" : "start"} being served. ${verb === "pause" ? "Rules do not resume what is paused by hand." : "A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${verb === "resume" && html`<${Reversals} code=${code} creatives=${creatives} />`}
    <${KeepChoice} until=${keep} onUntil=${setKeep} />
    <${Field} name="Reason" hint=${`Recorded in the audit with your name, ${session.user}.`}><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}
