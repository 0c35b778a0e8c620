// Charts drawn by uPlot, in the page's colours and at its width.
import { html, useEffect, useRef } from "./ui.js";
import { number, plural, span } from "./format.js";
import { onTheme } from "./settings.js";
import { exact, isUTC, now, ticks, timeOfDay, zone } from "./time.js";
import uPlot from "./vendor/uplot.js";

// colour resolves a CSS variable, which has a light and a dark value.
function colour(name, at) {
  at.style.color = `var(${name})`;
  const value = getComputedStyle(at).color;
  at.style.color = "";
  return value;
}

const font = "11px system-ui, sans-serif";
const axis = (at, values, size = 52) => ({
  stroke: colour("--ink-faint", at), font, size, values,
  grid: { stroke: colour("--line", at), width: 1 }, ticks: { show: false },
});

// whole are steps between the marks of an axis of counts: 1, 2, 5, 10 …
const whole = Array.from({ length: 16 }, (_, n) => [1, 2, 5].map((k) => k * 10 ** n)).flat();

// drawMarks draws outages as bands and starts of workers as lines behind the data.
function drawMarks(u, marks, at) {
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  const inside = (x) => Math.min(Math.max(x, left), left + width);
  ctx.save();
  for (const m of marks) {
    const x = u.valToPos(Date.parse(m.at) / 1000, "x", true);
    if (m.kind === "outage") {
      const to = m.until ? u.valToPos(Date.parse(m.until) / 1000, "x", true) : left + width;
      ctx.fillStyle = colour("--bad-soft", at);
      ctx.fillRect(inside(x), top, Math.max(inside(to) - inside(x), devicePixelRatio), height);
    } else if (x >= left && x <= left + width) {
      ctx.strokeStyle = colour("--ink-faint", at);
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + height);
      ctx.stroke();
    }
  }
  ctx.restore();
}

// Marks says what the marks of a chart are.
function Marks({ marks, from, to }) {
  const end = (m) => (m.kind === "start" ? Date.parse(m.at) : m.until ? Date.parse(m.until) : now()) / 1000;
  const shown = marks.filter((m) => end(m) >= from && Date.parse(m.at) / 1000 <= to);
  if (shown.length === 0) return null;
  const alike = Object.values(Object.groupBy(shown, (m) => m.kind + m.says)).sort((a, b) => Date.parse(a.at(-1).at) - Date.parse(b.at(-1).at)); // oldest first
  return html`<ul class="marks small soft">${alike.length > 4 && html`<li>and ${plural(alike.length - 4, "earlier event")}</li>`}${alike.slice(-4).map((all) => [all.length, all.at(-1)]).map(([n, m]) => html`<li><i class=${m.kind}></i><span class="nowrap" title=${exact(m.at)}>${timeOfDay(m.at)}</span> ${m.says}${m.kind === "outage" && (m.until ? ` for ${span((Date.parse(m.until) - Date.parse(m.at)) / 1000)}` : ", still")}${n > 1 && `; ${n === 2 ? "once" : `${number(n - 1)} times`} before`}</li>`)}</ul>`;
}

// widened returns a range of time of at least ten minutes: of less, as of two exports in a row, the axis
// would have fractions of seconds.
function widened(from, to) {
  const lacks = 600 - (to - from);
  return lacks > 0 && from != null ? [from - lacks / 2, to + lacks / 2] : [from, to];
}

// Chart draws data in uPlot's format. Each of lines is [name, colour, options]. unit is that of the
// values; counts says that they are whole numbers; marks are outages and starts.
export function Chart({ data, lines, height = 180, values, label, min = 1, unit, counts, marks }) {
  const latest = useRef(marks);
  latest.current = marks;
  const box = useRef(null);
  const plot = useRef(null);
  const draw = () => {
    const at = box.current;
    plot.current?.destroy();
    plot.current = new uPlot({
      tzDate: (t) => (isUTC() ? uPlot.tzDate(new Date(t * 1000), "UTC") : new Date(t * 1000)),
      width: at.clientWidth, height, padding: [8, 22, 0, 0], // the last time stands below the end of the axis
     
      cursor: { points: { size: 6 }, y: false },
      legend: { live: true },
      scales: { x: { range: (_, from, to) => widened(from, to) }, y: { range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(high ?? 0, min) * 1.1] } },
      hooks: { drawClear: [(u) => drawMarks(u, latest.current ?? [], at)] },
      axes: [{ ...axis(at), size: 46, space: 70, label: zone(), labelSize: 14, labelGap: 0, labelFont: font, values: (_, list, __, ___, step) => ticks(list, step) }, { ...axis(at, (_, list) => list.map(values ?? String), unit ? 66 : 52), ...(counts ? { incrs: whole } : {}), ...(unit ? { label: unit, labelSize: 16, labelGap: 0, labelFont: font } : {}) }],
      series: [{ value: (_, t) => (t ? exact(t * 1000) : "") },
        ...lines.map(([name, hue, more]) => ({
          label: name, stroke: colour(hue, at), width: 1.75, points: { show: false },
          value: (_, n) => (n == null ? "" : (values ?? String)(n)), ...more, ...(more?.filled ? { fill: colour(more.filled, at) } : {}),
        }))],
    }, data, at);
  };
  useEffect(() => {
    draw();
    const sized = new ResizeObserver(() => {
      if (plot.current && box.current && plot.current.width !== box.current.clientWidth) plot.current.setSize({ width: box.current.clientWidth, height });
    });
    sized.observe(box.current);
    const stop = onTheme(draw);
    return () => {
      sized.disconnect();
      stop();
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => { plot.current?.setData(data); }, [data]);
  useEffect(() => { plot.current?.redraw(false); }, [marks]);
  return html`<div class="chart" ref=${box} role="img" aria-label=${label}></div>
    ${marks?.length > 0 && html`<${Marks} marks=${marks} from=${data[0][0]} to=${Math.max(data[0].at(-1) ?? 0, now() / 1000 - 60)} />`}`;
}

export const bars = () => uPlot.paths.bars({ size: [0.7, 26], radius: 0.15 });
