#!/usr/bin/python3
"""Checks the figures of the manifest by other readers than usher: check.py [-s SCRATCH].

Text is read by Python's csv and json, workbooks by openpyxl, Parquet by DuckDB (npm packages in
the scratch folder, see ../README.md), and compressed files by gzip, bzip2, xz, zstd, lz4 and unzip.
The ids of the wanted column are hashed with hashlib. It prints each file whose figures differ, the
number of files that agree, and those that none of these readers reads.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import warnings

import openpyxl

sys.dont_write_bytecode = True
csv.field_size_limit(1 << 30)
warnings.filterwarnings("ignore", module="openpyxl")

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)
UUID = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])")
UNPACK = {".gz": "gzip -dc", ".bz2": "bzip2 -dc", ".xz": "xz -dc", ".zst": "zstd -dcq", ".lz4": "lz4 -dcq"}
NAMES = {
    "idfa": ["idfa", "ios_idfa", "device_id", "advertising_id", "ids", "idfas", "devices"],
    "aaid": ["gaid", "gps_adid", "aaid", "google_ad_id", "advertising_id"],
    "android_id": ["android_id"],
}


class Unread(Exception):
    """No reader of this script reads the file, or which column it has is not clear."""


def unpacked(path):
    """The bytes of a file or of each file of a zip archive, decompressed by the usual tools."""
    extension = os.path.splitext(path)[1]
    if extension in UNPACK:
        return [subprocess.run(UNPACK[extension].split() + [path], capture_output=True, check=True).stdout]
    if extension == ".zip":
        names = subprocess.run(["unzip", "-Z1", path], capture_output=True, check=True, text=True).stdout.splitlines()
        return [subprocess.run(["unzip", "-p", path, name], capture_output=True, check=True).stdout
                for name in names if not name.endswith("/") and not name.startswith("__MACOSX")]
    with open(path, "rb") as f:
        return [f.read()]


def decoded(data):
    """The text of a file in UTF-8, or in UTF-16 with a byte order mark."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(encoding)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unread("encoding") from error


def at(value, path):
    """The values at a dotted path, through lists."""
    if isinstance(value, list):
        return [found for element in value for found in at(element, path)]
    if not path:
        return [value]
    if isinstance(value, dict):
        return at(value.get(path[0]), path[1:])
    return []


def column(line, names):
    """The index or the name of the wanted column."""
    wanted = line["source"].get("column") or line.get("understood", {}).get("column", {}).get("name")
    if wanted and wanted.isdigit():
        return int(wanted) - 1
    folded = [str(name).strip().lower() for name in names]
    for name in [wanted] if wanted else NAMES[line["profile"]]:
        if folded.count(name.lower()) == 1:
            return folded.index(name.lower())
    raise Unread("column")


def csv_cells(line, text):
    source = line["source"]
    if source.get("escape", "double") != "double":
        raise Unread("Python's csv escapes differently")
    lines = text.split("\n")
    if isinstance(source.get("skip"), int):
        lines = lines[source["skip"]:]
    elif "skip" in source:
        lines = [row for row in lines if not row.startswith(source["skip"])]
    text = "\n".join(lines)
    delimiter = source.get("delimiter") or line.get("understood", {}).get("delimiter")
    if text.lower().startswith("sep="):
        delimiter, text = text[4], text.split("\n", 1)[1]
    first = text.split("\n", 1)[0]
    delimiter = delimiter or max(",;\t|", key=first.count)
    options = {"delimiter": delimiter}
    if source.get("quote") == "none":
        options["quoting"] = csv.QUOTE_NONE
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), **options) if row]
    if not rows:
        return []
    index = column(line, rows[0])
    return [row[index] for row in rows if index < len(row)]


def json_cells(line, values):
    wanted = line["source"].get("column") or line.get("understood", {}).get("column", {}).get("name")
    for path in [wanted] if wanted else NAMES[line["profile"]]:
        found = [value for record in values for value in at(record, path.split("."))]
        if any(isinstance(value, str) and "\\x" in value for value in found):
            raise Unread("ids of 16 bytes")
        if any(found):
            return found
    raise Unread("column")


def text_cells(line, text):
    """The cells of CSV, JSON, NDJSON or a plain list."""
    begin = text.lstrip()[:1]
    if begin in "{[" and begin:
        decoder, values, rest = json.JSONDecoder(), [], text.strip()
        try:
            while rest:
                value, end = decoder.raw_decode(rest)
                values.extend(value if isinstance(value, list) else [value])
                rest = rest[end:].lstrip("\x1e \t\r\n")
        except json.JSONDecodeError as error:
            raise Unread("JSON") from error
        return json_cells(line, values)
    if line.get("understood", {}).get("format") == "text":
        return text.splitlines()
    return csv_cells(line, text)


def cells(line, scratch):
    path = os.path.join(FOLDER, line["file"])
    if path.endswith("/"):
        return [cell for name in sorted(os.listdir(path)) for cell in cells({**line, "file": line["file"] + name}, scratch)]
    if path.endswith(".parquet"):
        if not scratch or not os.path.exists(os.path.join(scratch, "node_modules")):
            raise Unread("Parquet without DuckDB")
        shutil.copy(os.path.join(HERE, "node", "read.mjs"), scratch)
        out = subprocess.run(["node", "read.mjs", path], cwd=scratch, capture_output=True, text=True, check=True).stdout
        return json_cells(line, [json.loads(row) for row in out.splitlines()])
    if path.endswith(".xlsx"):
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheet = book[line["source"]["sheet"]] if "sheet" in line["source"] else book.worksheets[0]
        rows = list(sheet.iter_rows(values_only=True))[line["source"].get("skip", 0):]
        index = column(line, rows[0])
        return [row[index] for row in rows if index < len(row)]
    if os.path.splitext(path)[1] in (".avro", ".7z"):
        raise Unread("format")
    return [cell for data in unpacked(path) for cell in text_cells(line, decoded(data))]


def figures(line, found):
    """Ids, distinct ids, sum and xor of their digests."""
    ids = []
    for cell in found:
        text = cell if isinstance(cell, str) else json.dumps(cell) if cell is not None else ""
        if line["profile"] == "android_id":
            ids += re.findall(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{12,16}(?![0-9A-Za-z])", text)
        else:
            ids += UUID.findall(text)
    ids = [value.upper() if line["profile"] == "idfa" else value.lower() for value in ids]
    digests = {hashlib.md5(value.encode()).digest() for value in ids}
    total, mixed = 0, 0
    for digest in digests:
        number = int.from_bytes(digest, "big")
        total, mixed = (total + number) % 2**128, mixed ^ number
    return {"ids": len(ids), "distinct": len(digests), "sum": "%032x" % total, "xor": "%032x" % mixed}


def main():
    parser = argparse.ArgumentParser(description="Check the figures of the manifest by other readers than usher.")
    parser.add_argument("-s", "--scratch", help="the folder with the npm packages")
    args = parser.parse_args()
    agree, differ, unread = 0, [], {}
    with open(os.path.join(FOLDER, "manifest.ndjson"), encoding="utf-8") as f:
        lines = [json.loads(text) for text in f]
    for line in lines:
        if "sum" not in line or line.get("input", "raw") != "raw" or line.get("malformed"):
            continue
        if "refused" in line:
            continue
        try:
            got = figures(line, cells(line, args.scratch))
        except (Unread, subprocess.CalledProcessError, csv.Error, KeyError) as why:
            unread.setdefault(str(why) if isinstance(why, Unread) else type(why).__name__, []).append(line["file"])
            continue
        if all(line[name] == value for name, value in got.items()):
            agree += 1
        else:
            differ.append((line["file"], got["ids"], line["ids"]))
    for file, got, want in differ:
        print(f"{file}: {got} ids, the manifest has {want}")
    for why, files in unread.items():
        print(f"not read ({why}): {len(files)}: {', '.join(files)}")
    print(f"{agree} files agree, {len(differ)} differ, {sum(map(len, unread.values()))} are not read here")
    sys.exit(1 if differ else 0)


main()
