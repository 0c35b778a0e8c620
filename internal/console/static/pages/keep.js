// Keeping rules from a creative, or from a campaign's budget and bid.
import { html, useState } from "../ui.js";
import { may, post } from "../api.js";
import { Dialog, Field, Time, say } from "../parts.js";
import { exact } from "../time.js";

// KeptBy says who keeps rules from something, and until when.
export const KeptBy = ({ s }) => html`kept by ${s.by || "somebody"} until ${s.until ? html`<time datetime=${s.until}>${exact(s.until)}</time>` : "released"}`;

// Kept says that beside a name, with the reason.
export function Kept({ s }) {
  if (!s) return null;
  return html`<div class="note warn-ink"><${KeptBy} s=${s} />${s.reason && `: ${s.reason}`} <span class="faint">(<${Time} at=${s.at} />)</span></div>`;
}

// aDate is the choice of a date while none is picked.
export const aDate = "date";

const choices = [["2h", "for 2 hours"], ["tomorrow", "until tomorrow"], ["monday", "until Monday"], ["released", "until somebody hands it back"], [aDate, "until a date …"]];

// KeepChoice lets a person choose until when rules leave something alone. Without required, rules
// may change it: then the value is empty.
export function KeepChoice({ until, onUntil, required }) {
  const known = choices.some(([word]) => word === until);
  const picked = until === "" || known ? until : aDate;
  return html`<${Field} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${picked} onChange=${(e) => onUntil(e.target.value)}>
        ${!required && html`<option value="" selected=${picked === ""}>may change it at once</option>`}
        ${choices.map(([word, text]) => html`<option value=${word} selected=${picked === word}>leave it alone ${text}</option>`)}
      </select><//>
    ${picked === aDate && html`<${Field} name="Until the beginning of"><input type="date" required value=${known ? "" : until} onInput=${(e) => onUntil(e.target.value || aDate)} /><//>`}`;
}

// KeepActs are the acts that keep rules from something, and hand it back.
export function KeepActs({ code, campaign = "", kept, what = "it", onDone = () => {} }) {
  const [ask, setAsk] = useState("");
  if (!may("operator")) return null;
  return html`<button class="small" onClick=${() => setAsk(kept ? "release" : "keep")}>${kept ? "Hand back to rules …" : `Keep rules from ${what} …`}</button>
    ${ask && html`<${KeepDialog} code=${code} campaign=${campaign} way=${ask} what=${what} onClose=${() => setAsk("")} onDone=${onDone} />`}`;
}

function KeepDialog({ code, campaign, way, what, onClose, onDone }) {
  const [reason, setReason] = useState(""), [until, setUntil] = useState("tomorrow");
  const keeps = way === "keep", name = what === "it" ? code : `the ${what} of ${code}`;
  const act = async () => {
    await post(`/api/rules/${way}`, keeps ? { code, campaign, until, reason } : { code, reason });
    say(keeps ? `Rules leave ${name} alone` : `Rules may change ${name} again`);
    onDone();
  };
  return html`<${Dialog} title=${keeps ? `Keep rules from ${name}?` : `Hand ${name} back to rules?`} act=${keeps ? "Keep" : "Hand back"} ready=${reason.trim() && (!keeps || until !== aDate)} onAct=${act} onClose=${onClose}>
    <p>${keeps ? "Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself." : "The next run of each rule decides on it again."}</p>
    ${keeps && html`<${KeepChoice} until=${until} onUntil=${setUntil} required />`}
    <${Field} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}
