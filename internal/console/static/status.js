// The status line on top of each page: whether what is shown is current, and if not, since when.
import { html, useEffect, useState } from "./ui.js";
import { readHealth } from "./api.js";
import { plural } from "./format.js";
import { Hint, Message } from "./parts.js";
import { exact, timeOfDay } from "./time.js";

// useStatus returns what the status line of a page shows, once a second. stale says that the
// figures on the page are old, because a service that they come from is lost.
export function useStatus(names) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const { state, heard, cut } = readHealth();
  const lost = (state?.services ?? []).filter((s) => s.since);
  const [first = "", second] = names;
  const counts = first === "" || first === "jobs" && !second; // pages of the jobs that were read last
  const needs = first === "campaigns" ? ["NATS", "Platform"] : ["NATS"];
  const gone = lost.filter((s) => needs.includes(s.name));
  // Times are compared on usher's clock, because the browser's may be wrong.
  const asOf = state && new Date(counts && !state.figures.startsWith("0001") ? state.figures : gone.length ? gone[0].since : state.at);
  const age = asOf ? (new Date(state.at) - asOf + now - heard) / 1000 : 0;
  return { state, lost, cut, heard, asOf, age: Math.max(0, age), stale: cut || gone.length > 0, well: !cut && lost.length === 0 };
}

export function StatusLine({ status: { state, lost, cut, heard, asOf, age, stale } }) {
  if (!state) return html`<div class="status"><span class="faint">${cut ? "usher does not respond" : "Connecting …"}</span></div>`;
  const nats = lost.some((s) => s.name === "NATS");
  const look = (s) => cut || nats && s.name === "NATS writes" ? "" : s.since ? "off" : "on";
  return html`<div class="status">
      ${state.services.map((s) => html`<span key=${s.name} class="service ${look(s)}"><i></i>${s.name}<span class="sr">${{ on: " works", off: " is lost" }[look(s)] ?? " unknown"}</span></span>`)}
      <span class="nowrap">${plural(state.workers, "worker")}${state.workers > 0 && html`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.round(state.oldest + Math.max(0, Date.now() - heard) / 1000)} s ago</span>`}</span>
      <span class="asof nowrap" title=${asOf && exact(asOf)}>as of ${stale ? timeOfDay(asOf) : Math.round(age) + " s"}</span>
    </div>
    <div class="lost" role="alert">
      ${cut && html`<${Bar} key="page" says=${`This page has no connection to usher since ${timeOfDay(heard)}; figures are from ${timeOfDay(Math.min(heard, asOf))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!cut && lost.map((s) => html`<${Bar} key=${s.name} hint=${s.hint} why=${s.why}
        says=${`${s.says} since ${timeOfDay(s.since)}${stale ? `; figures are from ${timeOfDay(asOf)}` : ""}.`} />`)}
    </div>`;
}

const Bar = ({ says, why, hint }) => html`<div class="callout bad"><div><div class="says">${says}</div><${Hint} text=${hint} />${why && html`<div class="faint small"><${Message} text=${why} /></div>`}</div></div>`;
