// Actions on dead letters: show, replay, edit, discard.
import { html, useState } from "../ui.js";
import { may, post } from "../api.js";
import { number, plural } from "../format.js";
import { Callout, Dialog, Doing, Field, Folded, Message, Time, say } from "../parts.js";
import { link } from "../route.js";
import { flagsOf } from "../terminal.js";
import { exact } from "../time.js";
import { causeOf, fieldOf } from "../words.js";
import { flat, shown } from "./fix.js";

const pretty = (value) => JSON.stringify(value, null, 2);
const lettersOf = (n) => plural(n, "letter");

// undone says what a replay of a superseded letter would undo.
export const undone = (l) => (l.why.startsWith("is superseded: ") ? l.why.slice("is superseded: ".length) : `it ${l.why}`);

// LaterJob says what a later job means for dead letters, and the command for it.
export function LaterJob({ l, filter }) {
  const flags = flagsOf(filter);
  return html`<div class="hint break">${l.needless ? html`Nothing is left to do: ${l.why}, <${Time} at=${l.at} />` : html`A replay would undo what ${l.job ? "a later job" : "somebody"} did: ${undone(l)}`}. ${l.job && html`<a href=${link("jobs", l.job)}>Open that job</a>`}
    <${Folded}>${!l.needless && html`<code>usher dead replay ${flags} --force</code>`}<code>usher dead discard ${flags}</code><//></div>`;
}

// Unsure says since when the jobs are known of which one may have done what failed jobs should do, if not all are.
export const Unsure = ({ since, filter }) => since && html`<div class="note break">A later job may have done this: usher has looked here only at jobs that were submitted since <${Time} at=${since} />.
  <${Folded}><code>usher dead ls ${flagsOf(filter)}</code><span>looks at all</span><//></div>`;

export function Show({ letter: l, onClose, onEdit, onDiscard }) {
  const filter = l.id ? { id: l.id } : { seqs: [l.seq] };
  return html`<${Dialog} title=${`Letter ${l.seq}`} wide onClose=${onClose}>
    <${Callout} level=${l.later?.needless ? "" : "bad"} says=${html`<span title=${l.class}>${causeOf(l.class)}</span>: <${Message} text=${l.message} />`} hint=${l.later ? "" : l.hint} of=${l.later ? "" : l.class} letters=${l.later ? undefined : filter} remedies=${l.remedies}><${Unsure} since=${l.knownSince} filter=${filter} /><//>
    ${l.later && html`<${Callout} level=${l.later.needless ? "good" : "warn"} says=${l.later.needless ? "It can be discarded" : "It is superseded"}><${LaterJob} l=${l.later} filter=${filter} /><//>`}
    <dl class="facts">
      <dt>Job</dt><dd>${l.id ? html`<a href=${link("jobs", l.id)} onClick=${onClose}>${l.id}</a>` : "unreadable"}${l.run > 1 ? `, run ${l.run}` : ""}</dd>
      <dt>Does</dt><dd><${Doing} kind=${l.kind} target=${l.target} name=${l.targetName} /></dd>
      <dt>Failed</dt><dd>${exact(l.at)}</dd>
      <dt>Attempts</dt><dd>${plural(l.attempts, "attempt")}${l.crashes ? `, ${plural(l.crashes, "crash", "crashes")}` : ""}</dd>
      ${l.edited && html`<dt>Edited</dt><dd>${(l.edited.fields ?? []).map((f) => fieldOf(f.slice(1).replaceAll("/", "."))).join(", ")} by ${l.edited.by}${l.edited.reason ? `: ${l.edited.reason}` : ""}</dd>`}
    </dl>
    ${l.job ? html`<dl class="facts">${flat(l.job).filter(([k]) => !["id", "v"].includes(k)).slice(0, 12).map(([k, v]) => html`<dt>${fieldOf(k)}</dt><dd class="break">${shown(v)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${pretty(l.job)}</pre></details>` : html`<p class="soft">The job cannot be read.</p>`}
    ${may("operator") && (l.later ? html`<div><button type="button" class="danger" onClick=${onDiscard}>Discard this letter …</button></div>` : l.job && html`<div><button type="button" onClick=${onEdit}>Edit this job …</button></div>`)}
  <//>`;
}

export function Discard({ filter, count, why = "", onClose, onDone }) {
  const [reason, setReason] = useState(why);
  const act = async () => {
    const { discarded } = await post("/api/letters/discard", { filter, reason });
    say(`${lettersOf(discarded)} discarded`);
    onDone();
  };
  return html`<${Dialog} title=${`Discard ${lettersOf(count)} for good?`} act=${`Discard ${lettersOf(count)}`} danger ready=${reason.trim()} onAct=${act} onClose=${onClose}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Field} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}

// Edit replaces the job of one letter, or sets a field in the jobs of many letters.
export function Edit({ filter, letter, onClose, onDone }) {
  const [text, setText] = useState(letter ? pretty(letter.job) : "");
  const [field, setField] = useState("");
  const [value, setValue] = useState("");
  const [reason, setReason] = useState("");
  const [plan, setPlan] = useState(null);
  const change = () => {
    if (!letter) return { set: { [field.trim()]: value } };
    try { return { job: JSON.parse(text) }; } catch { throw new Error("This is not a complete job: check its commas, quotes and brackets."); }
  };
  const act = async () => {
    const edit = { ...change(), reason };
    if (!plan) {
      setPlan(await post("/api/letters/edit", { filter, edit: { ...edit, dryRun: true } }));
      throw new Error("");
    }
    const done = await post("/api/letters/edit", { filter, edit });
    if (done.edited === 0) throw new Error(done.says || "The edit changes nothing.");
    say(`${lettersOf(done.edited)} edited${done.refused ? `, ${number(done.refused)} could not be edited` : ""}`);
    onDone(done.now ?? []);
  };
  const changed = (set) => (e) => { set(e.target.value); setPlan(null); };
  return html`<${Dialog} title=${letter ? `Edit the job of letter ${letter.seq}` : "Edit all selected letters"} wide
      act=${plan ? `Edit ${lettersOf(plan.edited)}` : "Preview"} ready=${plan ? plan.edited > 0 && reason.trim() : letter || field.trim()} onAct=${act} onClose=${onClose}>
    ${letter ? html`<${Field} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${false} value=${text} onInput=${changed(setText)} data-first></textarea><//>`
      : html`<${Field} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${field} onInput=${changed(setField)} data-first /><//>
        <${Field} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${value} onInput=${changed(setValue)} /><//>`}
    ${plan && html`<${Callout} level=${plan.refused ? "warn" : "good"} says=${`${lettersOf(plan.edited)} to be edited${plan.same ? `, ${number(plan.same)} unchanged` : ""}${plan.refused ? `, ${number(plan.refused)} refused` : ""}`} hint=${plan.says} />
      ${plan.example && html`<div class="small soft">Changed fields: ${plan.example.fields.map((f) => html`<span class="tag mono">${f}</span> `)}</div>`}`}
    <${Field} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} /><//>
  <//>`;
}
