"""Compressed exports, archives, folders, cut files, and what usher refuses."""

import json
import os

import model
from scripting import column


def text(rows, order=None):
    """RFC 4180, as Python's csv module writes it."""
    import csv
    import io
    out = io.StringIO(newline="")
    names = order or list(rows[0])
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([[r[n] for n in names] for r in rows])
    return out.getvalue()


def compressed(c):
    rows = model.contacts("compressed", 126)
    ids = column(rows, "idfa")
    c.put("contacts.csv", text(rows))
    c.put("half.csv", text(rows[:63]))
    c.put("rest.csv", "".join(text(rows[63:]).splitlines(True)[1:]))
    c.put("list.txt", "".join(i + "\n" for i in ids if i))

    def run(file, tool, ask, command, cells=ids, source=None, **more):
        version = c.version(tool, ask)
        c.made(f"rm -f {file}; {command}", file)
        c.line(file, tool, version, command, "idfa", cells, source, **more)

    gzip, zstd, lz4 = "gzip --version | grep -o '[0-9.]*$'", "zstd --version | grep -o 'v[0-9.]*'", "lz4 --version | grep -o 'v[0-9.]*'"
    xz, bz = "xz --version | grep -o '[0-9.]*$'", "bzip2 --version 2>&1 < /dev/null | grep -o '[0-9]*\\.[0-9.]*[0-9]' | head -1"
    seven, zips = "7z | grep -o '[0-9][0-9.]*' | sed -n 1p", "zip -v | grep -o 'Zip [0-9.]*' | head -1 | cut -c5-"
    csv = {"format": "csv", "compression": "gzip"}
    run("gzip.csv.gz", "GNU gzip", gzip, "gzip -9 < contacts.csv > gzip.csv.gz", understood=csv)
    run("gzip-members.csv.gz", "GNU gzip", gzip, "(gzip < half.csv; gzip -1 < rest.csv) > gzip-members.csv.gz", understood=csv)
    run("gzip-empty-member.csv.gz", "GNU gzip", gzip, "(gzip < half.csv; gzip < /dev/null; gzip < rest.csv) > gzip-empty-member.csv.gz", understood=csv)
    run("pigz.csv.gz", "pigz", "pigz --version", "pigz -p 4 -b 128 < contacts.csv > pigz.csv.gz", understood=csv)
    run("pigz.csv.zip", "pigz", "pigz --version", "pigz --zip < contacts.csv > pigz.csv.zip", understood={"compression": "zip"})
    run("pigz.csv.zlib", "pigz", "pigz --version", "pigz --zlib < contacts.csv > pigz.csv.zlib", cells=None, refused="compress")
    run("bgzip.csv.gz", "bgzip", "bgzip --version | grep -o '[0-9.]*$'", "bgzip -c contacts.csv > bgzip.csv.gz", understood=csv)
    run("zstd.csv.zst", "zstd", zstd, "zstd -19 < contacts.csv > zstd.csv.zst", understood={"compression": "zstd"})
    run("zstd-long.csv.zst", "zstd", zstd, "zstd --long=27 < contacts.csv > zstd-long.csv.zst", refused="memory", orExact=True)
    run("zstd-long-file.csv.zst", "zstd", zstd, "zstd --long=27 contacts.csv -o zstd-long-file.csv.zst")
    run("zstd-frames.csv.zst", "zstd", zstd, "(zstd --check < half.csv; zstd --no-check < rest.csv) > zstd-frames.csv.zst", understood={"compression": "zstd"})
    run("zstd-skippable.csv.zst", "zstd", zstd, "(zstd < half.csv; printf 'P*M\\030\\005\\000\\000\\000index'; zstd < rest.csv; printf '_*M\\030\\000\\000\\000\\000') > zstd-skippable.csv.zst")
    run("pzstd.csv.zst", "pzstd", zstd, "pzstd -q -p 4 contacts.csv -o pzstd.csv.zst", understood={"compression": "zstd"})
    run("bzip2.csv.bz2", "bzip2", bz, "bzip2 < contacts.csv > bzip2.csv.bz2", understood={"compression": "bzip2"})
    run("bzip2-streams.csv.bz2", "bzip2", bz, "(bzip2 -1 < half.csv; bzip2 < rest.csv) > bzip2-streams.csv.bz2")
    run("xz.csv.xz", "XZ Utils", xz, "xz < contacts.csv > xz.csv.xz", understood={"compression": "xz"})
    run("xz-streams.csv.xz", "XZ Utils", xz, "(xz --check=sha256 < half.csv; xz --check=crc32 < rest.csv) > xz-streams.csv.xz")
    run("xz-blocks.csv.xz", "XZ Utils", xz, "xz --block-size=2048 -T2 < contacts.csv > xz-blocks.csv.xz")
    run("xz-lzma.csv.lzma", "XZ Utils", xz, "xz --format=lzma < contacts.csv > xz-lzma.csv.lzma", cells=None, refused="compress")
    run("lzip.csv.lz", "lzip", "lzip --version | grep -o '[0-9.]*$' | head -1", "lzip < contacts.csv > lzip.csv.lz", cells=None, refused="compress")
    run("lz4.csv.lz4", "lz4", lz4, "lz4 -q < contacts.csv > lz4.csv.lz4", understood={"compression": "lz4"})
    run("lz4-linked.csv.lz4", "lz4", lz4, "lz4 -q -9 -BD -B4 --content-size contacts.csv lz4-linked.csv.lz4")
    run("lz4-frames.csv.lz4", "lz4", lz4, "(lz4 -q < half.csv; lz4 -q --no-frame-crc < rest.csv) > lz4-frames.csv.lz4")
    run("lz4-legacy.csv.lz4", "lz4", lz4, "lz4 -q -l < contacts.csv > lz4-legacy.csv.lz4", cells=ids, refused="compress", orExact=True)
    run("zip.zip", "Info-ZIP", zips, "zip -q zip.zip contacts.csv", understood={"format": "csv", "compression": "zip"})
    run("zip-store.zip", "Info-ZIP", zips, "zip -q -0 zip-store.zip contacts.csv", understood={"compression": "zip"})
    run("zip-stream-zip64.zip", "Info-ZIP", zips, "zip -q - - < contacts.csv > zip-stream-zip64.zip", understood={"compression": "zip"})
    run("zip-forced-zip64.zip", "Info-ZIP", zips, "zip -q -fz forced.zip contacts.csv && mv forced.zip zip-forced-zip64.zip")
    run("zip-bzip2.zip", "Info-ZIP", zips, "zip -q -Z bzip2 zip-bzip2.zip contacts.csv", refused="zip", orExact=True)
    run("zip-encrypted.zip", "Info-ZIP", zips, "zip -q -P secret zip-encrypted.zip contacts.csv", cells=None, refused="encrypted")
    run("zip-folder.zip", "Info-ZIP", zips, "rm -rf march && mkdir -p march/week && cp half.csv march/1.csv && (head -1 half.csv; cat rest.csv) > march/week/2.csv && zip -q -r zip-folder.zip march")
    run("7z.zip", "7-Zip", seven, "7z a -tzip -bso0 -bsp0 7z.zip contacts.csv", understood={"compression": "zip"})
    run("7z-deflate64.zip", "7-Zip", seven, "7z a -tzip -mm=Deflate64 -bso0 -bsp0 7z-deflate64.zip contacts.csv", refused="zip", orExact=True)
    run("7z-lzma.zip", "7-Zip", seven, "7z a -tzip -mm=LZMA -bso0 -bsp0 7z-lzma.zip contacts.csv", refused="zip", orExact=True)
    run("7z-aes.zip", "7-Zip", seven, "7z a -tzip -psecret -mem=AES256 -bso0 -bsp0 7z-aes.zip contacts.csv", cells=None, refused="encrypted")
    run("7z.7z", "7-Zip", seven, "7z a -bso0 -bsp0 7z.7z contacts.csv", cells=None, refused="7z")
    run("7z-gzip.csv.gz", "7-Zip", seven, "7z a -tgzip -bso0 -bsp0 7z-gzip.csv.gz contacts.csv", understood=csv)
    tar = "tar --version | grep -o '[0-9.]*$' | head -1"
    run("tar.tar", "GNU tar", tar, "tar cf tar.tar contacts.csv", cells=None, refused="tar")
    run("tar.tgz", "GNU tar", tar, "tar czf tar.tgz contacts.csv", cells=None, refused="tar")
    run("tar.tar.zst", "GNU tar", tar, "tar --zstd -cf tar.tar.zst contacts.csv", cells=None, refused="tar")
    run("gzip-twice.csv.gz.gz", "GNU gzip", gzip, "gzip < contacts.csv | gzip > gzip-twice.csv.gz.gz", cells=None, refused="twice")


def archives(c):
    """Folders and zips of several files."""
    made = model.Ids("archives")
    ios = [{"id": 100 + i, "idfa": made.idfa()} for i in range(25)]
    more = [{"note": made.note(i), "idfa": made.idfa(), "id": 200 + i} for i in range(25)]
    android = [{"id": 300 + i, "gaid": made.aaid()} for i in range(25)]
    both = [{"id": 400 + i, "gaid": made.aaid(), "idfa": made.idfa()} for i in range(25)]
    zips = c.version("Info-ZIP", "zip -v | grep -o 'Zip [0-9.]*' | head -1 | cut -c5-")
    python = c.version("python", "python3 --version").split()[-1]
    files = {"ios.csv": text(ios), "more.csv": text(more), "android.csv": text(android), "both.csv": text(both),
             "bare.csv": "".join(text(ios).splitlines(True)[1:]), "lines.ndjson": "".join(json.dumps(r) + "\n" for r in more), "_SUCCESS": ""}

    def put(name, members, cells, tool="Python csv", version=python, source=None, profile="idfa", **fields):
        """A folder and a zip of the same files."""
        c.run(f"rm -rf {name} && mkdir {name}")
        for m in members:
            c.put(f"{name}/{m}", files[m])
        c.keep(name + "/")
        c.line(name + "/", tool, version, "one file each: " + ", ".join(members), profile, cells, source, **fields)
        listed = " ".join(m for m in members if not m.startswith("_"))
        c.made(f"rm -f {name}.zip; cd {name} && zip -q ../{name}.zip {listed}", name + ".zip")
        c.line(name + ".zip", "Info-ZIP", zips, f"zip {name}.zip {listed}", profile, cells, source, **fields)

    put("folder-ios-android", ["android.csv", "ios.csv"], None, refused="android.csv")
    put("folder-android-first-aaid", ["android.csv", "ios.csv"], None, profile="aaid", refused="ios.csv")
    put("folder-by-name", ["ios.csv", "more.csv", "both.csv", "_SUCCESS"], column(ios, "idfa") + column(more, "idfa") + column(both, "idfa"), understood={"column": {"name": "idfa"}})
    put("folder-header-mixed", ["bare.csv", "more.csv"], None, refused="header")
    put("folder-bare-later", ["ios.csv", "zbare.csv"], None, refused="header") if files.setdefault("zbare.csv", files["bare.csv"]) else None
    put("folder-formats", ["ios.csv", "lines.ndjson"], None, refused="lines.ndjson")
    put("folder-gaid", ["android.csv", "both.csv"], column(android, "gaid") + column(both, "gaid"), profile="aaid", understood={"column": {"name": "gaid"}})


def broken(c):
    """Files cut in the middle."""
    rows = model.contacts("cut", 60, missing=0)
    ids = column(rows, "idfa")
    plain = [{"customer": r["customer"], "idfa": r["idfa"], "country": r["country"]} for r in rows]
    last = [{"country": r["country"], "idfa": r["idfa"]} for r in rows]
    androids = [{"country": "DE", "android_id": d} for d in column(model.contacts("cut androids", 60, "android_id", 0), "android_id")]
    drop = {"incompleteLastRow": "drop"}
    head = c.version("head", "head --version").split()[-1]

    def cut(file, data, size, cells, profile="idfa", source=None, then=drop, refused="ends in the middle", **more):
        data = data.encode() if isinstance(data, str) else data
        c.put("whole", data)
        size = size if size > 0 else len(data) + size
        command = f"head -c {size} whole > {file}"
        c.made(command, file)
        line = {} if then is None else {"refusedThen": {**(source or {}), **then}}
        if refused:
            line["refused"] = refused
        c.line(file, "GNU head", head, command, profile, cells, source, **line, **more)

    # The last row lacks columns, or the end of a quoted cell.
    cut("cut-columns.csv", text(plain), -len(",JP\n") - 9, ids[:-1])
    cut("cut-before-the-id.csv", text(plain), -len(rows[-1]["idfa"]) - len(",JP\n") - 2, ids[:-1])
    cut("cut-quote.csv", text([{"idfa": r["idfa"], "note": "a, b and c"} for r in rows]), -5, ids[:-1])
    # The last id is shorter than all others and has no line end.
    cut("cut-id.csv", text(last), -15, ids[:-1])
    cut("cut-android-id.csv", text(androids), -6, column(androids, "android_id")[:-1], "android_id")
    cut("cut-android-id.txt", "".join(r["android_id"] + "\n" for r in androids), -6, column(androids, "android_id")[:-1], "android_id")
    cut("cut-id.txt", "".join(i + "\n" for i in ids), -12, ids[:-1])
    cut("cut-object.ndjson", "".join(json.dumps(r) + "\n" for r in plain), -20, ids[:-1])
    cut("cut-array.json", json.dumps(plain), -30, ids[:-1])
    cut("cut-array-pretty.json", json.dumps(plain, indent=2), -40, ids[:-1])
    cut("cut-array-no-bracket.json", json.dumps(plain, indent=1), -2, ids)
    # A whole last row without line end is fine.
    cut("cut-line-end.csv", text(plain), -1, ids, then=None, refused=None)
    cut("cut-line-end.txt", "".join(i + "\n" for i in ids), -1, ids, then=None, refused=None)
    cut("cut-line-end.ndjson", "".join(json.dumps(r) + "\n" for r in plain), -1, ids, then=None, refused=None)
    for name in ["gzip.csv.gz", "zstd.csv.zst", "bzip2.csv.bz2", "xz.csv.xz", "lz4.csv.lz4", "zip.zip", "duckdb-snappy.parquet", "pandas.xlsx", "hamba-deflate.avro"]:
        path = os.path.join(c.folder, name)
        if not os.path.exists(path):
            continue
        with open(path, "rb") as f:
            data = f.read()
        cut("cut-" + name, data, -len(data) // 3, None, then=None, refused="source")


FAMILIES = [compressed, archives, broken]
