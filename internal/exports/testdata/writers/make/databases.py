"""Exports of PostgreSQL, MariaDB, SQLite and DuckDB."""

import glob
import os
import sqlite3
import subprocess
import time

import model
from corpus import NODE


def column(rows, name):
    return [row[name] for row in rows]


def literal(value, backslashes=False):
    """A value as an SQL literal."""
    if value is None:
        return "NULL"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return "ARRAY[" + ",".join(map(literal, value)) + "]::text[]"
    text = value.replace("'", "''")
    if backslashes:
        text = text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")
    return "'" + text + "'"


def inserts(table, rows, backslashes=False):
    return "".join(
        f"INSERT INTO {table} VALUES ({','.join(literal(v, backslashes) for v in row.values())});\n"
        for row in rows)


def postgres(c):
    home = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
    data = os.path.join(c.scratch, "postgres")
    os.makedirs(data, exist_ok=True)
    c.run(f"chown postgres {data} && chmod 755 {c.scratch}")
    owner = "runuser -u postgres --"
    if not os.path.exists(data + "/db"):
        c.run(f"{owner} {home}/initdb -D {data}/db -E UTF8 --locale=C.UTF-8 >/dev/null")
    c.run(f"{owner} {home}/pg_ctl -D {data}/db -w -l {data}/log -o \"-k {data} -c listen_addresses=''\" start >/dev/null")
    try:
        postgres_exports(c, f"psql -X -q -v ON_ERROR_STOP=1 -h {data} -U postgres")
    finally:
        c.run(f"{owner} {home}/pg_ctl -D {data}/db -w -m fast stop >/dev/null")


def postgres_exports(c, psql):
    version = c.version("psql", "psql --version").split()[2]
    rows, many = model.contacts("postgres"), model.lists("postgres lists")
    for row in rows:
        row["note"] = row["note"].replace("\0", "")
    script = "DROP TABLE IF EXISTS contacts, devices;\n" \
        "CREATE TABLE contacts (customer int, note text, idfa text, country text);\n" \
        "CREATE TABLE devices (customer int, idfas text[], country text);\n" + inserts("contacts", rows) + inserts("devices", many)
    c.put("postgres.sql", script)
    c.run(f"{psql} -f postgres.sql")
    ids, lists = column(rows, "idfa"), column(many, "devices")

    def copy(file, query, options, cells, source=None, before="", after="", **more):
        sql = f"COPY ({query}) TO STDOUT" + (f" WITH ({options})" if options else "")
        c.put("copy.sql", sql)
        c.run(f"{psql} -f copy.sql > {file}")
        c.keep(file)
        c.line(file, "PostgreSQL", version, f'psql -c "{sql}" > {file}', "idfa", cells, source, **more)

    every = "SELECT * FROM contacts ORDER BY customer"
    named = {"column": {"name": "idfa", "number": 3}}
    copy("postgres-copy.csv", every, "FORMAT csv, HEADER", ids, understood={"format": "csv", "delimiter": ",", **named})
    copy("postgres-copy-force-quote.csv", every, "FORMAT csv, HEADER, FORCE_QUOTE *", ids, understood={"format": "csv", **named})
    copy("postgres-copy-semicolon-null.csv", every, "FORMAT csv, HEADER, DELIMITER ';', NULL '(null)'", ids, understood={"format": "csv", "delimiter": ";", **named})
    copy("postgres-copy-no-header.csv", every, "FORMAT csv", ids, {"column": "3"}, understood={"format": "csv"})
    copy("postgres-copy-escape.csv", every, "FORMAT csv, HEADER, ESCAPE '\\'", ids, {"escape": "backslash_in_quotes"}, understood={"format": "csv", "escape": "backslash_in_quotes", **named})
    copy("postgres-copy-text.tsv", every, "FORMAT text, HEADER", ids, {"escape": "backslash", "quote": "none"}, understood={"format": "csv", "delimiter": "\t", **named})
    copy("postgres-copy-text-no-header.tsv", every, "", ids, {"escape": "backslash", "quote": "none", "column": "3"}, understood={"format": "csv", "delimiter": "\t"})
    copy("postgres-copy-ctrl-a.txt", every, "FORMAT text, HEADER, DELIMITER E'\\x01'", ids,
         {"escape": "backslash", "quote": "none", "delimiter": "\u0001"}, understood={"format": "csv", "delimiter": "\u0001", **named})
    copy("postgres-copy-pipe.txt", every, "FORMAT text, HEADER, DELIMITER '|'", ids,
         {"escape": "backslash", "quote": "none"}, understood={"format": "csv", "delimiter": "|", **named})
    of = "FROM devices ORDER BY customer"
    copy("postgres-array.csv", f"SELECT * {of}", "FORMAT csv, HEADER", lists, understood={"format": "csv", "column": {"name": "idfas", "number": 2}})
    copy("postgres-array-text.tsv", f"SELECT * {of}", "FORMAT text, HEADER", lists, understood={"format": "csv", "delimiter": "\t"})
    copy("postgres-array-alone.csv", f"SELECT idfas {of}", "FORMAT csv, HEADER", lists)
    joined = [cell or [None] for cell in lists]
    copy("postgres-string-agg-comma.csv", f"SELECT customer, array_to_string(idfas, ', ') AS idfas, country {of}", "FORMAT csv, HEADER", joined)
    copy("postgres-string-agg-pipe.csv", f"SELECT customer, array_to_string(idfas, '|') AS idfas, country {of}", "FORMAT csv, HEADER", joined)
    copy("postgres-string-agg-semicolon.csv", f"SELECT array_to_string(idfas, ';') AS idfas {of}", "FORMAT csv, HEADER", joined)
    copy("postgres-json-array.csv", f"SELECT customer, to_json(idfas) AS idfas, country {of}", "FORMAT csv, HEADER", lists)
    copy("postgres-row-to-json.ndjson", f"SELECT row_to_json(d) FROM (SELECT * {of}) d", "FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'", lists, understood={"format": "ndjson"})

    def output(file, flags, sql, cells, source=None, **more):
        c.put("query.sql", sql)
        c.run(f"{psql} {flags} -f query.sql > {file}")
        c.keep(file)
        c.line(file, "psql", version, f'psql {flags} -c "{sql}" > {file}', "idfa", cells, source, **more)

    output("psql.csv", "--csv", every, ids, understood={"format": "csv", **named})
    output("psql-null-word.csv", "--csv -P null='<null>'", every, ids, understood={"format": "csv", **named})
    output("psql-unaligned-tab.tsv", "-A -F '\t' -P footer=off -P null='\\N'", "SELECT customer, idfa, country FROM contacts ORDER BY customer", ids)
    output("psql-tuples-only.txt", "-A -t", "SELECT idfa FROM contacts WHERE idfa IS NOT NULL ORDER BY 1", sorted(filter(None, ids)), understood={"format": "text"})
    output("psql-json-agg.json", "-A -t", "SELECT json_agg(c ORDER BY customer) FROM contacts c", ids, understood={"format": "json"})
    output("psql-jsonb-pretty.json", "-A -t", "SELECT jsonb_pretty(jsonb_agg(d ORDER BY customer)) FROM devices d", lists, understood={"format": "json"})


def mariadb(c):
    data = os.path.join(c.scratch, "mariadb")
    os.makedirs(data + "/out", exist_ok=True)
    if not os.path.exists(data + "/db/mysql"):
        c.run(f"mariadb-install-db --no-defaults --user=root --auth-root-authentication-method=normal --datadir={data}/db >/dev/null")
    server = subprocess.Popen(
        ["mariadbd", "--no-defaults", "--user=root", f"--datadir={data}/db", f"--socket={data}/sock", "--skip-networking", "--secure-file-priv=",
         f"--pid-file={data}/pid", "--character-set-server=utf8mb4", "--innodb-buffer-pool-size=16M"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = f"mariadb --no-defaults --default-character-set=utf8mb4 -u root -S {data}/sock"
    try:
        for _ in range(120):
            if subprocess.run(f"{client} -e 'SELECT 1'", shell=True, capture_output=True).returncode == 0:
                break
            time.sleep(0.5)
        mariadb_exports(c, client, data + "/out")
    finally:
        server.terminate()
        server.wait()


def mariadb_exports(c, client, out):
    version = c.run(f"{client} -N -e 'SELECT VERSION()'").decode().strip()
    rows, many = model.contacts("mariadb"), model.lists("mariadb lists")
    androids = model.contacts("mariadb androids", kind="android_id")
    script = "DROP DATABASE IF EXISTS crm; CREATE DATABASE crm CHARACTER SET utf8mb4; USE crm;\n" \
        "CREATE TABLE contacts (customer int, note text, idfa varchar(36), country char(2));\n" \
        "CREATE TABLE androids (customer int, note text, android_id varchar(16), country char(2));\n" \
        "CREATE TABLE devices (customer int, idfa varchar(36));\n" \
        + inserts("contacts", rows, backslashes=True) + inserts("androids", androids, backslashes=True) \
        + inserts("devices", [{"customer": r["customer"], "idfa": d} for r in many for d in r["devices"]])
    c.put("mariadb.sql", script)
    c.run(f"{client} < mariadb.sql")
    ids = column(rows, "idfa")

    def outfile(file, options, cells=ids, source=None, profile="idfa", select="* FROM contacts", **more):
        # OUTFILE writes no header; the usual way to have one is a UNION.
        sql = f"SELECT {select} INTO OUTFILE '{file}' CHARACTER SET utf8mb4 {options}".strip()
        target = os.path.join(out, file)
        if os.path.exists(target):
            os.remove(target)
        c.put("outfile.sql", sql.replace(f"'{file}'", f"'{target}'"))
        c.run(f"{client} crm < outfile.sql && cp {target} {file}")
        c.keep(file)
        c.line(file, "MariaDB", version, f"mariadb crm -e \"{sql}\"", profile, cells, source, **more)

    headed = "* FROM (SELECT 'customer', 'note', 'idfa', 'country' UNION ALL SELECT * FROM contacts) t"
    outfile("mariadb-outfile.tsv", "", source={"escape": "backslash", "quote": "none", "column": "3"}, understood={"format": "csv", "delimiter": "\t", "escape": "backslash"})
    outfile("mariadb-outfile-header.tsv", "", source={"escape": "backslash", "quote": "none"}, select=headed, understood={"format": "csv", "delimiter": "\t", "escape": "backslash", "column": {"name": "idfa", "number": 3}})
    outfile("mariadb-outfile-enclosed.csv", "FIELDS TERMINATED BY ',' ENCLOSED BY '\"'", source={"escape": "backslash", "column": "3"}, understood={"format": "csv", "escape": "backslash"})
    outfile("mariadb-outfile-optionally-enclosed.csv", "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'", select=headed, source={"escape": "backslash"},
            understood={"format": "csv", "escape": "backslash", "column": {"name": "idfa", "number": 3}})
    outfile("mariadb-outfile-crlf.csv", "FIELDS TERMINATED BY ';' OPTIONALLY ENCLOSED BY '\"' LINES TERMINATED BY '\\r\\n'", select=headed, source={"escape": "backslash"},
            understood={"format": "csv", "delimiter": ";", "escape": "backslash"})
    outfile("mariadb-outfile-comma.csv", "FIELDS TERMINATED BY ','", select=headed, source={"escape": "backslash", "quote": "none"})
    quotes = "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY '\"'"
    tame = [r for r in rows if r["idfa"] and "\n" not in r["note"]]
    outfile("mariadb-outfile-escaped-by-quote.csv", quotes, select=headed.replace("FROM contacts", "FROM contacts WHERE idfa IS NOT NULL AND note NOT LIKE '%\\n%'"),
            cells=column(tame, "idfa"), understood={"format": "csv", "escape": "double"})
    # NULL is written as "N, and a line end within a value has a quote before it: nobody can read that.
    outfile("mariadb-outfile-escaped-by-quote-null.csv", quotes, select=headed, cells=None, refused="row")
    outfile("mariadb-outfile-ctrl-a.txt", "FIELDS TERMINATED BY X'01'", select=headed, source={"escape": "backslash", "quote": "none", "delimiter": "\u0001"})
    outfile("mariadb-outfile-android.csv", "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'", profile="android_id", cells=column(androids, "android_id"),
            select="* FROM (SELECT 'customer', 'note', 'android_id', 'country' UNION ALL SELECT * FROM androids) t", source={"escape": "backslash"})
    grouped = {}
    for r in many:
        if r["devices"]:
            grouped[r["customer"]] = r["devices"]
    outfile("mariadb-group-concat.csv", "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'", cells=list(grouped.values()),
            select="* FROM (SELECT 'customer', 'idfas' UNION ALL SELECT customer, GROUP_CONCAT(idfa) FROM devices GROUP BY customer) t")
    outfile("mariadb-json-arrayagg.csv", "FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'", cells=list(grouped.values()), source={"escape": "backslash"},
            select="* FROM (SELECT 'customer', 'idfas' UNION ALL SELECT customer, JSON_ARRAYAGG(idfa) FROM devices GROUP BY customer) t")

    c.run(f"{client} --batch crm -e 'SELECT * FROM contacts' > mariadb-batch.tsv")
    c.keep("mariadb-batch.tsv")
    c.line("mariadb-batch.tsv", "MariaDB client", version, "mariadb --batch crm -e 'SELECT * FROM contacts' > mariadb-batch.tsv", "idfa",
           [i or "NULL" for i in ids], {"escape": "backslash", "quote": "none"}, understood={"format": "csv", "delimiter": "\t"})
    c.run(f"rm -rf dump && mkdir dump && mariadb-dump --no-defaults -u root -S {out}/../sock --tab={out} --no-create-info --fields-terminated-by=, --fields-enclosed-by='\"' crm contacts && cp {out}/contacts.txt mariadb-dump-tab.txt && rm {out}/contacts.txt")
    c.keep("mariadb-dump-tab.txt")
    c.line("mariadb-dump-tab.txt", "mariadb-dump", version, "mariadb-dump --tab=. --fields-terminated-by=, --fields-enclosed-by='\"' crm contacts", "idfa", ids, {"escape": "backslash", "column": "3"})
    c.run(f"{client} crm -e \"CREATE TABLE stored (customer int NOT NULL, note text NOT NULL, idfa varchar(36) NOT NULL, country char(2) NOT NULL) ENGINE=CSV; INSERT INTO stored SELECT customer, note, IFNULL(idfa, ''), country FROM contacts; FLUSH TABLES;\" && cp {out}/../db/crm/stored.CSV mariadb-engine.csv")
    c.keep("mariadb-engine.csv")
    c.line("mariadb-engine.csv", "MariaDB CSV engine", version, "CREATE TABLE stored (…) ENGINE=CSV", "idfa", ids, {"escape": "backslash", "column": "3"})


def sqlite(c):
    version = c.version("sqlite3", "sqlite3 --version").split()[0]
    rows, many = model.contacts("sqlite"), model.lists("sqlite lists")
    path = os.path.join(c.scratch, "crm.sqlite")
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE contacts (customer INTEGER, note TEXT, idfa TEXT, country TEXT)")
    db.execute("CREATE TABLE devices (customer INTEGER, idfa TEXT)")
    db.executemany("INSERT INTO contacts VALUES (?,?,?,?)", [tuple(r.values()) for r in rows])
    db.executemany("INSERT INTO devices VALUES (?,?)", [(r["customer"], d) for r in many for d in r["devices"]])
    db.commit()
    db.close()
    ids = column(rows, "idfa")
    every = "SELECT * FROM contacts"

    def export(file, flags, sql, cells=ids, source=None, **more):
        c.put("query.sql", sql)
        command = f"sqlite3 {flags} crm.sqlite \"{sql}\" > {file}"
        c.made(command, file)
        c.line(file, "SQLite", version, command, "idfa", cells, source, **more)

    export("sqlite.csv", "-csv -header", every, understood={"format": "csv", "column": {"name": "idfa", "number": 3}})
    export("sqlite-no-header.csv", "-csv", every, source={"column": "3"})
    export("sqlite-null-word.csv", "-csv -header -nullvalue NULL", every, [i or "NULL" for i in ids])
    export("sqlite-semicolon-lf.csv", "-csv -header -newline '\n' -separator ';'", every)
    export("sqlite-list.txt", "-list -header", "SELECT customer, idfa, country FROM contacts")
    export("sqlite-json.json", "-json", every, understood={"format": "json"})
    groups = [r["devices"] for r in many if r["devices"]]
    export("sqlite-json-group-array.csv", "-csv -header", "SELECT customer, json_group_array(idfa) AS idfas FROM devices GROUP BY customer", groups)
    export("sqlite-group-concat.csv", "-csv -header", "SELECT customer, group_concat(idfa) AS idfas, count(*) AS n FROM devices GROUP BY customer", groups)
    c.keep("crm.sqlite")
    c.line("crm.sqlite", "SQLite", version, "sqlite3 crm.sqlite", "idfa", None, refused="SQLite")


def duckdb(c):
    rows, many = model.contacts("duckdb"), model.lists("duckdb lists")
    c.put("duckdb/contacts.json", rows)
    c.put("duckdb/devices.json", [{"customer": r["customer"], "idfas": r["devices"], "country": r["country"]} for r in many])
    made = model.Ids("duckdb late")
    late = [{"device_id": made.aaid(), "idfa": made.idfa() if i >= 1000 else None} for i in range(1150)]
    c.put("duckdb/late.json", late)
    ids, lists = column(rows, "idfa"), column(many, "devices")
    every, devices = "contacts", "devices"
    named = {"column": {"name": "idfa", "number": 3}}
    jobs = []

    def copy(file, what, options, cells, source=None, **more):
        sql = f"COPY {what} TO '{file}' ({options})"
        jobs.append((file, sql, cells, source, more))

    copy("duckdb.csv", every, "HEADER", ids, understood={"format": "csv", **named})
    copy("duckdb-force-quote.csv", every, "HEADER, FORCE_QUOTE *", ids, understood={"format": "csv", **named})
    copy("duckdb-escape.csv", every, "HEADER, ESCAPE '\\'", ids, {"escape": "backslash_in_quotes"})
    copy("duckdb-pipe-null.csv", every, "HEADER, DELIMITER '|', NULLSTR 'nil'", ids, understood={"format": "csv", "delimiter": "|", **named})
    copy("duckdb-ctrl-a.csv", every, "HEADER, DELIMITER '\x01'", ids, {"delimiter": "\u0001"})
    copy("duckdb-no-header.csv", "(SELECT customer, idfa FROM contacts)", "HEADER false", ids)
    copy("duckdb.csv.gz", every, "HEADER, COMPRESSION gzip", ids, understood={"format": "csv", "compression": "gzip"})
    copy("duckdb.csv.zst", every, "HEADER, COMPRESSION zstd", ids, understood={"format": "csv", "compression": "zstd"})
    copy("duckdb-list.csv", devices, "HEADER", lists)
    copy("duckdb-list-tab.tsv", devices, "HEADER, DELIMITER '\t'", lists)
    copy("duckdb-list-json.csv", "(SELECT customer, to_json(idfas) AS idfas, country FROM devices)", "HEADER", lists)
    copy("duckdb-list-alone.csv", "(SELECT idfas FROM devices)", "HEADER", lists)
    copy("duckdb-string-agg.csv", "(SELECT customer, array_to_string(idfas, ', ') AS idfas FROM devices)", "HEADER", lists)
    copy("duckdb-list.ndjson", devices, "FORMAT json", lists, understood={"format": "ndjson"})
    copy("duckdb.ndjson", every, "FORMAT json", ids, understood={"format": "ndjson"})
    copy("duckdb-array.json", every, "FORMAT json, ARRAY true", ids, understood={"format": "json"})
    copy("duckdb-list-array.json", devices, "FORMAT json, ARRAY true", lists, understood={"format": "json"})
    copy("duckdb-nested.ndjson", "(SELECT customer, {'os': 'iOS', 'ids': {'idfa': idfa, 'note': note}} AS device FROM contacts)", "FORMAT json", ids, understood={"column": {"name": "device.ids.idfa"}})
    for codec in ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"]:
        copy(f"duckdb-{codec.replace('_', '-')}.parquet", every, f"FORMAT parquet, COMPRESSION {codec}", ids, understood={"format": "parquet", "column": {"name": "idfa"}})
    copy("duckdb-list.parquet", devices, "FORMAT parquet", lists, understood={"format": "parquet"})
    copy("duckdb-v2.parquet", every, "FORMAT parquet, PARQUET_VERSION v2, ROW_GROUP_SIZE 2048", ids, understood={"format": "parquet"})
    copy("duckdb-uuid.parquet", "(SELECT customer, idfa::UUID AS idfa FROM contacts)", "FORMAT parquet", ids)
    copy("duckdb-struct.parquet", "(SELECT customer, {'idfa': idfa, 'os': 'ios'} AS device FROM contacts)", "FORMAT parquet", ids, understood={"column": {"name": "device.idfa"}})
    copy("duckdb-late-idfa.parquet", "late", "FORMAT parquet, COMPRESSION zstd", column(late, "idfa"), understood={"format": "parquet", "column": {"name": "idfa"}})
    c.put("duckdb/jobs.json", [[file, sql] for file, sql, *_ in jobs])
    version = c.run(f"node {NODE} duckdb duckdb/jobs.json").decode().strip()
    for file, sql, cells, source, more in jobs:
        c.keep(file)
        c.line(file, "DuckDB", version, sql, "idfa", cells, source, **more)


FAMILIES = [postgres, mariadb, sqlite, duckdb]
