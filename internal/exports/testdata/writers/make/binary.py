"""Parquet, Avro, ORC and Arrow."""

import json
import os

import model
from corpus import HERE, NODE
from scripting import column


def go_writers(c):
    rows, many = model.contacts("go"), model.lists("go lists")
    ids, lists = column(rows, "idfa"), column(many, "devices")
    c.put("go.json", [{"customer": r["customer"], "note": r["note"], "id": r["idfa"], "country": r["country"], "ids": d}
                      for r, d in zip(rows, lists + [[]] * (len(rows) - len(lists)))])
    lists = lists + [[]] * (len(rows) - len(lists))
    c.run(f"go -C {HERE}/go build -o {c.scratch}/writers .")

    def run(file, module, tool, cells=ids, source=None, **more):
        version = c.version(module, f"{c.scratch}/writers version {module}")
        c.made(f"./writers {tool} go.json {file}", file)
        c.line(file, module, version, f"go run . {tool} go.json {file}", "idfa", cells, source, **more)

    arrow, segment, hamba = "github.com/apache/arrow-go/v18", "github.com/parquet-go/parquet-go", "github.com/hamba/avro/v2"
    parquet = {"format": "parquet", "column": {"name": "idfa"}}
    for codec in ["none", "snappy", "gzip", "zstd", "brotli", "lz4raw"]:
        run(f"arrow-go-{codec}.parquet", arrow, f"arrow:{codec}", understood=parquet)
        run(f"parquet-go-{codec}.parquet", segment, f"parquet-go:{codec}", understood={"format": "parquet", "column": {"name": "device.idfa"}})
    run("arrow-go-plain-v2.parquet", arrow, "arrow:snappy:plain:v2", understood=parquet)
    run("arrow-go-large-string.parquet", arrow, "arrow:zstd:large", understood=parquet)
    run("arrow-go-uuid.parquet", arrow, "arrow:snappy:uuid")
    run("arrow-go-fixed.parquet", arrow, "arrow:snappy:fixed")
    run("arrow-go-list.parquet", arrow, "arrow:snappy:list", cells=lists)
    run("parquet-go-list.parquet", segment, "parquet-go:zstd:list", cells=lists)
    avro = {"format": "avro", "column": {"name": "idfa"}}
    for codec in ["null", "deflate", "snappy", "zstandard"]:
        run(f"hamba-{codec}.avro", hamba, f"hamba:{codec}", understood=avro)
    run("hamba-uuid.avro", hamba, "hamba:null:uuid", understood=avro)
    run("hamba-fixed.avro", hamba, "hamba:deflate:fixed", refused="avro", orExact=True)
    run("hamba-bytes.avro", hamba, "hamba:null:bytes", refused="avro", orExact=True)
    run("hamba-list.avro", hamba, "hamba:snappy:list", cells=lists, understood=avro)
    run("hamba-nested.avro", hamba, "hamba:deflate:nested", understood={"format": "avro", "column": {"name": "idfa.ids.idfa"}})
    run("hamba-map.avro", hamba, "hamba:deflate:map", refused="avro", orExact=True)
    for codec in ["null", "deflate", "snappy"]:
        run(f"goavro-{codec}.avro", "github.com/linkedin/goavro/v2", f"goavro:{codec}", understood=avro)
    run("scritchley.orc", "github.com/scritchley/orc", "orc", cells=None, refused="ORC")
    run("excelize.xlsx", "github.com/xuri/excelize/v2", "excelize", understood={"format": "xlsx"})
    run("excelize-stream.xlsx", "github.com/xuri/excelize/v2", "excelize:stream", understood={"format": "xlsx"})


def node_binary(c):
    rows, many = model.contacts("node binary"), model.lists("node binary lists")
    ids, lists = column(rows, "idfa"), column(many, "devices")
    c.put("binary.json", rows)
    c.put("binary-lists.json", [{"customer": r["customer"], "idfas": r["devices"], "country": r["country"]} for r in many])
    packages = json.loads(c.run(f"cat {NODE[:-len('write.mjs')]}package.json"))["dependencies"]

    def run(file, package, tool, options, cells=ids, source=None, table="binary.json", **more):
        c.put("options.json", options)
        c.made(f"rm -f {file}; node {NODE} {tool} {table} {file} options.json", file)
        c.line(file, package, packages[package], f"{package} {json.dumps(options)}", "idfa", cells, source, **more)

    parquet = {"format": "parquet", "column": {"name": "idfa"}}
    for codec in ["UNCOMPRESSED", "GZIP", "SNAPPY", "BROTLI"]:
        run(f"parquetjs-{codec.lower()}.parquet", "@dsnp/parquetjs", "parquetjs", {"compression": codec, "rowGroupSize": 16}, understood=parquet)
    run("parquetjs-repeated.parquet", "@dsnp/parquetjs", "parquetjs", {"list": True}, cells=lists, table="binary-lists.json")
    run("hyparquet.parquet", "hyparquet-writer", "hyparquet", {}, understood=parquet)
    run("hyparquet-uncompressed.parquet", "hyparquet-writer", "hyparquet", {"codec": "UNCOMPRESSED", "rowGroupSize": 10}, understood=parquet)
    run("hyparquet-uuid.parquet", "hyparquet-writer", "hyparquet", {"type": "UUID"})
    polars = "nodejs-polars"
    run("polars.csv", polars, "polars", {"call": "writeCSV"}, understood={"format": "csv"})
    run("polars-semicolon-null.csv", polars, "polars", {"call": "writeCSV", "sep": ";", "nullValue": "None", "quoteStyle": "always"})
    run("polars.ndjson", polars, "polars", {"call": "writeJSON", "format": "lines"}, understood={"format": "ndjson"})
    run("polars.json", polars, "polars", {"call": "writeJSON", "format": "json"}, understood={"format": "json"})
    for codec in ["snappy", "zstd", "lz4", "gzip", "brotli", "uncompressed"]:
        run(f"polars-{codec}.parquet", polars, "polars", {"call": "writeParquet", "compression": codec}, understood=parquet)
    run("polars-list.parquet", polars, "polars", {"call": "writeParquet", "compression": "zstd"}, cells=lists, table="binary-lists.json")
    run("polars-list.ndjson", polars, "polars", {"call": "writeJSON", "format": "lines"}, cells=lists, table="binary-lists.json")
    # The record of its schema has an empty name, which the specification forbids.
    for codec in ["uncompressed", "deflate", "snappy"]:
        run(f"polars-{codec}.avro", polars, "polars", {"call": "writeAvro", "compression": codec}, refused="avro", orExact=True)
    run("polars.arrow", polars, "polars", {"call": "writeIPC", "compression": "uncompressed"}, cells=None, refused="Arrow")
    schema = {"type": "record", "name": "Contact", "fields": [
        {"name": "customer", "type": "int"}, {"name": "note", "type": "string"}, {"name": "idfa", "type": ["null", "string"], "default": None}, {"name": "country", "type": "string"}]}
    for codec in ["null", "deflate"]:
        run(f"avsc-{codec}.avro", "avsc", "avsc", {"codec": codec, "schema": schema}, understood={"format": "avro", "column": {"name": "idfa"}})
    schema = {"type": "record", "name": "Contact", "fields": [{"name": "customer", "type": "int"}, {"name": "idfas", "type": {"type": "array", "items": "string"}}, {"name": "country", "type": "string"}]}
    run("avsc-list.avro", "avsc", "avsc", {"codec": "null", "schema": schema}, cells=lists, table="binary-lists.json")


FAMILIES = [go_writers, node_binary]
