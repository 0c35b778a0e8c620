// Tables whose columns can be sorted. The order stands in the address, as sort=size or sort=-size.
import { html, useMemo } from "./ui.js";
import { setParams } from "./route.js";

const collator = new Intl.Collator("en", { numeric: true });
const compare = (a, b) => (typeof a === "number" ? a - b : collator.compare(a, b));

// Table renders rows. A column has a key, a title, a cell, and a value by which it is sorted;
// num aligns it to the right. href returns the page of a row, which Enter opens.
export function Table({ columns, rows, params, id, href, label }) {
  const [, down, key] = /^(-?)(.*)$/.exec(params.sort ?? "");
  const by = columns.find((c) => c.key === key);
  const sorted = useMemo(() => {
    if (!by) return rows;
    const known = rows.filter((r) => by.value(r) != null).sort((a, b) => compare(by.value(a), by.value(b)));
    return [...(down ? known.reverse() : known), ...rows.filter((r) => by.value(r) == null)]; // what is not known is last
  }, [rows, key, down]);
  return html`<table class="cards" aria-label=${label}><thead><tr>${columns.map((c) => html`<${Head} key=${c.key} c=${c} way=${c === by ? (down ? "descending" : "ascending") : "none"} />`)}</tr></thead><tbody>
    ${sorted.map((r) => html`<tr key=${id(r)} data-href=${href?.(r)}>${columns.map((c) => html`<td class=${`${c.num ? "num" : ""} ${c.look ?? ""}`} data-name=${c.card === false ? undefined : c.title}>${c.cell(r)}</td>`)}</tr>`)}</tbody></table>`;
}

function Head({ c, way }) {
  if (!c.value) return html`<th class=${c.num ? "num" : ""}>${c.title}</th>`;
  const next = { none: c.num ? "-" + c.key : c.key, descending: c.num ? c.key : "", ascending: c.num ? "" : "-" + c.key }[way];
  return html`<th class=${c.num ? "num" : ""} aria-sort=${way}><button class="sort" title=${c.meaning ?? "Sort by this column"} onClick=${() => setParams({ sort: next })}>${c.title}<span aria-hidden="true">${{ none: "", ascending: " ▲", descending: " ▼" }[way]}</span></button></th>`;
}
