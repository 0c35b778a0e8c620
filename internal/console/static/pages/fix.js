// Fix and replay: change a field in the jobs of many dead letters, and publish them again.
import { html, useEffect, useState } from "../ui.js";
import { post, session } from "../api.js";
import { number, plural, span } from "../format.js";
import { Callout, Dialog, Failure, Field, Loading, Message, Words, say } from "../parts.js";
import { causeOf, causes, fieldOf } from "../words.js";

const extra = ["source.column", "source.delimiter", "source.encoding", "maxRejectPercent"]; // useful although a job may not have them
const switches = ["force", "acceptChange", "dryRun"]; // are yes or no

// flat returns the fields of a job by their dotted names.
export function flat(job, prefix = "") {
  return Object.entries(job ?? {}).flatMap(([name, value]) => value && typeof value === "object" && !Array.isArray(value) ? flat(value, prefix + name + ".") : [[prefix + name, value]]);
}
export const shown = (value) => value === undefined ? "not set" : value === true ? "yes" : value === false ? "no" : Array.isArray(value) ? value.map(shown).join(", ") : typeof value === "object" && value ? flat(value).map(([k, v]) => `${k} ${shown(v)}`).join(", ") : String(value);
const valueAt = (job, field) => field.split(".").reduce((object, name) => object?.[name], job);

// guess returns the field that a cause is most likely about.
function guess(cause, fields) {
  const named = /(?:--set |--)?(source\.\w+)/.exec(cause.hint ?? "")?.[1];
  if (named) return named;
  if (cause.class === "not_found") return fields.find((f) => f === "segment" || f === "campaign") ?? "";
  if (causes[cause.class]?.field) return causes[cause.class].field;
  return fields.find((f) => cause.class === "invalid_job" && cause.message?.includes("/" + f.replaceAll(".", "/"))) ?? "";
}

export function Fix({ cause, filter, onClose, onDone = () => {} }) {
  const [first, setFirst] = useState(null); // the plan without a change
  const [field, setField] = useState("");
  const [value, setValue] = useState("");
  const [reason, setReason] = useState("");
  const [plan, setPlan] = useState(null);
  const [error, setError] = useState("");
  const set = field && value.trim() ? { [field]: value.trim() } : {};
  useEffect(() => {
    let gone = false;
    post("/api/letters/plan", { filter }).then((p) => {
      if (gone) return;
      setFirst(p);
      const likely = guess(cause, fieldsOf(p, cause));
      setField(likely);
      setValue(likely && likely === causes[cause.class]?.field ? causes[cause.class].value ?? "" : "");
    }, (e) => gone || setError(e.message));
    return () => { gone = true; };
  }, []);
  useEffect(() => { if (field) document.querySelector("dialog[open] [data-first]")?.focus(); }, [first]);
  useEffect(() => {
    if (!first) return undefined;
    if (!Object.keys(set).length) { setPlan(field ? null : first); return undefined; }
    setPlan(null);
    let gone = false;
    const wait = setTimeout(() => post("/api/letters/plan", { filter: { ...filter, through: first.through }, set }).then((p) => gone || (setPlan(p), setError("")), (e) => gone || setError(e.message)), 250);
    return () => { gone = true; clearTimeout(wait); };
  }, [first, field, value]);
  const act = async () => {
    await post("/api/letters/replay", { filter: { ...filter, through: first.through }, set, reason: reason.trim() || reasonOf(cause, set) });
    say(`${plural(plan.count, "job")} will be ${field ? "changed and " : ""}replayed: the progress is on this page`);
    onDone();
  };
  const fields = first ? fieldsOf(first, cause) : [];
  const verb = field ? "Fix and replay" : "Replay";
  return html`<${Dialog} title="Fix and replay" wide act=${plan ? `${verb} ${plural(plan.count, "job")}` : verb} ready=${plan?.count > 0 && (!field || plan.changed > 0)} onAct=${act} onClose=${onClose}>
    <${Callout} level="bad" says=${cause.class ? html`${causeOf(cause.class)}: <${Message} text=${cause.message} />` : cause.message} hint=${cause.hint} of=${cause.class} />
    ${error && html`<${Failure} says=${error} />`}
    ${!first && !error && html`<${Loading} />`}
    ${first && html`
      <div class="pair"><${Field} name="What to change"><select value=${field} onChange=${(e) => { setField(e.target.value); setValue(""); }}>
          <option value="" selected=${field === ""}>Nothing: it is repaired elsewhere</option>
          ${fields.map((f) => html`<option value=${f} selected=${f === field}>${fieldOf(f)}</option>`)}</select><//>
        ${field && html`<${Field} name="New value">${switches.includes(field) ? html`<select value=${value} onChange=${(e) => setValue(e.target.value)} data-first key=${field}>${[["", "Choose …"], ["true", "yes"], ["false", "no"]].map(([word, text]) => html`<option value=${word} selected=${word === value}>${text}</option>`)}</select>`
          : html`<input type="text" value=${value} onInput=${(e) => setValue(e.target.value)} data-first autofocus key=${field} />`}<//>`}</div>
      <${Samples} plan=${plan ?? first} field=${field} value=${value.trim()} />
      ${plan ? html`<${Plan} plan=${plan} field=${field} />` : field && value.trim() && !error ? html`<${Loading} />` : null}`}
    <${Field} name="Reason" hint=${`Recorded in the audit with your name, ${session.user}. May be left empty.`}><input type="text" maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} /><//>
  <//>`;
}

// fieldsOf returns the fields that the jobs of a plan have or could have.
function fieldsOf(plan, cause) {
  const job = plan.sample[0]?.before;
  const has = flat(job).map(([name]) => name).filter((name) => !["id", "v", "source.ids"].includes(name));
  const likely = causes[cause.class]?.field;
  return [...new Set([...has, ...(job?.source ? extra : []), ...(likely ? [likely] : [])])];
}

const reasonOf = (cause, set) => {
  const [[field, value] = []] = Object.entries(set);
  return `${field ? `${fieldOf(field)} set to ${switches.includes(field) ? shown(value === "true") : value}` : "repaired elsewhere"}: ${cause.message}`.slice(0, 300);
};

// Samples shows the oldest jobs, with the old and the new value of the field.
function Samples({ plan, field, value }) {
  if (plan.sample.length === 0) return null;
  return html`<table class="cards diff"><thead><tr><th>Sample</th>${field ? html`<th>Now</th><th>Then</th>` : html`<th>Job</th>`}</tr></thead><tbody>
    ${plan.sample.map((s) => html`<tr key=${s.seq}><td class="break">${s.id ?? `letter ${s.seq}`}</td>
      ${field ? html`<td class="break" data-name="Now"><del>${shown(valueAt(s.before, field))}</del></td><td class="break" data-name="Then">${value ? html`<ins>${s.fields.length ? shown(valueAt(s.after, field)) : switches.includes(field) ? shown(value === "true") : value}</ins>` : html`<span class="faint">type the new value</span>`}</td>`
        : html`<td class="break whole small soft">${flat(s.before).filter(([k]) => !["id", "v"].includes(k)).slice(0, 5).map(([k, v]) => `${fieldOf(k)} ${shown(v)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`;
}

function Plan({ plan, field }) {
  return html`<p><b>${plural(plan.count, "job")}</b> will be ${field ? "changed and published again" : "published again as they are"}${plan.seconds > 10 ? `; this takes at least ${span(plan.seconds)}` : ""}. Uploads continue where they stopped${field ? ", unless what they read changes" : ""}.</p>
    ${plan.refused > 0 && html`<${Callout} level="warn" says=${`${plural(plan.refused, "letter")} stay as they are: this value is not possible there`} hint=${html`<${Words} text=${plan.says} />`} />`}
    ${plan.skipped > 0 && html`<${Callout} level="warn" says=${`${number(plan.skipped)} skipped`}>${plan.left.slice(0, 3).map((l) => html`<div class="small break">${l.id ?? `letter ${l.seq}`}: ${l.why}</div>`)}<//>`}`;
}
