// Decisions of rules and their runs, as several pages show them.
import { html } from "./ui.js";
import { figure, number, plural } from "./format.js";
import { Time } from "./parts.js";
import { link } from "./route.js";
import { countApprovable, guards, isApprovable, leftAlone, numbers } from "./words.js";

const looks = { done: "good", held: "warn", approved: "good", rejected: "" };
export const RunState = ({ is }) => html`<span class="badge ${looks[is] ?? ""}">${is}</span>`;

const actions = { pause: "warn", resume: "good", decrease: "warn", increase: "good", held: "warn", notify: "warn", unknown: "", none: "" };
const named = { unknown: "cannot decide", none: "unchanged" };
export const Action = ({ is }) => html`<span class="badge ${actions[is] ?? ""}">${named[is] ?? is}</span>`;

// changed formats the change of a budget or bid: "100 → 80 USD".
export const changed = (b) => (b.from === b.to ? `${b.from} ${b.currency ?? ""}` : `${b.from} → ${b.to} ${b.currency ?? ""}`);

// together returns decisions with those of a rule of level account as one, which has them as its parts,
// and so those that a rule could not make for the same reason.
export function together(all) {
  const rows = new Map();
  for (const d of all) {
    const isGap = d.action === "unknown";
    const key = d.level || isGap ? ["", d.date, d.rule, d.level, d.action, d.wants, d.guard, d.left, d.bidding?.field, (isGap || !d.bidding) && d.reason].join("\n") : [d.date, d.campaign, d.creative, d.bidding?.field].join("\n");
    if (rows.has(key)) rows.get(key).parts.push(d);
    else rows.set(key, d.level || isGap ? { ...d, key, parts: [d] } : { ...d, key });
  }
  return [...rows.values()].map((d) => (!d.level && d.parts?.length === 1 ? { ...d, parts: undefined } : d));
}

// reasonOf is the reason of a decision without what differs between its parts, and without what its
// action says.
export const reasonOf = (d) => (d.parts && d.bidding ? d.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/, "") : d.reason).replace(/^(unknown|would [^:]+, and waits for approval): /, "");

// Subject is what a decision is about: a creative, the campaign if its creatives were not read, or the
// budget or bid of a campaign; of decisions together all of them, which open.
export function Subject({ d }) {
  if (d.parts) {
    const what = d.bidding ? [`${numbers[d.bidding.field]}`, `${numbers[d.bidding.field]}s`] : ["creative"];
    const campaigns = plural(new Set(d.parts.map((p) => p.campaign)).size, "campaign");
    return html`<details><summary>${!d.bidding && d.parts.some((p) => !p.creative) ? campaigns : `${plural(d.parts.length, ...what)} of ${campaigns}`}</summary>${d.parts.map((p) => html`<div key=${p.key}><${Subject} d=${p} /></div>`)}</details>`;
  }
  const campaign = html`<div class="note"><a href=${link("campaigns", d.campaign)}>${d.campaign}</a></div>`;
  if (d.bidding) return html`<a class="id" href=${link("rules", "why", d.campaign)}>${numbers[d.bidding.field]}</a>${(d.action !== "unknown" || d.bidding.from > 0) && html`<div class="note">${changed(d.bidding)}</div>`}${campaign}`;
  if (!d.creative) return html`<a class="id" href=${link("campaigns", d.campaign)}>${d.campaign}</a>`;
  return html`<a class="id" href=${link("rules", "why", d.creative)}>${d.creative}</a>${campaign}`;
}

const order = ["pause", "resume", "decrease", "increase", "held", "notify", "unknown", "none"];
const many = { pause: ["pause"], resume: ["resume"], decrease: ["decrease"], increase: ["increase"], notify: ["notice"], none: ["unchanged", "unchanged"] };

// moved is the number of decisions of a run that needed no approval.
export const moved = (run) => ["pause", "resume", "decrease", "increase"].reduce((n, a) => n + (run.counts?.[a] ?? 0), 0);

// isStopped reports whether the stop switch held back changes of a run.
export const isStopped = (run) => run.warnings?.some((w) => w.code === "stopped");

// heldBy says what holds the held decisions of a run: by cooldown, or (1 waits for approval, 2 by cooldown).
function heldBy({ counts, state, guards: by = {} }, n, dropped, isSome) {
  const some = isSome ? [`${number(n)} ${state === "held" ? `${n === 1 ? "waits" : "wait"} for approval` : state}`, dropped && `${number(dropped)} dropped`] : [];
  const held = Object.keys(guards).filter((g) => by[g] && !leftAlone[g] && g !== "cap");
  if (held.length === 1 && by[held[0]] === counts.held) return ` by ${guards[held[0]]}`;
  const words = [...some.filter(Boolean), ...held.map((g) => `${number(by[g])} by ${guards[g]}`)];
  return words.length ? ` (${words.join(", ")})` : "";
}

// counted describes the number of decisions by action: "2 pauses, 1 held by cooldown". If an approval does
// not carry out all held decisions of the run, or others needed none, it says so: "3 held (1 approved,
// 1 dropped)". What stays as it is counts only if all is true: a run does not read all of it.
export function counted(run, all) {
  const { counts, state, leftOut } = run;
  const dropped = leftOut?.length ?? 0, n = countApprovable(run) - dropped;
  const isSome = state !== "done" && (n !== counts?.held || moved(run) > 0);
  const word = (a) => a === "unknown" ? `cannot decide on ${number(counts[a])}` : many[a] ? plural(counts[a], ...many[a]) : `${number(counts[a])} ${a}${heldBy(run, n, dropped, isSome)}`;
  const words = order.filter((a) => counts?.[a] && (all || a !== "none")).map(word);
  for (const g in leftAlone) if (run.guards?.[g]) words.push(`${number(run.guards[g])} ${leftAlone[g]}`);
  if (isStopped(run) && !run.guards?.stop) words.push("held back by the stop switch"); // of its jobs, after it had decided
  return words.length ? words.join(", ") : "nothing to do";
}

// wouldBe says what a held or reported decision would do, and what keeps it from that.
export const wouldBe = (d) => `would ${d.wants}${d.left ? ", left out of the approval" : guards[d.guard] ? `, held by ${guards[d.guard]}` : ""}`;

// didOf says what became of a decision that changed nothing, in the page of a creative's history p.
export function didOf(p) {
  const d = p.decision, number = d.bidding ? `the ${numbers[d.bidding.field]}` : "it";
  if (d.action === "unknown") return "could not decide";
  if (d.action === "none") return d.guard === "hands_off" ? `left ${number} alone` : `did not change ${number}`;
  if (d.action === "notify") return `would ${d.wants} ${number}, but only notifies`;
  if (d.action !== "held") return `decided to ${d.action} ${number}`;
  if (d.left) return `wanted to ${d.wants} ${number}, and ${p.by || "somebody"} approved the run without that`;
  if (isApprovable(d) && p.state === "held") return `wants to ${d.wants} ${number}, and waits for approval`;
  if (isApprovable(d) && p.state === "rejected") return `wanted to ${d.wants} ${number}, and ${p.by || "somebody"} rejected that`;
  return `wanted to ${d.wants} ${number}, but did not`;
}

// Figures renders metrics by name.
export function Figures({ metrics }) {
  const all = Object.entries(metrics ?? {});
  if (!all.length) return null;
  return html`<div class="small">${all.map(([name, n]) => html`<span class="tag">${name} ${figure(n)}</span> `)}</div>`;
}

// Paused says who has paused a rule, why and since when.
export function Paused({ p }) {
  if (!p) return null;
  return html` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${p.by} <${Time} at=${p.at} />${p.reason && `: ${p.reason}`}</div>`;
}
