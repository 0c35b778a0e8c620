// A grid with a line for each creative or number, and a cell for each day.
import { html } from "./ui.js";
import { number } from "./format.js";
import { Card } from "./parts.js";

const maxLines = 100;

// DayGrid draws lines, which are [name, cells]; a cell has a look, a title and perhaps a text. legend
// has [look, text].
export function DayGrid({ title, days, lines, legend }) {
  if (lines.length === 0) return null;
  const labels = matchMedia("(max-width: 700px)").matches ? 3 : 8;
  return html`<${Card} title=${title} side=${html`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${title} style=${`--days: ${days.length}`}>${lines.slice(0, maxLines).map(([name, cells]) => html`<b class="small" title=${name}>${name}</b>${cells.map((c) => html`<span class="cell ${c.look}" title=${c.title}>${c.text}</span>`)}`)}
      <i></i>${days.map((d, n) => html`<span class="small faint">${n % Math.ceil(days.length / labels) === 0 ? d.slice(5) : ""}</span>`)}</div>
    <div class="small faint">${legend.map(([look, text]) => html`<span class="cell ${look}"></span> ${text} `)}${lines.length > maxLines && `· ${number(lines.length - maxLines)} more lines are not shown`}</div><//>`;
}

// linesOf returns the lines of values that a function names, each a map by day.
export function linesOf(values, name, day) {
  const lines = new Map();
  for (const v of values) {
    if (!lines.has(name(v))) lines.set(name(v), new Map());
    const byDay = lines.get(name(v));
    byDay.set(day(v), [...(byDay.get(day(v)) ?? []), v]);
  }
  return lines;
}
