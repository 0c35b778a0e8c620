// Tables whose columns can be sorted. The order stands in the address, as sort=size or sort=-size.
import { html, useMemo } from "./ui.js";
import { here, setParams } from "./route.js";

const collator = new Intl.Collator("en", { numeric: true });
const compare = (a, b) => (typeof a === "number" ? a - b : collator.compare(a, b));

// useOrder returns rows in the order that a parameter of the address says, and the header cells.
// A column has a key, a title, and a value by which it is sorted; num aligns it to the right.
function useOrder(columns, rows, name) {
  const [, down, key] = /^(-?)(.*)$/.exec(here().params[name] ?? "");
  const by = columns.find((c) => c.key === key && c.value);
  const sorted = useMemo(() => {
    if (!by) return rows;
    const known = rows.filter((r) => by.value(r) != null).sort((a, b) => compare(by.value(a), by.value(b)));
    return [...(down ? known.reverse() : known), ...rows.filter((r) => by.value(r) == null)]; // what is not known is last
  }, [rows, key, down]);
  return [sorted, columns.map((c) => html`<${Head} key=${c.key} c=${c} name=${name} way=${c === by ? (down ? "descending" : "ascending") : "none"} />`)];
}

function Head({ c, name, way }) {
  if (!c.value) return html`<th class=${c.num ? "num" : ""} title=${c.meaning}>${c.title}</th>`;
  const next = { none: c.num ? "-" + c.key : c.key, descending: c.num ? c.key : "", ascending: c.num ? "" : "-" + c.key }[way];
  return html`<th class=${c.num ? "num" : ""} aria-sort=${way}><button class="sort" title=${c.meaning ?? "Sort by this column"} onClick=${() => setParams({ [name]: next })}>${c.title}<span aria-hidden="true">${{ none: "", ascending: " ▲", descending: " ▼" }[way]}</span></button></th>`;
}

// Table renders rows by the cells of its columns. href returns the page of a row, which Enter opens.
export function Table({ columns, rows, id, href, label }) {
  const [sorted, heads] = useOrder(columns, rows, "sort");
  return html`<table class="cards" aria-label=${label}><thead><tr>${heads}</tr></thead><tbody>
    ${sorted.map((r) => html`<tr key=${id(r)} data-href=${href?.(r)}>${columns.map((c) => html`<td class=${`${c.num ? "num" : ""} ${c.look ?? ""}`} data-name=${c.card === false ? undefined : c.title}>${c.cell(r)}</td>`)}</tr>`)}</tbody></table>`;
}

const keyOf = (title) => typeof title === "string" && title.toLowerCase().replace(/[^a-z0-9]+/g, "-");

// Sorted renders rows by its child, a function that returns the row of a table. Each of columns is
// [title, value, num, meaning]; a column without a value is not sorted. name is the parameter of the
// address, which differs between the tables of a page. first is a cell before the others.
export function Sorted({ columns, rows, name = "sort", look = "cards", first, children }) {
  const [sorted, heads] = useOrder(columns.map(([title, value, num, meaning]) => ({ key: keyOf(title), title, value, num, meaning })), rows, name);
  return html`<table class=${look}><thead><tr>${first}${heads}</tr></thead><tbody>${sorted.map(children)}</tbody></table>`;
}
