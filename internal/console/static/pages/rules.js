// Rules: the stop switch of campaign actions.
import { html, useState } from "../ui.js";
import { may, post, useData } from "../api.js";
import { Callout, Dialog, Field, Loaded, Page, say } from "../parts.js";

export function Rules() {
  const from = useData("/api/overview", ["overview", "rules"]);
  const [ask, setAsk] = useState("");
  const stopped = from.data?.stopped;
  return html`<${Page} title="Rules" sub="What pauses and resumes creatives by itself, and the switch that stops all of it."
      acts=${from.data && (stopped == null ? may("operator") && html`<button class="danger" onClick=${() => setAsk("stop")}>Stop all campaign actions …</button>`
        : may("admin") && html`<button class="primary" onClick=${() => setAsk("start")}>Start them again …</button>`)}>
    <${Loaded} from=${from}>${() => html`<${Switch} stopped=${stopped} />`}<//>
    ${ask && html`<${Turn} way=${ask} onClose=${() => setAsk("")} onDone=${from.reload} />`}
  <//>`;
}

function Switch({ stopped }) {
  return stopped == null ? html`<${Callout} level="good" says="Campaign actions are on" hint="Pauses and resumes, by rules and by hand, are carried out." />`
    : html`<${Callout} level="bad" says=${`Campaign actions are stopped${stopped ? ": " + stopped : ""}`} hint="Nothing is paused or resumed, by nobody. What waits goes on when an admin starts them again." />`;
}

function Turn({ way, onClose, onDone }) {
  const [reason, setReason] = useState("");
  const stop = way === "stop";
  const act = async () => {
    await post(stop ? "/api/stop" : "/api/start", stop ? { reason } : {});
    say(stop ? "Campaign actions are stopped" : "Campaign actions are on again");
    onDone();
  };
  return html`<${Dialog} title=${stop ? "Stop all campaign actions?" : "Start campaign actions again?"} act=${stop ? "Stop" : "Start"} danger=${stop} ready=${!stop || reason.trim()} onAct=${act} onClose=${onClose}>
    <p>${stop ? "No job sets a creative's status any more, whether a rule wants it or a person: what is under way stops before its next call. Only an admin starts them again." : "What waited for it goes on within seconds, unless it is too old by then."}</p>
    ${stop && html`<${Field} name="Reason" hint="For those who meet it, and for the audit."><input type="text" required maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>`}
  <//>`;
}
