// What a job has changed: how many ids it has added and removed, and which rows it has rejected.
import { html } from "./ui.js";
import { number } from "./format.js";
import { reasonOf } from "./words.js";

// changeOf says what a job has changed: "+1, −20,327, now 5"; "" if that is not known.
export function changeOf(r) {
  const c = r.consequence;
  if (c) return `${r.dryRun ? "would be " : ""}+${number(c.added)}, −${number(c.removed)}, ${r.dryRun ? "then" : "now"} ${number(c.now)}`;
  return r.new === undefined ? "" : `+${number(r.new)} of ${number(r.accepted)} accepted`;
}

// rejectedOf lists the rows that a job has rejected, by reason.
const rejectedOf = (rejected) => Object.entries(rejected ?? {}).sort((a, b) => b[1] - a[1]).map(([reason, n]) => `${number(n)} ${reasonOf(reason)}`).join(", ");

// Changed says what a job has changed, in red if a mirror has removed more than half of what it may.
export function Changed({ r }) {
  const change = changeOf(r);
  const rejected = rejectedOf(r.rejected);
  return html`${change && html`<span class=${r.consequence?.large ? "bad-ink" : ""}>${change}</span>`}${change && rejected && "; "}${rejected && html`rejected: ${rejected}`}`;
}
