// Fix and replay: change a field in the jobs of many dead letters, and publish them again.
import { html, useEffect, useState } from "../ui.js";
import { post, session } from "../api.js";
import { number, plural, span } from "../format.js";
import { Callout, Dialog, Failure, Field, Folded, Loading, Message, Words, say } from "../parts.js";
import { commandsOf } from "../terminal.js";
import { causeOf, causes, fieldOf } from "../words.js";

const extra = ["source.column", "source.only", "source.disregard", "input", "source.delimiter", "source.encoding", "maxRejectPercent"]; // useful although a job may not have them
const switches = ["force", "acceptChange", "dryRun"]; // are yes or no

// flat returns the fields of a job by their dotted names.
export function flat(job, prefix = "") {
  return Object.entries(job ?? {}).flatMap(([name, value]) => value && typeof value === "object" && !Array.isArray(value) ? flat(value, prefix + name + ".") : [[prefix + name, value]]);
}
export const shown = (value) => value === undefined ? "not set" : value === true ? "yes" : value === false ? "no" : Array.isArray(value) ? value.map(shown).join(", ") : typeof value === "object" && value ? flat(value).map(([k, v]) => `${k} ${shown(v)}`).join(", ") : String(value);
const valueAt = (job, field) => field.split(".").reduce((object, name) => object?.[name], job);

// waysOf returns the changes that the only error of letters names, without what their jobs say already.
function waysOf(list, job) {
  if (list.length !== 1) return [];
  return list[0].remedies.map((way) => way.filter((a) => !(switches.includes(a.field) && String(valueAt(job, a.field)) === a.value))).filter((way) => way.length);
}

// guess returns the change that errors most likely ask for: what the hint of all of them names, otherwise the field
// that jobs of their class usually need.
function guess(list, fields, job) {
  const [cause] = list;
  const ways = waysOf(list, job);
  const usual = causes[cause?.class] ?? {};
  if (ways.length && cause.class !== "source_missing") { // whose export mostly comes later
    const [first] = ways[0];
    if (first.field === "source.disregard") return []; // it would upload the rows that say no
    return ways.slice(1).some(([a]) => a.field === first.field) ? [{ ...first, open: true }] : ways[0]; // a person chooses among several values
  }
  if (list.length !== 1) return [];
  const field = usual.field ?? fields.find((f) => cause.class === "invalid_job" && cause.message?.includes("/" + f.replaceAll(".", "/")));
  return field ? [{ field, value: usual.value ?? "", open: !usual.value }] : [];
}

// Fix replays letters: after a change of a field in their jobs, or as they are.
export function Fix({ cause, filter, onClose, onDone = () => {} }) {
  const [first, setFirst] = useState(null); // the plan without a change
  const [field, setField] = useState("");
  const [value, setValue] = useState("");
  const [besides, setBesides] = useState([]); // what the error names beside the field
  const [reason, setReason] = useState("");
  const [force, setForce] = useState(false);
  const [rate, setRate] = useState("");
  const [plan, setPlan] = useState(null);
  const [error, setError] = useState("");
  const [letting, letGo] = useState(false);
  const [removing, setRemoving] = useState(false);
  const list = first?.causes ?? [];
  const removed = field === "acceptChange" && list.length === 1 && /"force": true, which removes ([\d,]+ of the members)/.exec(list[0].hint ?? "")?.[1]; // beside its differences
  const set = field && value.trim() ? { [field]: value.trim(), ...Object.fromEntries(besides.map((a) => [a.field, a.value])), ...(removed && removing ? { force: "true" } : {}) } : {};
  const choose = (way) => {
    const [a, ...more] = way;
    setField(a?.field ?? "");
    setValue(a && !a.open ? a.value : "");
    setBesides(more.filter((b) => !b.open && !switches.includes(b.field)));
  };
  useEffect(() => {
    let gone = false;
    post("/api/letters/plan", { filter }).then((p) => {
      if (gone) return;
      setFirst(p);
      choose(guess(p.causes, fieldsOf(p), p.sample[0]?.before));
    }, (e) => gone || setError(e.message));
    return () => { gone = true; };
  }, []);
  useEffect(() => { if (field) document.querySelector("dialog[open] [data-first]")?.focus(); }, [first]);
  useEffect(() => {
    if (!first) return undefined;
    if (!Object.keys(set).length && !force) { setPlan(field ? null : first); return undefined; }
    setPlan(null);
    if (field && !Object.keys(set).length) return undefined;
    let gone = false;
    const wait = setTimeout(() => post("/api/letters/plan", { filter: { ...filter, through: first.through }, set, force }).then((p) => gone || (setPlan(p), setError("")), (e) => gone || setError(e.message)), 250);
    return () => { gone = true; clearTimeout(wait); };
  }, [first, field, value, removing, force]);
  const act = async () => {
    await post("/api/letters/replay", { filter: { ...filter, through: first.through }, set, force, rate: Number(rate) || 0, reason: reason.trim() || reasonOf(list[0], set) });
    say(`${plural(plan.count, "job")} will be ${field ? "changed and " : ""}replayed: the progress is on this page`);
    onDone();
  };
  const fields = first ? fieldsOf(first) : [];
  const verb = field ? "Fix and replay" : "Replay";
  const newer = first && (first.newer || force); // some of the letters are superseded
  const ways = waysOf(list, first?.sample[0]?.before).filter((w) => !w[0].open && !(w[0].field === field && w[0].value === value));
  const commands = plan?.count > 0 && (!field || value.trim()) ? commandsOf(one(filter, first), set, { force, rate: Number(rate) || 0, reason: reason.trim() }) : [];
  return html`<${Dialog} title="Fix and replay" wide act=${plan ? `${verb} ${plural(plan.count, "job")}` : verb} ready=${plan?.count > 0 && (!field || plan.changed > 0)} onAct=${act} onClose=${onClose}>
    ${(list.length ? list : cause ? [cause] : []).map((c) => html`<${Callout} key=${c.group} level="bad" says=${html`${list.length > 1 && html`<span class="tag">${plural(c.count, "letter")}</span> `}${causeOf(c.class)}: <${Message} text=${c.message} />`} hint=${c.hint} of=${c.class} />`)}
    ${error && html`<${Failure} says=${error} />`}
    ${!first && !error && html`<${Loading} />`}
    ${first && html`
      <div class="pair"><${Field} name="What to change"><select value=${field} onChange=${(e) => choose(e.target.value ? [{ field: e.target.value, open: true }] : [])}>
          <option value="" selected=${field === ""}>Nothing: it is repaired elsewhere</option>
          ${fields.map((f) => html`<option value=${f} selected=${f === field}>${fieldOf(f)}</option>`)}</select><//>
        ${field && html`<${Field} name="New value">${switches.includes(field) ? html`<select value=${value} onChange=${(e) => setValue(e.target.value)} data-first key=${field}>${[["", "Choose …"], ["true", "yes"], ["false", "no"]].map(([word, text]) => html`<option value=${word} selected=${word === value}>${text}</option>`)}</select>`
          : html`<input type="text" value=${value} placeholder=${field === "source.only" ? "consent=yes" : ""} onInput=${(e) => setValue(e.target.value)} data-first autofocus key=${field} />`}<//>`}</div>
      ${ways.length > 0 && html`<div class="small"><span class="soft">The error names</span> ${ways.map((w) => html`<button type="button" class="small" onClick=${() => choose(w)}>${fieldOf(w[0].field)}: ${switches.includes(w[0].field) ? shown(w[0].value === "true") : w[0].value}</button> `)}</div>`}
      ${besides.length > 0 && html`<div class="small soft">With it: ${besides.map((a) => `${fieldOf(a.field)} ${a.value}`).join(", ")}</div>`}
      ${removed && html`<label class="check"><input type="checkbox" checked=${removing} onChange=${(e) => setRemoving(e.target.checked)} /><span>Also remove ${removed}, which is more than is allowed: otherwise the job fails again</span></label>`}
      <${Samples} plan=${plan ?? first} field=${field} value=${value.trim()} />
      ${plan ? html`<${Plan} plan=${plan} field=${field} rate=${Number(rate)} />` : field && value.trim() && !error ? html`<${Loading} />` : null}
      <${Skipped} plan=${plan ?? first} />
      ${newer && html`<label class="check"><input type="checkbox" checked=${force} onChange=${(e) => setForce(e.target.checked)} /><span>Replay also what a newer job has superseded: it undoes what that job did</span></label>
        ${!force && html`<div><button type="button" class="danger small" onClick=${() => letGo(true)}>Let them go …</button> <span class="small soft">discards what a newer job has superseded</span></div>`}`}`}
    <${Field} name="Reason" hint=${`Recorded in the audit with your name, ${session.user}. May be left empty.`}><input type="text" maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} /><//>
    <details class="small"><summary>Pace</summary><${Field} name="Jobs a second" hint="Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${rate} onInput=${(e) => setRate(e.target.value)} /><//></details>
    ${commands.length > 0 && html`<${Folded}>${commands.map((c) => html`<code key=${c}>${c}</code>`)}${commands.length > 1 && html`<span>with the numbers that the first command prints as SEQ</span>`}<//>`}
  <//>
  ${letting && html`<${LetGo} plan=${first} filter=${{ ...filter, through: first.through }} onClose=${() => letGo(false)} onDone=${() => { onClose(); onDone(); }} />`}`;
}

// one returns a filter that selects one letter by its job's id, which an edit does not change.
function one(filter, plan) {
  const all = plan.count + plan.skipped + plan.refused;
  const id = (plan.sample[0] ?? plan.left[0])?.id;
  return all === 1 && id ? { id } : filter;
}

// LetGo discards the letters that newer jobs have superseded.
function LetGo({ plan, filter, onClose, onDone }) {
  const [reason, setReason] = useState("superseded by a newer job");
  const act = async () => {
    const { discarded } = await post("/api/letters/discard", { filter, superseded: true, reason });
    say(`${plural(discarded, "letter")} let go`);
    onDone();
  };
  return html`<${Dialog} title="Let go what newer jobs have superseded?" act="Let them go" danger ready=${reason.trim()} onAct=${act} onClose=${onClose}>
    <p><b>${plural(plan.newer, "letter")}</b> will be discarded for good, and the other letters stay. What the newer jobs did stays as it is.</p>
    <div><${Reasons} list=${plan.reasons.filter((r) => r.newer)} all=${plan.newer} left=${plan.left} /></div>
    <${Field} name="Reason" hint=${`Recorded in the audit with your name, ${session.user}.`}><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}

// fieldsOf returns the fields that the jobs of a plan have or could have.
function fieldsOf(plan) {
  const job = plan.sample[0]?.before;
  const has = flat(job).map(([name]) => name).filter((name) => !["id", "v", "source.ids"].includes(name));
  const likely = plan.causes.flatMap((c) => [...c.remedies.flat().map((a) => a.field), causes[c.class]?.field]).filter(Boolean);
  return [...new Set([...has, ...(job?.source ? extra : []), ...likely])];
}

const reasonOf = (cause, set) => {
  const changes = Object.entries(set).map(([field, value]) => `${fieldOf(field)} set to ${switches.includes(field) ? shown(value === "true") : value}`);
  return `${changes.join(", ") || "repaired elsewhere"}: ${cause?.message ?? ""}`.slice(0, 300);
};

// Samples shows the oldest jobs, with the old and the new value of the field.
function Samples({ plan, field, value }) {
  if (plan.sample.length === 0) return null;
  return html`<table class="cards diff"><thead><tr><th>Sample</th>${field ? html`<th>Now</th><th>Then</th>` : html`<th>Job</th>`}</tr></thead><tbody>
    ${plan.sample.map((s) => html`<tr key=${s.seq}><td class="break">${s.id ?? `letter ${s.seq}`}</td>
      ${field ? html`<td class="break" data-name="Now"><del>${shown(valueAt(s.before, field))}</del></td><td class="break" data-name="Then">${value ? html`<ins>${s.fields.length ? shown(valueAt(s.after, field)) : switches.includes(field) ? shown(value === "true") : value}</ins>` : html`<span class="faint">type the new value</span>`}</td>`
        : html`<td class="break whole small soft">${flat(s.before).filter(([k]) => !["id", "v"].includes(k)).slice(0, 5).map(([k, v]) => `${fieldOf(k)} ${shown(v)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`;
}

function Plan({ plan, field, rate }) {
  if (!plan.count && !plan.skipped && !plan.refused) return html`<${Callout} says="No dead letter is left: it was replayed or discarded." />`;
  const seconds = Math.max(plan.seconds, rate > 0 ? plan.count / rate : 0);
  return html`<p><b>${plural(plan.count, "job")}</b> will be ${field ? "changed and published again" : "published again as they are"}${seconds > 10 ? `; this takes at least ${span(seconds)}` : ""}. Uploads continue where they stopped${field ? ", unless what they read changes" : ""}.</p>
    ${plan.refused > 0 && html`<${Callout} level="warn" says=${`${plural(plan.refused, "letter")} stay as they are: this value is not possible there`} hint=${html`<${Words} text=${plan.says} />`} />`}`;
}

// Skipped says how many letters stay as they are, and why.
function Skipped({ plan }) {
  return plan.skipped > 0 && html`<${Callout} level="warn" says=${`${plural(plan.skipped, "letter")} skipped`}><${Reasons} list=${plan.reasons} all=${plan.skipped} left=${plan.left} /><//>`;
}

// Reasons says why letters are skipped, of all of them, and names one that is the only one of its reason.
function Reasons({ list, all, left }) {
  const first = list.slice(0, 4);
  const rest = all - first.reduce((n, r) => n + r.count, 0);
  return html`${first.map((r) => html`<div class="small break"><b>${number(r.count)}</b>: <${Words} text=${r.why} />${r.count === 1 && left.some((l) => l.why === r.why) && html` (${left.find((l) => l.why === r.why).id ?? "no id"})`}</div>`)}
    ${rest > 0 && html`<div class="small">and ${plural(rest, "letter")} for other reasons</div>`}`;
}
