// The workers: which run, since when, in what version, what they do, and which are gone.
import { html, useEffect } from "../ui.js";
import { useData } from "../api.js";
import { bytes, number, plural } from "../format.js";
import { Callout, Card, Empty, InTerminal, Loaded, Time } from "../parts.js";
import { link } from "../route.js";
import { Table } from "../table.js";

function Doing({ w }) {
  if (w.gone) return html`<span class="faint">nothing</span>`;
  if (w.jobs.length === 0) return html`<span class="soft">waits for jobs</span>`;
  return html`<div>${w.jobs.slice(0, 4).map((id) => html`<div class="small break"><a href=${link("jobs", id)}>${id}</a></div>`)}${w.jobs.length > 4 && html`<div class="small faint">and ${number(w.jobs.length - 4)} more</div>`}</div>`;
}

function Health({ w }) {
  if (w.gone) return w.stopped ? html`<span class="badge">stopped</span>` : html`<span class="badge bad">gone</span>`;
  if (Object.keys(w.slots ?? {}).length === 0) return html`<span class="badge warn">stopping</span>`;
  return w.down ? html`<span class="badge bad">${w.refused ? "login refused" : "platform down"}</span>` : html`<span class="badge good">works</span>`;
}

const columns = [
  { key: "name", title: "Worker", card: false, value: (w) => w.name, cell: (w) => html`<span class="strong break">${w.name}</span>` },
  { key: "state", title: "State", value: (w) => Number(w.gone), cell: (w) => html`<${Health} w=${w} />${w.gone && html`<div class="note">last heard <${Time} at=${w.heard} /></div>`}` },
  { key: "doing", title: "Does", cell: (w) => html`<${Doing} w=${w} />` },
  { key: "slots", title: "Slots by lane", cell: (w) => html`<div class="small">${Object.entries(w.slots ?? {}).filter(([, n]) => n > 0).map(([lane, n], i) => html`${i > 0 && ", "}<span class="nowrap">${lane} ${number(n)}</span>`)}</div>` },
  { key: "version", title: "Version", value: (w) => w.version, cell: (w) => html`<span class="small break">${w.version || "older"}</span>` },
  { key: "memory", title: "Memory", num: true, value: (w) => w.memory || null, cell: (w) => (w.memory ? bytes(w.memory) : html`<span class="faint none">–</span>`) },
  { key: "since", title: "Since", num: true, value: (w) => w.since && Date.parse(w.since), cell: (w) => html`<${Time} at=${w.since} />` },
];

// Workers lists the workers, and those that have stopped or are gone since a day.
export function Workers() {
  const result = useData("/api/workers");
  useEffect(() => {
    const timer = setInterval(() => document.hidden || result.reload(), 10_000);
    return () => clearInterval(timer);
  }, []);
  const workers = result.data?.workers ?? [];
  const versions = [...new Set(workers.filter((w) => !w.gone).map((w) => w.version))];
  const stopped = workers.filter((w) => w.gone && w.stopped).length;
  const gone = workers.filter((w) => w.gone && !w.stopped).length;
  return html`<${Card} title="Workers" flush><${Loaded} result=${result}>${() => html`
    ${versions.length > 1 && html`<${Callout} level="warn" says=${`${number(versions.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
    ${workers.length === 0 ? html`<${Empty} title="No worker answers">Jobs wait until one is started.<${InTerminal}>usher run<//><//>`
    : html`<${Table} label="Workers" columns=${columns} rows=${workers} params=${{}} id=${(w) => w.name} /><div class="foot">${plural(workers.length - gone - stopped, "worker")}${stopped > 0 ? `, ${number(stopped)} stopped` : ""}${gone > 0 ? `, ${number(gone)} gone` : ""}</div>`}`}<//><//>`;
}
