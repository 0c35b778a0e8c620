// Charts drawn by uPlot, in the page's colours and at its width.
import { html, useEffect, useRef } from "./ui.js";
import { exact, isUTC, ticks, zone } from "./time.js";
import uPlot from "./vendor/uplot.js";

// colour resolves a CSS variable, which has a light and a dark value.
function colour(name, at) {
  at.style.color = `var(${name})`;
  const value = getComputedStyle(at).color;
  at.style.color = "";
  return value;
}

const axis = (at, values, size = 52) => ({
  stroke: colour("--ink-faint", at), font: "11px system-ui, sans-serif", size, values,
  grid: { stroke: colour("--line", at), width: 1 }, ticks: { show: false },
});

// Chart draws data in uPlot's format. Each of lines is [name, colour, options].
export function Chart({ data, lines, height = 180, values, label, min = 1, unit }) {
  const box = useRef(null);
  const plot = useRef(null);
  const draw = () => {
    const at = box.current;
    plot.current?.destroy();
    plot.current = new uPlot({
      tzDate: (t) => (isUTC() ? uPlot.tzDate(new Date(t * 1000), "UTC") : new Date(t * 1000)),
      width: at.clientWidth, height, padding: [8, 8, 0, 0],
      cursor: { points: { size: 6 }, y: false },
      legend: { live: true },
      scales: { y: { range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(high ?? 0, min) * 1.1] } },
      axes: [{ ...axis(at), size: 46, space: 70, label: zone(), labelSize: 14, labelGap: 0, labelFont: "11px system-ui, sans-serif", values: (_, list, __, ___, step) => ticks(list, step) }, { ...axis(at, (_, list) => list.map(values ?? String), unit ? 66 : 52), ...(unit ? { label: unit, labelSize: 16, labelGap: 0, labelFont: "11px system-ui, sans-serif" } : {}) }],
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
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    window.addEventListener("theme", draw);
    return () => {
      sized.disconnect();
      scheme.removeEventListener("change", draw);
      window.removeEventListener("theme", draw);
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => { plot.current?.setData(data); }, [data]);
  return html`<div class="chart" ref=${box} role="img" aria-label=${label}></div>`;
}

export const bars = () => uPlot.paths.bars({ size: [0.7, 26], radius: 0.15 });
