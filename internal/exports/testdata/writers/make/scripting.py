"""Exports of scripting languages and of tools of the command line."""

import csv
import io
import json
import platform

import model
from corpus import NODE

NAMED = {"column": {"name": "idfa", "number": 3}}


def column(rows, name):
    return [row[name] for row in rows]


def flat(rows, key="devices", join=", ", name="idfas"):
    """Rows whose list of ids is one text."""
    return [{"customer": r["customer"], name: join.join(r[key]), "country": r["country"]} for r in rows]


def python(c):
    version = platform.python_version()
    rows = model.contacts("python")
    ids = column(rows, "idfa")
    names = list(rows[0])

    def write(file, call, table=None, encoding="utf-8", before="", cells=ids, source=None, header=True, **more):
        out = io.StringIO(newline="")
        out.write(before)
        writer = eval(call, {"csv": csv, "out": out})
        table = table or rows
        if header:
            writer.writerow(list(table[0]))
        writer.writerows([list(r.values()) for r in table])
        c.put(file, out.getvalue().encode(encoding))
        c.keep(file)
        c.line(file, "Python csv", version, call, "idfa", cells, source, **more)

    write("python-excel.csv", "csv.writer(out)", understood={"format": "csv", **NAMED})
    write("python-excel-tab.tsv", "csv.writer(out, 'excel-tab')", understood={"format": "csv", "delimiter": "\t", **NAMED})
    write("python-unix.csv", "csv.writer(out, 'unix')", understood={"format": "csv", **NAMED})
    write("python-quote-all-semicolon-bom.csv", "csv.writer(out, delimiter=';', quoting=csv.QUOTE_ALL)", encoding="utf-8-sig", understood={"delimiter": ";", "encoding": "utf-8", **NAMED})
    write("python-utf-16le-tab.txt", "csv.writer(out, 'excel-tab')", encoding="utf-16", understood={"encoding": "utf-16le", "delimiter": "\t", **NAMED})
    write("python-latin-1.csv", "csv.writer(out, delimiter=';')", table=[{**r, "note": r["note"].encode("latin-1", "ignore").decode("latin-1")} for r in rows], encoding="latin-1")
    write("python-sep-line.csv", "csv.writer(out, delimiter=';')", before="sep=;\r\n", understood={"delimiter": ";", **NAMED})
    write("python-carriage-returns.csv", "csv.writer(out, lineterminator='\\r')", refused="CR", orExact=True)
    write("python-escapechar.csv", "csv.writer(out, escapechar='\\\\', doublequote=False, lineterminator='\\n')", source={"escape": "backslash"}, understood={"escape": "backslash", **NAMED})
    write("python-quote-none.csv", "csv.writer(out, escapechar='\\\\', quoting=csv.QUOTE_NONE, lineterminator='\\n')", source={"escape": "backslash", "quote": "none"})
    write("python-single-quotes.csv", "csv.writer(out, quotechar=\"'\")", cells=None, refused="quote")
    title = "Contacts of March\r\nmade for the agency, confidential\r\n\r\n"
    write("python-title-lines.csv", "csv.writer(out)", before=title, source={"skip": 3}, understood=NAMED)
    write("python-hash-lines.csv", "csv.writer(out)", before="# Contacts of March\n# note: idfa, customer\n#\n", source={"skip": "#"}, understood=NAMED)
    write("python-no-header.csv", "csv.writer(out)", header=False, source={"column": "3"})
    write("python-no-header-two-columns.csv", "csv.writer(out)", table=[{"customer": r["customer"], "idfa": r["idfa"] or ""} for r in rows], header=False)

    def dump(file, call, value, cells, source=None, **more):
        c.put(file, eval(call, {"json": json, "value": value}))
        c.keep(file)
        c.line(file, "Python json", version, call, "idfa", cells, source, **more)

    dump("python-compact.json", "json.dumps(value, separators=(',', ':'))", rows, ids, understood={"format": "json"})
    dump("python-indent.json", "json.dumps(value, indent=2, ensure_ascii=False)", rows, ids, understood={"format": "json"})
    dump("python-indent-tab.json", "json.dumps(value, indent='\\t')", rows, ids, understood={"format": "json"})
    dump("python-wrapped.json", "json.dumps({'status': 'ok', 'count': len(value), 'data': value}, indent=1)", rows, ids, {"column": "data.idfa"})
    nested = [{"id": r["customer"], "attributes": {"device": {"idfa": r["idfa"], "model": 'iPhone "12"'}, "tags": ["a", "b"]}, "note": r["note"]} for r in rows]
    dump("python-nested-indent.json", "json.dumps(value, indent=4)", nested, ids, understood={"format": "json", "column": {"name": "attributes.device.idfa"}})
    dump("python-strings.json", "json.dumps(value)", list(filter(None, ids)), list(filter(None, ids)), understood={"format": "json"})
    dump("python-lines.ndjson", "''.join(json.dumps(v) + '\\n' for v in value)", rows, ids, understood={"format": "ndjson"})
    dump("python-lines-pretty.json", "''.join(json.dumps(v, indent=2) + '\\n' for v in value)", rows, ids, understood={"format": "json"})

    # Each spelling of a missing value, among ids.
    spelled = []
    made = model.Ids("nulls")
    for i, null in enumerate(sorted(model.NULLS) * 2):
        spelled += [{"customer": i, "idfa": made.idfa()}, {"customer": i, "idfa": null}]
    write("python-nulls.csv", "csv.writer(out)", table=spelled, cells=column(spelled, "idfa"))
    # A sparse column: most values are missing, in one spelling each.
    for name, null in [("backslash-n", "\\N"), ("none", "None"), ("not-set", "(not set)"), ("dash", "-"), ("n-a", "#N/A")]:
        sparse = [{"customer": i, "idfa": made.idfa() if i % 25 == 24 else null, "city": "Köln"} for i in range(100)]
        write(f"python-sparse-{name}.csv", "csv.writer(out)", table=sparse, cells=column(sparse, "idfa"))

    # Several ids in a cell.
    many = model.lists("python lists")
    lists = column(many, "devices")
    for name, join in [("comma", ","), ("comma-space", ", "), ("semicolon", ";"), ("pipe", "|"), ("space", " "), ("lines", "\n")]:
        write(f"python-list-{name}.csv", "csv.writer(out)", table=flat(many, join=join), cells=lists)
    write("python-list-repr.csv", "csv.writer(out)", table=[{"customer": r["customer"], "idfas": str(r["devices"]), "country": "DE"} for r in many], cells=lists)
    write("python-list-json.csv", "csv.writer(out)", table=[{"idfas": json.dumps(r["devices"]), "customer": r["customer"]} for r in many], cells=lists)
    write("python-list-json-alone.csv", "csv.writer(out)", table=[{"idfas": json.dumps(r["devices"])} for r in many if r["devices"]], cells=[x for x in lists if x])
    write("python-list-semicolon-columns.csv", "csv.writer(out, delimiter=';')", table=flat(many, join=";"), cells=lists)
    dump("python-list-text.ndjson", "''.join(json.dumps(v) + '\\n' for v in value)", flat(many, join="|"), lists)
    dump("python-list-json-text.ndjson", "''.join(json.dumps(v) + '\\n' for v in value)", [{"idfas": json.dumps(r["devices"]), "n": 1} for r in many], lists)
    dump("python-list-of-objects.ndjson", "''.join(json.dumps(v) + '\\n' for v in value)",
         [{"customer": r["customer"], "devices": [{"idfa": d, "os": "ios"} for d in r["devices"]]} for r in many], lists, {"column": "devices.idfa"})

    # One malformed line of NDJSON in 150.
    objects = model.contacts("malformed", 149)
    lines = [json.dumps(r) for r in objects]
    lines.insert(77, lines[76][:-20])
    c.put("python-malformed.ndjson", "\n".join(lines) + "\n")
    c.keep("python-malformed.ndjson")
    c.line("python-malformed.ndjson", "Python json", version, "two writers to one file: a line lacks its end", "idfa", column(objects, "idfa"), malformed=1)


def pandas(c):
    import pandas as pd
    version = pd.__version__
    rows = model.contacts("pandas")
    ids = column(rows, "idfa")
    frame = pd.DataFrame(rows)

    def write(file, call, cells=ids, source=None, df=frame, **more):
        eval(call.replace(f"'{file}'", "path"), {"df": df, "path": c.scratch + "/" + file, "csv": csv})
        c.keep(file)
        c.line(file, "pandas", version, call, "idfa", cells, source, **more)

    write("pandas.csv", "df.to_csv('pandas.csv', index=False)", understood={"format": "csv", **NAMED})
    write("pandas-index.csv", "df.to_csv('pandas-index.csv')", understood={"format": "csv", "column": {"name": "idfa", "number": 4}})
    write("pandas-escapechar.csv", "df.to_csv('pandas-escapechar.csv', index=False, escapechar='\\\\', doublequote=False)", source={"escape": "backslash"}, understood={"escape": "backslash"})
    write("pandas-quote-none.csv", "df.to_csv('pandas-quote-none.csv', index=False, escapechar='\\\\', quoting=csv.QUOTE_NONE)", source={"escape": "backslash", "quote": "none"})
    write("pandas-german-excel.csv", "df.to_csv('pandas-german-excel.csv', index=False, sep=';', decimal=',', encoding='utf-8-sig', lineterminator='\\r\\n')", understood={"delimiter": ";"})
    write("pandas-utf-16.tsv", "df.to_csv('pandas-utf-16.tsv', index=False, sep='\\t', encoding='utf-16')", understood={"delimiter": "\t", "encoding": "utf-16le"})
    for name, null in [("nan", "NaN"), ("na", "<NA>"), ("nat", "NaT")]:
        file = f"pandas-{name}.csv"
        write(file, f"df.to_csv('{file}', index=False, na_rep='{null}')")
    for end in ["gz", "bz2", "xz", "zip", "tar", "tar.gz"]:
        file = "pandas.csv." + end
        if end.startswith("tar"):
            write(file, f"df.to_csv('{file}', index=False)", cells=None, refused="tar")
        else:
            write(file, f"df.to_csv('{file}', index=False)", understood={"format": "csv", "compression": {"gz": "gzip", "bz2": "bzip2"}.get(end, end)})
    write("pandas-records.json", "df.to_json('pandas-records.json', orient='records')", understood={"format": "json"})
    write("pandas-records-indent.json", "df.to_json('pandas-records-indent.json', orient='records', indent=2, force_ascii=False)", understood={"format": "json"})
    write("pandas-lines.ndjson", "df.to_json('pandas-lines.ndjson', orient='records', lines=True)", understood={"format": "ndjson"})
    write("pandas-columns.json", "df.to_json('pandas-columns.json')", cells=None, refused="fields of one object")
    write("pandas.html", "df.to_html('pandas.html')", cells=None, refused="HTML")
    write("pandas.xlsx", "df.to_excel('pandas.xlsx', index=False, engine='openpyxl')", understood={"format": "xlsx", **NAMED})


def command_line(c):
    rows, many = model.contacts("command line"), model.lists("command line lists")
    ids, lists = column(rows, "idfa"), column(many, "devices")
    c.put("contacts.json", rows)
    c.put("devices.json", [{"customer": r["customer"], "idfas": r["devices"], "country": r["country"]} for r in many])
    plain = [{"customer": r["customer"], "idfa": r["idfa"], "country": r["country"]} for r in rows]
    c.put("plain.json", plain)

    def run(file, tool, version, command, cells=ids, source=None, profile="idfa", **more):
        c.made(f"{command} > {file}", file)
        c.line(file, tool, version, f"{command} > {file}", profile, cells, source, **more)

    jq = c.version("jq", "jq --version").removeprefix("jq-")
    header = '(["customer","note","idfa","country"], (.[] | [.customer, .note, .idfa, .country]))'
    run("jq.csv", "jq", jq, f"jq -r '{header} | @csv' contacts.json", understood={"format": "csv", **NAMED})
    run("jq.tsv", "jq", jq, f"jq -r '{header} | @tsv' contacts.json", source={"escape": "backslash", "quote": "none"}, understood={"format": "csv", "delimiter": "\t", **NAMED})
    run("jq-compact.ndjson", "jq", jq, "jq -c '.[]' contacts.json", understood={"format": "ndjson"})
    run("jq-pretty.json", "jq", jq, "jq . contacts.json", understood={"format": "json"})
    run("jq-pretty-objects.json", "jq", jq, "jq '.[]' contacts.json", understood={"format": "json"})
    run("jq-tab-ascii.json", "jq", jq, "jq --tab -a . contacts.json", understood={"format": "json"})
    run("jq-seq.json", "jq", jq, "(printf '\\036'; cat contacts.json) | jq --seq -c '.[]'", refused="source.", orExact=True)
    run("jq-list.ndjson", "jq", jq, "jq -c '.[]' devices.json", cells=lists)
    run("jq-list-pretty.json", "jq", jq, "jq . devices.json", cells=lists, understood={"format": "json"})
    run("jq-raw.txt", "jq", jq, "jq -r '.[].idfa | values' contacts.json", cells=list(filter(None, ids)), understood={"format": "text"})
    run("jq-strings.ndjson", "jq", jq, "jq -c '.[].idfa | values' contacts.json", cells=list(filter(None, ids)))
    run("jq-null-words.txt", "jq", jq, "jq -r '.[].idfa' contacts.json")
    run("jq-one-line.csv", "jq", jq, "jq -r '[.[].idfa | values] | join(\",\")' contacts.json", cells=[list(filter(None, ids))])

    mlr = c.version("mlr", "mlr --version").split()[-1]
    run("miller.csv", "Miller", mlr, "mlr --ijson --ocsv cat contacts.json", understood={"format": "csv", **NAMED})
    run("miller-quote-all.csv", "Miller", mlr, "mlr --ijson --ocsv --quote-all cat contacts.json")
    run("miller.tsv", "Miller", mlr, "mlr --ijson --otsv cat contacts.json", source={"escape": "backslash", "quote": "none"})
    run("miller.json", "Miller", mlr, "mlr --json cat contacts.json", understood={"format": "json"})
    run("miller.ndjson", "Miller", mlr, "mlr --ijson --ojsonl cat contacts.json", understood={"format": "ndjson"})
    run("miller-pipe.csv", "Miller", mlr, "mlr --ijson --ocsv --ofs '|' cat contacts.json", understood={"delimiter": "|"})
    run("miller-ctrl-a.csv", "Miller", mlr, "mlr --ijson --ocsv --ofs $'\\001' cat plain.json", source={"delimiter": "\u0001"})

    kit = c.version("csvkit", "csvformat --version").split()[-1]
    run("csvkit.csv", "csvkit", kit, "in2csv -f json -I contacts.json", understood={"format": "csv", **NAMED})
    run("csvkit-tabs.tsv", "csvkit", kit, "in2csv -f json -I contacts.json | csvformat -T")
    run("csvkit-line-numbers.csv", "csvkit", kit, "in2csv -f json -I plain.json | csvcut -l", understood={"column": {"name": "idfa", "number": 3}})
    run("csvkit-json.json", "csvkit", kit, "in2csv -f json -I plain.json | csvjson -I -i 2")
    run("csvkit-stream.ndjson", "csvkit", kit, "in2csv -f json -I plain.json | csvjson -I --stream")

    perl = c.run("perl -e 'printf \"%vd\", $^V'").decode()
    text_csv = c.run("perl -MText::CSV -e 'print Text::CSV->VERSION'").decode()
    load = "perl -MJSON::XS -MText::CSV -e 'local $/; my $t = decode_json(<STDIN>); binmode STDOUT, \":utf8\"; "
    table = "$c->print(*STDOUT, [qw(customer note idfa country)]); $c->print(*STDOUT, [@$_{qw(customer note idfa country)}]) for @$t"
    run("perl-text-csv.csv", "Perl Text::CSV", text_csv, load + "my $c = Text::CSV->new({binary => 1, eol => \"\\r\\n\"}); " + table + "' < contacts.json")
    run("perl-text-csv-escape.csv", "Perl Text::CSV", text_csv, load + "my $c = Text::CSV->new({binary => 1, eol => \"\\n\", escape_char => \"\\\\\"}); " + table + "' < contacts.json", source={"escape": "backslash_in_quotes"})
    run("perl-text-csv-mac.csv", "Perl Text::CSV", text_csv, load + "my $c = Text::CSV->new({binary => 1, always_quote => 1, eol => \"\\r\"}); " + table + "' < contacts.json", refused="CR", orExact=True)
    run("perl-json-xs.json", "Perl JSON::XS", perl, load + "print JSON::XS->new->pretty->canonical->encode($t)' < contacts.json")

    ruby = c.version("ruby", "ruby --version").split()[1]
    run("ruby.csv", "Ruby CSV", ruby, "ruby -rjson -rcsv -e 't = JSON.parse(STDIN.read); print CSV.generate { |c| c << t[0].keys; t.each { |r| c << r.values } }' < contacts.json", understood={"format": "csv", **NAMED})
    run("ruby-force-quotes.csv", "Ruby CSV", ruby, "ruby -rjson -rcsv -e 't = JSON.parse(STDIN.read); print CSV.generate(col_sep: \";\", force_quotes: true, row_sep: \"\\r\\n\") { |c| c << t[0].keys; t.each { |r| c << r.values } }' < contacts.json")
    run("ruby-pretty.json", "Ruby JSON", ruby, "ruby -rjson -e 'puts JSON.pretty_generate(JSON.parse(STDIN.read))' < contacts.json")

    php = c.version("php", "php --version").split()[1]
    put = "foreach (array_merge([array_keys($t[0])], array_map(\"array_values\", $t)) as $r) fputcsv(STDOUT, $r"
    load = "php -r '$t = json_decode(stream_get_contents(STDIN), true); "
    run("php-fputcsv-no-escape.csv", "PHP", php, load + put + ", \",\", \"\\\"\", \"\");' < contacts.json")
    tame = [{**r, "note": r["note"].rstrip("\\").replace("\\\\", "\\")} for r in rows]
    c.put("tame.json", tame)
    # fputcsv does not double a quote behind a backslash, nor does it double the backslash.
    run("php-fputcsv.csv", "PHP", php, load + put + ");' < tame.json", source={"escape": "backslash_in_quotes"}, refused="row", orExact=True)
    run("php-pretty.json", "PHP", php, load + "echo json_encode($t, JSON_PRETTY_PRINT);' < contacts.json")

    awk = c.version("mawk", "mawk -W version 2>&1").split()[1]
    run("mawk.tsv", "mawk", awk, "jq -r '.[] | [.customer, .idfa, .country] | @tsv' plain.json | mawk -F '\\t' -v OFS='\\t' 'BEGIN { print \"customer\", \"idfa\", \"country\" } { print $1, $2, $3 }'")
    run("mawk-braces.txt", "mawk", awk, "jq -r '.[].idfa | values' plain.json | mawk '{ print \"{\" $1 \"}\" }'", cells=list(filter(None, ids)))
    run("sed-crlf.txt", "GNU sed", c.version("sed", "sed --version").split()[-1], "jq -r '.[].idfa | values' plain.json | sed 's/$/\\r/'", cells=list(filter(None, ids)))
    run("iconv-utf-16be.csv", "GNU iconv", c.version("iconv", "iconv --version").split()[-1], "jq -r '(.[0] | keys_unsorted), (.[] | [.[]]) | @csv' plain.json | (printf '\\xfe\\xff'; iconv -f utf-8 -t utf-16be)", understood={"encoding": "utf-16be"})

    # Files put together.
    coreutils = c.version("cat", "cat --version").split()[-1]
    first, second = plain[:21], plain[21:]
    c.put("first.json", first)
    c.put("second.json", second)
    c.run("jq -r '(.[0] | keys_unsorted), (.[] | [.[]]) | @csv' first.json > first.csv; jq -r '(.[0] | keys_unsorted), (.[] | [.[]]) | @csv' second.json > second.csv; "
          "jq -r '(.[0] | [.idfa, .customer, .country] | [\"idfa\", \"customer\", \"country\"]), (.[] | [.idfa, .customer, .country]) | @csv' second.json > turned.csv; tr '\\n' '\\r' < second.csv > second-cr.csv")
    run("cat-header-twice.csv", "GNU cat", coreutils, "cat first.csv second.csv", cells=column(first, "idfa") + ["header: idfa"] + column(second, "idfa"))
    run("cat-other-columns.csv", "GNU cat", coreutils, "cat first.csv turned.csv", cells=None, refused="row")
    run("cat-lf-then-cr.csv", "GNU cat", coreutils, "cat first.csv second-cr.csv", cells=column(first, "idfa") + ["header: idfa"] + column(second, "idfa"), refused="row", orExact=True)
    long = [{"customer": i, "idfa": d} for i, d in enumerate(_many("lf then cr", 2200))]
    c.put("long.json", long)
    run("cat-lf-then-cr-late.csv", "GNU cat", coreutils, "(jq -r '\"customer,idfa\", (.[:1800][] | [.customer, .idfa] | @csv)' long.json; jq -r '.[1800:][] | [.customer, .idfa] | @csv' long.json | tr '\\n' '\\r')", cells=column(long, "idfa"), refused="row", orExact=True)
    run("cat-boms.csv", "GNU cat", coreutils, "for f in first second; do printf '\\xef\\xbb\\xbf'; cat $f.csv; done", cells=column(first, "idfa") + ["header: idfa"] + column(second, "idfa"))


def _many(seed, n, kind="idfa"):
    ids = model.Ids(seed)
    return [getattr(ids, kind)() for _ in range(n)]


def node_csv(c):
    rows = model.contacts("node")
    many = model.lists("node lists")
    ids, lists = column(rows, "idfa"), column(many, "devices")
    c.put("node.json", rows)
    # These packages escape quotes but not backslashes, so a note with both cannot be read again.
    c.put("node-tame.json", [{**r, "note": r["note"].replace("\\", "/")} for r in rows])
    c.put("node-lists.json", [{"customer": r["customer"], "idfas": r["devices"], "country": r["country"]} for r in many])
    packages = json.loads(c.run(f"cat {NODE[:-len('write.mjs')]}package.json"))["dependencies"]

    def run(file, package, options, cells=ids, source=None, table="node.json", **more):
        tool = package.replace("-", "")
        c.put("options.json", options)
        c.made(f"node {NODE} {tool} {table} {file} options.json", file)
        c.line(file, package, packages[package], f"{package} {json.dumps(options, ensure_ascii=False)}", "idfa", cells, source, **more)

    run("papaparse.csv", "papaparse", {}, understood={"format": "csv", **NAMED})
    run("papaparse-quotes-semicolon.csv", "papaparse", {"quotes": True, "delimiter": ";", "newline": "\n"}, understood={"delimiter": ";", **NAMED})
    run("papaparse-escape.csv", "papaparse", {"escapeChar": "\\"}, cells=None, refused="row")
    run("papaparse-escape-formulae.csv", "papaparse", {"escapeFormulae": True})
    run("papaparse-carriage-returns.csv", "papaparse", {"newline": "\r"}, refused="CR", orExact=True)
    run("papaparse-list.csv", "papaparse", {}, cells=lists, table="node-lists.json")
    run("csv-stringify.csv", "csv-stringify", {"header": True}, understood={"format": "csv", **NAMED})
    run("csv-stringify-escape.csv", "csv-stringify", {"header": True, "escape": "\\"}, source={"escape": "backslash_in_quotes"})
    run("csv-stringify-bom-crlf.csv", "csv-stringify", {"header": True, "bom": True, "record_delimiter": "windows", "quoted": True})
    run("csv-stringify-tab.tsv", "csv-stringify", {"header": True, "delimiter": "\t"}, understood={"delimiter": "\t"})
    run("csv-stringify-list.csv", "csv-stringify", {"header": True}, cells=lists, table="node-lists.json")
    run("fast-csv.csv", "fast-csv", {"headers": True}, understood={"format": "csv", **NAMED})
    run("fast-csv-quoted.csv", "fast-csv", {"headers": True, "quoteColumns": True, "quoteHeaders": True, "rowDelimiter": "\r\n", "includeEndRowDelimiter": True})
    run("fast-csv-escape.csv", "fast-csv", {"headers": True, "escape": "\\"}, source={"escape": "backslash_in_quotes"}, table="node-tame.json")
    run("json2csv.csv", "json2csv", {}, understood={"format": "csv", **NAMED})
    run("json2csv-excel.csv", "json2csv", {"excelStrings": False, "withBOM": True, "delimiter": ";", "eol": "\r\n"})
    run("json2csv-escaped.csv", "json2csv", {"escapedQuote": "\\\""}, source={"escape": "backslash_in_quotes"}, table="node-tame.json")
    run("d3-dsv.tsv", "d3-dsv", {"delimiter": "\t"}, understood={"delimiter": "\t", **NAMED})


FAMILIES = [python, pandas, command_line, node_csv]
