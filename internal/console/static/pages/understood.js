// How an export was read: on the page of its job, and on that of its audience.
import { html } from "../ui.js";
import { number, plural } from "../format.js";
import { Card, Time, Words } from "../parts.js";
import { link } from "../route.js";
import { reasonOf } from "../words.js";

// visible shows a tab and other control characters as escapes.
const visible = (text) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');

const delimiters = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space" };

// whom says whom a mirror has left out, by the reason in the tally.
function whom(reason) {
  const [kind, of] = [reason.slice(0, reason.indexOf(":")), reason.slice(reason.indexOf(":") + 1)];
  return kind === "except" ? html`members of <a href=${link("audiences", of.replace("campaign/", "target ").replace("/", " "))}>${of}</a>` : `held out by the key “${of}”`;
}

// facts returns how an export was read.
function facts(u) {
  const { column } = u;
  const encoding = ["parquet", "avro", "xlsx"].includes(u.format) ? "" : `, ${u.encoding}`; // these have none
  const table = ["csv", "xlsx"].includes(u.format);
  const numbered = table && column.number > 0;
  const every = u.format === "text" ? "every line" : "every value";
  const files = u.files > 1 ? `, ${plural(u.files, "file")}` : "";
  return html`<dt>Format</dt><dd>${u.format}${encoding}${u.compression === "none" ? "" : `, ${u.compression}`}${files}</dd>
    ${u.sheet && html`<dt>Sheet</dt><dd>${visible(u.sheet)}</dd>`}
    ${u.delimiter && html`<dt>Delimiter</dt><dd>${delimiters[u.delimiter] ?? html`<code>${visible(u.delimiter)}</code>`}</dd>`}
    ${u.quote && html`<dt>Quotes</dt><dd>${u.quote}, escape ${u.escape}</dd>`}
    ${u.skip !== 0 && html`<dt>Skipped</dt><dd>${typeof u.skip === "number" ? `the first ${plural(u.skip, "line")}` : html`lines that begin with <code>${visible(u.skip)}</code>`}</dd>`}
    ${(table || u.format === "text") && html`<dt>Header</dt><dd>${u.header ? "yes" : "no"}</dd>`}
    <dt>Ids in</dt><dd>${column.name && html`<b>${visible(column.name)}</b>`}${column.name && numbered ? ", " : ""}${numbered && `column ${number(column.number)}`}${u.format === "text" && column.name ? ", " : ""}${u.format === "text" || !column.name && !numbered ? every : ""}
      ${column.why && html`<div class="faint small"><${Words} text=${column.why} /></div>`}</dd>
    ${u.typeColumn && html`<dt>Types in</dt><dd>${visible(u.typeColumn)}</dd>`}
    ${u.withheld?.map((w) => html`<dt>Left out</dt><dd>${plural(w.count, "id")}: ${whom(w.reason)}${w.at && html`<div class="note">as of its generation ${number(w.generation)}, <${Time} at=${w.at} /></div>`}</dd>`)}
`;
}

// Understood shows how the export of a job was read.
export const Understood = ({ u }) => html`<${Card} title="How the export was read"><dl class="facts">${facts(u)}</dl><//>`;

// kinds are the kinds of ids.
const kinds = { idfa: "IDFA", aaid: "AAID", android_id: "ANDROID_ID", md5: "MD5 hashes" };

// Memory shows how the last good export of an audience was read.
export function Memory({ m }) {
  if (!m) return null;
  const { beside = {} } = m.understood;
  const dropped = Object.entries(m.dropped).sort();
  return html`<${Card} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${link("jobs", m.job)}>${m.job}</a></dd>
      <dt>Since</dt><dd><${Time} at=${m.at} />${m.approvedBy && `, approved by ${m.approvedBy}`}</dd>
      ${m.began && html`<dt>New memory</dt><dd><${Words} text=${m.began} /></dd>`}
      <dt>Rows</dt><dd>${number(m.rows)}</dd>
      ${facts(m.understood)}
      ${m.understood.kind && html`<dt>Kind of ids</dt><dd>${kinds[m.understood.kind] ?? m.understood.kind}</dd>`}
      ${beside.typeValues && html`<dt>Types</dt><dd>${beside.typeValues.map(visible).join(", ")}</dd>`}
      ${beside.columns && html`<dt>Beside</dt><dd class="break">${beside.columns.map(visible).join(", ")}</dd>`}
      ${dropped.length > 0 && html`<dt>Left out</dt><dd>${dropped.map(([reason, n]) => html`<div>${reason.startsWith("withheld.") ? visible(reason.replace(".", " by ")) : reasonOf(reason.replace(/^(junk|invalid)\./, ""))} ${((100 * n) / m.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`;
}
