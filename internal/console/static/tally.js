// The tally of a job: a bar and a legend whose columns add up to the rows read.
import { html } from "./ui.js";
import { number, plural } from "./format.js";
import { reasonOf } from "./words.js";

const columns = [
  ["accepted", "Accepted"], ["unchanged", "Unchanged"], ["duplicate", "Duplicate"], ["suppressed", "Suppressed"], ["withheld", "Withheld"],
  ["junk", "Junk"], ["invalid", "Invalid"], ["refused", "Refused"],
];
const sum = (value) => (typeof value === "number" ? value : Object.values(value ?? {}).reduce((a, b) => a + b, 0));

function Bar({ tally }) {
  const rows = tally.read || 1;
  const text = columns.filter(([key]) => sum(tally[key])).map(([key, name]) => `${name.toLowerCase()} ${number(sum(tally[key]))}`).join(", ");
  return html`<div class="bar" role="img" aria-label=${text || "no rows yet"}>
    ${columns.map(([key]) => sum(tally[key]) > 0 && html`<i class="c-${key}" style=${{ flexGrow: sum(tally[key]) / rows }}></i>`)}
  </div>`;
}

export function Tally({ tally, dryRun }) {
  const total = columns.reduce((n, [key]) => n + sum(tally[key]), 0);
  return html`<${Bar} tally=${tally} />
    <div class="legend">
      ${columns.filter(([key]) => key === "accepted" || sum(tally[key]) > 0).map(([key, name]) => html`<div class="key" key=${key}>
        <i class="c-${key}"></i><span>${key === "accepted" && dryRun ? "Would be sent" : name}</span><b>${number(sum(tally[key]))}</b>
        ${typeof tally[key] === "object" && sum(tally[key]) > 0 && html`<div class="reasons">
          ${Object.entries(tally[key]).sort((a, b) => b[1] - a[1]).map(([reason, n]) => html`<span>${reasonOf(reason)}<span>${number(n)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${number(total)}</b> ${total === tally.read
        ? html`<span class="good-ink">= ${plural(tally.read, "row")} read</span>`
        : html`<span class="bad-ink">but ${plural(tally.read, "row")} read: please report this</span>`}</span></div>`;
}
