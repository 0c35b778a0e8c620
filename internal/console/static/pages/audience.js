// One audience: its size over time, the quality of its exports, its feed and its jobs.
import { html, useMemo, useState } from "../ui.js";
import { may, post, query, session, useData } from "../api.js";
import { Changed, changeOf } from "../consequence.js";
import { compact, number, plural } from "../format.js";
import { Chart } from "../chart.js";
import { Callout, Card, Dialog, Empty, Field, Figure, Hint, Loaded, Looking, Message, Page, Time, Words, say, soFar } from "../parts.js";
import { link } from "../route.js";
import { clock } from "../time.js";
import { Change, Due, everyOf, isLost, nameOf, titleOf } from "./audiences.js";
import { causeOf, meanings } from "../words.js";
import { Rows } from "./jobs.js";
import { overlapLink } from "./overlaps.js";
import { Memory } from "./understood.js";

export function Audience({ target }) {
  const path = "/api/audiences/" + encodeURIComponent(target);
  const result = useData(path, ["audiences", "letters"]);
  const [ask, setAsk] = useState("");
  const a = result.data;
  const acts = a && html`${a.ledger && html`<a class="button" href=${overlapLink(target)}>Overlaps</a>`}${may("operator") && html`${a.source && html`<button onClick=${() => setAsk("compare")}>Compare with an export …</button>`}
    ${a.ledger && html`<button onClick=${() => setAsk("verify")}>Check against the platform …</button>`}`}`;
  return html`<${Page} title=${a ? nameOf(a) : titleOf(target)} crumb=${html`<a href="#/audiences">Audiences</a>`} sub=${a && html`<${Due} f=${a.feed} />`} acts=${acts}>
    <${Loaded} result=${result}>${(a) => html`
      ${a.problems.map((p) => html`<${Callout} key=${p.says} level=${p.level} says=${html`<${Message} text=${p.says} />`} where=${p.where?.startsWith("/letters") ? "#" + p.where : undefined} />`)}
      <${Looking} l=${a.looking} />
      <${Figures} a=${a} />
      <div class="grid two-one">
        <div class="stack"><${Sizes} points=${a.sizes} /><${Trend} points=${a.trend} /><${Jobs} jobs=${a.jobs} looking=${a.looking} target=${target} /></div>
        <div class="stack"><${Feed} f=${a.feed} last=${a.jobs.find((j) => j.id === a.feed?.job)} onDone=${result.reload} /><${Ledger} l=${a.ledger} /><${Withheld} w=${a.withheld} /><${Memory} m=${a.memory} /></div>
      </div>`}<//>
    ${ask === "compare" && html`<${Compare} path=${path} source=${a.source} onClose=${() => setAsk("")} />`}
    ${ask === "verify" && html`<${Verify} path=${path} onClose=${() => setAsk("")} />`}
  <//>`;
}

function Figures({ a }) {
  const last = a.trend.at(-1);
  return html`<div class="figures">
    <${Figure} name="Ids" meaning=${meanings.ids} value=${a.size === null ? "–" : number(a.size)} note=${a.size === null ? a.looking ? still : "no job or ledger has said it" : a.sizeOf === "ledger" ? "in usher's ledger" : html`on the platform, <${Time} at=${a.sizeAt} />`} />
    <${Figure} name="Last change" meaning=${meanings.change} value=${html`<${Change} c=${a.last} />`} note=${a.last ? html`<${Time} at=${a.last.at} />` : a.looking ? still : "no job on record has changed it"} />
    <${Figure} name="Junk and invalid" meaning=${meanings.quality} value=${last ? `${share(last.junk + last.invalid, last.read)} %` : "–"} note=${last ? `of ${plural(last.read, "row")} in the last export` : a.looking ? still : a.jobs.length < 200 ? "no export on record was read" : "its newest 200 jobs have read no export"} bad=${last && (last.junk + last.invalid) / last.read > 0.05} />
    <${Figure} name="Open jobs" meaning=${meanings.open} value=${number(a.open)} note=${a.letters ? html`<span class="bad-ink">${plural(a.letters, "dead letter")}</span>` : "no dead letters"} />
  </div>`;
}

const still = "older jobs are being read";

const share = (part, whole) => (whole ? ((100 * part) / whole).toFixed(part && part / whole < 0.01 ? 2 : 1) : "0");
const seconds = (at) => Date.parse(at) / 1000;

function Sizes({ points }) {
  const data = useMemo(() => [points.map((p) => seconds(p.at)), points.map((p) => p.ledger), points.map((p) => p.platform)], [points]);
  return html`<${Card} title="Size" side=${html`<span class="faint small">ids, after each job</span>`}>
    ${points.length < 2 ? html`<${Empty} title="No history yet">The size is drawn once two jobs have ended.<//>`
      : html`<${Chart} data=${data} values=${compact} unit="ids" label=${`Ids over time, now ${number(points.at(-1).ledger ?? points.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger", "--c-accepted", { spanGaps: true, points: { show: true, size: 5 } }], ["on the platform", "--c-suppressed", { spanGaps: true, points: { show: true, size: 5 } }]]} />`}<//>`;
}

const qualityOf = (p) => `${share(p.junk, p.read)} % junk and ${share(p.invalid, p.read)} % invalid rows`;

function Trend({ points }) {
  const data = useMemo(() => [points.map((p) => seconds(p.at)), points.map((p) => (100 * p.junk) / p.read), points.map((p) => (100 * p.invalid) / p.read)], [points]);
  return html`<${Card} title="Data quality" side=${html`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${points.length < 2 ? html`<${Empty} title=${points.length ? `${qualityOf(points[0])} of the only export` : "No export was read yet"}>${points.length ? "A second export makes it a trend." : "The shares are drawn once two exports were read."}<//>`
      : html`<${Chart} data=${data} values=${(n) => (n < 10 ? n.toFixed(1) : Math.round(n)) + " %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk", "--c-junk", { points: { show: true, size: 5 } }], ["invalid", "--c-invalid", { points: { show: true, size: 5 } }]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`;
}

function Jobs({ jobs, looking, target }) {
  return html`<${Card} title="Jobs" flush side=${html`<a class="small" href=${"#/jobs" + query({ target })}>All jobs</a>`}>${jobs.length === 0 ? html`<${Empty} title=${looking ? "No job found so far" : "No jobs on record"} />` : html`<${Rows} jobs=${jobs.slice(0, 20)} />${jobs.length > 20 && html`<div class="foot">the newest 20 of ${jobs.length >= 200 ? "200 or more" : soFar(jobs.length, looking)}</div>`}`}<//>`;
}

const feedActs = {
  look: ["Look for a new export now?", "Look now", "A worker looks at once, and takes an export that is complete."],
  approve: ["Approve the held export?", "Approve export", "It is taken now, although it differs from what is expected."],
  reject: ["Reject the held export?", "Reject export", "It is not taken. The next export is judged again."],
  pause: ["Pause this feed?", "Pause feed", "No export is taken until somebody resumes it."],
  resume: ["Resume this feed?", "Resume feed", "The newest export is taken, if it was not."],
};

export function FeedDialog({ feed, versions, way, onClose, onDone = () => {} }) {
  const [reason, setReason] = useState("");
  const [seen] = useState(versions ?? []); // those that were held when the dialog opened
  const [title, verb, text] = feedActs[way];
  const act = async () => {
    await post(`/api/feeds/${encodeURIComponent(feed)}/${way}`, { reason, versions: seen });
    say(`${verb}: feed ${feed}`);
    onDone();
  };
  return html`<${Dialog} title=${title} act=${verb} danger=${way === "pause" || way === "reject"} ready=${way !== "pause" || reason.trim()} onAct=${act} onClose=${onClose}>
    <p>${text}</p><${Field} name="Reason" hint=${`Recorded in the audit with your name, ${session.user}.`}><input type="text" maxlength="1000" value=${reason} onInput=${(e) => setReason(e.target.value)} data-first /><//>
  <//>`;
}

function Feed({ f, last, onDone }) {
  const [ask, setAsk] = useState("");
  if (!f) return html`<${Card} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
  const ways = f.held ? [f.approvable ? "approve" : "look", "reject"] : f.paused ? ["resume"] : ["look", "pause"];
  return html`<${Card} title=${`Feed ${f.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${f.watch}</dd>
      <dt>Looks</dt><dd>${everyOf(f)}</dd>
      <dt>Looked</dt><dd><${Time} at=${f.looked} />${f.blind && html` <span class="badge bad">blind</span>`}</dd>
      <dt>Expected</dt><dd>${f.late ? html`by ${clock(f.late)} <span class="badge bad">late</span>` : f.next ? `by ${clock(f.next)}` : "at any time"}</dd>
      <dt>Last taken</dt><dd>${f.last ? html`<${Time} at=${f.last} />${f.rows > 0 && `, ${plural(f.rows, "row")}`}` : "nothing yet"}</dd>
      ${isLost(f.jobState) && html`<dt>Not uploaded</dt><dd><a href=${link("jobs", f.job)}>Its job</a> ${f.error ? html`has failed. ${causeOf(f.error.class)}: <${Message} text=${f.error.message} /><${Hint} text=${f.error.hint} of=${f.error.class} letters=${{ id: f.job }} remedies=${f.remedies} />` : "was cancelled"}</dd>`}
      ${last && changeOf(last) && html`<dt>Changed</dt><dd><a href=${link("jobs", last.id)}><${Changed} r=${last} /></a></dd>`}
      ${f.why && html`<dt>Now</dt><dd><${Words} text=${f.why} /></dd>`}
      ${f.paused && html`<dt>Paused by</dt><dd>${f.paused}</dd>`}
    </dl>
    ${may("operator") && html`<div class="acts-line">${ways.map((w) => html`<button class="small ${w === "pause" || w === "reject" ? "danger" : ""}" onClick=${() => setAsk(w)}>${feedActs[w][1]} …</button>`)}</div>`}
    ${ask && html`<${FeedDialog} feed=${f.name} versions=${ask === "approve" ? f.approvable : f.versions} way=${ask} onClose=${() => setAsk("")} onDone=${onDone} />`}<//>`;
}

function Ledger({ l }) {
  return html`<${Card} title="Ledger">${!l ? html`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`
    : html`<dl class="facts"><dt>From</dt><dd><${Time} at=${l.at} /></dd><dt>Ids</dt><dd>${number(l.count)}${l.changed && html` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${link("jobs", l.job)}>${l.job}</a></dd>${l.pending && html`<dt>Changing now</dt><dd class="break"><a href=${link("jobs", l.pending)}>${l.pending}</a></dd>`}</dl>`}<//>`;
}

// Withheld says whom the last mirror has left out.
function Withheld({ w }) {
  if (!w) return null;
  return html`<${Card} title="Left out by the last mirror"><dl class="facts">
    ${w.except.map((e) => html`<dt>Members of</dt><dd><a href=${link("audiences", e.target)}>${nameOf(e)}</a>: ${plural(e.count, "id")}<div class="note">as of its generation ${number(e.generation)}, <${Time} at=${e.at} /></div></dd>`)}
    ${w.holdout && html`<dt>Held out</dt><dd>${plural(w.holdout.count, "id")}: ${w.holdout.percent} % by the key “${w.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`;
}

function Compare({ path, source, onClose }) {
  const [url, setURL] = useState(source.includes("?…") ? "" : source);
  const act = async () => {
    const { id } = await post(path + "/compare", { url: url.trim() });
    say("Comparing: nothing is sent");
    location.hash = link("jobs", id);
  };
  return html`<${Dialog} title="Compare with an export" act="Compare" wide ready=${url.trim()} onAct=${act} onClose=${onClose}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Field} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${url} onInput=${(e) => setURL(e.target.value)} data-first /><//>
  <//>`;
}

function Verify({ path, onClose }) {
  const [found, set] = useState(null);
  const act = async () => {
    set(await post(path + "/verify"));
    throw new Error(""); // the dialog stays open with the result
  };
  const wrong = found && found.missing + found.unexpected, unknown = found && found.count === null;
  const holds = !found ? "" : unknown ? `Which ids it holds is not known until its next mirror: ${plural(found.uncertain, "id")} may be members, and were not asked for.` : `The ledger holds ${plural(found.count, "id")}.`;
  return html`<${Dialog} title="Check against the platform" act=${found ? "Check again" : "Check"} dismiss=${found ? "Close" : "Cancel"} onAct=${act} onClose=${onClose}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${found && html`<${Callout} level=${wrong ? "bad" : unknown ? "warn" : "good"} says=${wrong ? `${number(wrong)} of ${number(found.asked)} answers differ` : `All ${number(found.asked)} answers agree`}
      hint=${wrong ? `${number(found.missing)} ids are missing on the platform, ${number(found.unexpected)} are there although they should not be. ${unknown ? holds : `The ledger is off by ${found.low.toFixed(2)} to ${found.high.toFixed(2)} %.`}` : holds} />`}
  <//>`;
}
