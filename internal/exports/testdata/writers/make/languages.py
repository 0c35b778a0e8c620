"""Exports of R, of Java's libraries for CSV, and of LibreOffice."""

import os

import model
from corpus import HERE
from scripting import NAMED, column

JARS = ["commons-csv", "commons-lang3", "opencsv", "super-csv", "univocity-parsers"]


def plain(rows):
    """Rows with notes that neither R's reader of JSON nor a spreadsheet changes."""
    return [{**r, "note": r["note"].replace("\r", "")} for r in rows]


def quoted(rows):
    """Rows as CSV of RFC 4180, every cell in quotes."""
    cell = lambda v: '"' + ("" if v is None else str(v)).replace('"', '""') + '"'
    return "".join(",".join(map(cell, r)) + "\n" for r in [list(rows[0])] + [list(r.values()) for r in rows])


def r(c):
    rows = plain(model.contacts("r"))
    ids = column(rows, "idfa")
    c.put("r.csv", quoted(rows))
    version = c.run("Rscript -e 'cat(as.character(getRversion()))'").decode()
    read = 't <- read.csv("r.csv", colClasses = "character", na.strings = "", encoding = "UTF-8"); '

    def write(file, tool, call, of="base", source=None, cells=ids, **more):
        number = version if of == "base" else c.run(f"Rscript -e 'cat(as.character(packageVersion(\"{of}\")))'").decode()
        c.put("write.R", read + call.replace("FILE", f'"{file}"'))
        c.made("LC_ALL=C.UTF-8 Rscript write.R", file)
        c.line(file, tool, number, call, "idfa", cells, source, **more)

    write("r-write-csv.csv", "R write.csv", "write.csv(t, FILE, row.names = FALSE)", understood={"format": "csv", **NAMED})
    write("r-write-csv-row-names.csv", "R write.csv", "write.csv(t, FILE)", understood={"format": "csv", "column": {"name": "idfa", "number": 4}})
    write("r-write-csv2.csv", "R write.csv2", "write.csv2(t, FILE, row.names = FALSE, na = '')", understood={"delimiter": ";", **NAMED})
    write("r-write-table.txt", "R write.table", "write.table(t[, c('customer', 'idfa', 'country')], FILE)", refused="separated by blanks")
    write("r-write-table-tab.tsv", "R write.table", "write.table(t, FILE, sep = '\\t', row.names = FALSE, qmethod = 'double')", understood={"delimiter": "\t", **NAMED})
    write("r-write-table-escape.csv", "R write.table", "write.table(t, FILE, sep = ',', row.names = FALSE)", source={"escape": "backslash_in_quotes"}, refused="row", orExact=True)
    write("r-fwrite.csv", "R data.table", "data.table::fwrite(t, FILE)", "data.table", understood={"format": "csv", **NAMED})
    write("r-readr.csv", "R readr", "readr::write_csv(t, FILE)", "readr", understood={"format": "csv", **NAMED})
    write("r.rds", "R saveRDS", "saveRDS(t, FILE)", refused="R", cells=None)


def java(c):
    rows = model.contacts("java")
    ids = column(rows, "idfa")
    c.put("java.csv", quoted(rows))
    classes = ":".join(f"/usr/share/java/{jar}.jar" for jar in JARS)
    c.run(f"javac -cp {classes} -d java-classes {os.path.join(HERE, 'java', 'Write.java')}")

    def write(file, tool, jar, how, source=None, **more):
        number = c.run(f"dpkg-query -W -f '${{Version}}' lib{jar}-java").decode().rsplit("-", 1)[0]
        c.made(f"java -Dfile.encoding=UTF-8 -cp {classes}:java-classes Write {how} java.csv {file}", file)
        c.line(file, tool, number, f"Write {how}", "idfa", ids, source, **more)

    write("java-opencsv.csv", "opencsv", "opencsv", "opencsv", understood={"format": "csv", **NAMED})
    write("java-opencsv-escape.csv", "opencsv", "opencsv", "opencsv-escape", source={"escape": "backslash_in_quotes"}, refused="row", orExact=True)
    write("java-commons-csv.csv", "commons-csv", "commons-csv", "commons", understood={"format": "csv", **NAMED})
    write("java-commons-csv-excel.csv", "commons-csv", "commons-csv", "commons-excel", understood={"format": "csv", **NAMED})
    write("java-commons-csv-mysql.tsv", "commons-csv", "commons-csv", "commons-mysql", source={"quote": "none", "escape": "backslash"})
    write("java-super-csv.csv", "super-csv", "super-csv", "super", understood={"format": "csv", **NAMED})
    write("java-super-csv-europe.csv", "super-csv", "super-csv", "super-europe", understood={"delimiter": ";", **NAMED})
    write("java-univocity.csv", "univocity-parsers", "univocity-parsers", "univocity", understood={"format": "csv", **NAMED})


def libreoffice(c):
    rows = plain(model.contacts("libreoffice"))
    ids = column(rows, "idfa")
    c.put("office.csv", quoted(rows))
    version = c.version("soffice", "soffice --version").split()[1]

    def write(file, filter, source=None, cells=ids, **more):
        out = file.rsplit(".", 1)[1]
        to = out + (":" + filter if filter else "")
        c.run(f"soffice -env:UserInstallation=file://{c.scratch}/office --headless --infilter='CSV:44,34,76,1,1/2/2/2/3/2/4/2' --convert-to '{to}' office.csv && mv office.{out} {file}" if out != "csv" else
              f"mkdir -p office-out && soffice -env:UserInstallation=file://{c.scratch}/office --headless --infilter='CSV:44,34,76,1,1/2/2/2/3/2/4/2' --convert-to '{to}' --outdir office-out office.csv && mv office-out/office.csv {file}")
        c.keep(file)
        c.line(file, "LibreOffice", version, f"soffice --headless --convert-to '{to}'", "idfa", cells, source, **more)

    write("libreoffice.xlsx", "", understood={"format": "xlsx", **NAMED})
    write("libreoffice.csv", "Text - txt - csv (StarCalc):44,34,76,1", understood={"format": "csv", **NAMED})
    write("libreoffice-semicolon-quoted.csv", "Text - txt - csv (StarCalc):59,34,76,1,,0,true", understood={"delimiter": ";", **NAMED})
    write("libreoffice-utf-16.csv", "Text - txt - csv (StarCalc):9,34,65535,1", understood={"delimiter": "\t", **NAMED})
    write("libreoffice.ods", "", cells=None, refused="ods")
    write("libreoffice.fods", "", cells=None, refused="XML")


FAMILIES = [r, java, libreoffice]
