"""Workbooks of spreadsheets and of the libraries that write them."""

import json

import model
from containers import text
from corpus import NODE
from scripting import NAMED, column

XLSX = {"format": "xlsx", **NAMED}


def spreadsheets(c):
    rows = model.contacts("spreadsheets")
    # A cell cannot hold every control character; CR LF becomes LF in XML.
    for row in rows:
        row["note"] = row["note"].replace("\r", "")
    ids = column(rows, "idfa")
    c.put("sheet.json", rows)
    c.put("sheet.csv", text(rows))
    packages = json.loads(c.run(f"cat {NODE[:-len('write.mjs')]}package.json"))["dependencies"]

    def node(file, package, tool, options, cells=ids, source=None, table="sheet.json", **more):
        c.put("options.json", options)
        c.made(f"node {NODE} {tool} {table} {file} options.json", file)
        c.line(file, package, packages[package], f"{package} {json.dumps(options)}", "idfa", cells, source, **more)

    node("sheetjs.xlsx", "xlsx", "sheetjs", {"bookType": "xlsx"}, understood=XLSX)
    node("sheetjs-shared-strings.xlsx", "xlsx", "sheetjs", {"bookType": "xlsx", "bookSST": True, "compression": True}, understood=XLSX)
    node("sheetjs-formulas.xlsx", "xlsx", "sheetjs", {"bookType": "xlsx", "formulas": True}, refused="formulas whose values it does not have")
    node("sheetjs-second-sheet.xlsx", "xlsx", "sheetjs", {"bookType": "xlsx", "first": "About"}, refused="sheet", refusedThen={"sheet": "Contacts"})
    node("sheetjs.csv", "xlsx", "sheetjs", {"bookType": "csv"}, understood={"format": "csv", **NAMED})
    node("sheetjs-semicolon.csv", "xlsx", "sheetjs", {"bookType": "csv", "FS": ";", "RS": "\n"})
    # With CRLF it quotes no cell that has a mere line feed.
    node("sheetjs-crlf.csv", "xlsx", "sheetjs", {"bookType": "csv", "RS": "\r\n"}, refused="row", orExact=True)
    node("sheetjs-carriage-returns.csv", "xlsx", "sheetjs", {"bookType": "csv", "RS": "\r"}, refused="CR", orExact=True)
    node("sheetjs-unicode-text.txt", "xlsx", "sheetjs", {"bookType": "txt"}, understood={"format": "csv", "encoding": "utf-16le", "delimiter": "\t"})
    node("sheetjs.xls", "xlsx", "sheetjs", {"bookType": "biff8"}, cells=None, refused="xls")
    node("sheetjs.xlsb", "xlsx", "sheetjs", {"bookType": "xlsb"}, cells=None, refused="xls")
    node("sheetjs.ods", "xlsx", "sheetjs", {"bookType": "ods"}, cells=None, refused="ods")
    node("sheetjs.fods", "xlsx", "sheetjs", {"bookType": "fods"}, cells=None, refused="XML")
    node("sheetjs-2003.xml", "xlsx", "sheetjs", {"bookType": "xlml"}, cells=None, refused="XML")
    node("exceljs.xlsx", "exceljs", "exceljs", {}, understood=XLSX)
    node("exceljs-stream.xlsx", "exceljs", "exceljs", {"stream": True}, understood=XLSX)
    node("exceljs-stream-shared-strings.xlsx", "exceljs", "exceljs", {"stream": True, "useSharedStrings": True, "useStyles": True}, understood=XLSX)
    node("exceljs-rich-text.xlsx", "exceljs", "exceljs", {"rich": True}, understood=XLSX)
    node("write-excel-file.xlsx", "write-excel-file", "writeexcelfile", {}, understood=XLSX)

    # openpyxl and XlsxWriter
    import openpyxl
    import xlsxwriter
    names = list(rows[0])

    def workbook(file, write_only=False, before=(), sheets=("Contacts",)):
        book = openpyxl.Workbook(write_only=write_only)
        if not write_only:
            book.remove(book.active)
        for sheet in sheets:
            page = book.create_sheet(sheet)
            if sheet == "Contacts":
                for line in [*before, names, *[list(r.values()) for r in rows]]:
                    page.append(line)
            else:
                page.append(["nothing here"])
        book.save(f"{c.scratch}/{file}")
        c.keep(file)

    version = openpyxl.__version__
    workbook("openpyxl.xlsx")
    c.line("openpyxl.xlsx", "openpyxl", version, "Workbook()", "idfa", ids, understood=XLSX)
    workbook("openpyxl-write-only.xlsx", write_only=True)
    c.line("openpyxl-write-only.xlsx", "openpyxl", version, "Workbook(write_only=True)", "idfa", ids, understood=XLSX)
    workbook("openpyxl-sheets.xlsx", sheets=("Contacts", "Notes", "Old"))
    c.line("openpyxl-sheets.xlsx", "openpyxl", version, "Workbook() with three sheets, the first has the table", "idfa", ids, understood=XLSX)
    workbook("openpyxl-title.xlsx", before=[["Contacts of March"], []])
    c.line("openpyxl-title.xlsx", "openpyxl", version, "Workbook() with a title and an empty row", "idfa", ids, {"skip": 2})

    def sheet(file, options, formats=False, gaps=False, formulas=False):
        with xlsxwriter.Workbook(f"{c.scratch}/{file}", options) as book:
            page = book.add_worksheet("Contacts")
            bold = book.add_format({"bold": True, "num_format": "@"})
            for j, name in enumerate(names):
                page.write_string(0, j, name, bold)
            for i, row in enumerate(rows):
                for j, value in enumerate(row.values()):
                    if value is None or (gaps and names[j] == "note"):
                        if formats:
                            page.write_blank(i + 1, j, None, bold)
                    elif formulas and names[j] == "idfa":
                        page.write_formula(i + 1, j, f'=UPPER(LOWER("{value}"))', None, value)
                    else:
                        page.write(i + 1, j, value)
        c.keep(file)

    version = xlsxwriter.__version__
    sheet("xlsxwriter.xlsx", {"strings_to_urls": False})
    c.line("xlsxwriter.xlsx", "XlsxWriter", version, "Workbook()", "idfa", ids, understood=XLSX)
    sheet("xlsxwriter-constant-memory.xlsx", {"constant_memory": True}, formats=True)
    c.line("xlsxwriter-constant-memory.xlsx", "XlsxWriter", version, "Workbook({'constant_memory': True})", "idfa", ids, understood=XLSX)
    sheet("xlsxwriter-gaps.xlsx", {}, gaps=True)
    c.line("xlsxwriter-gaps.xlsx", "XlsxWriter", version, "Workbook() without the cells of a column", "idfa", ids, understood=XLSX)
    sheet("xlsxwriter-formulas.xlsx", {}, formulas=True)
    c.line("xlsxwriter-formulas.xlsx", "XlsxWriter", version, "write_formula(…, value)", "idfa", ids, understood=XLSX)
    many = model.lists("spreadsheet lists")
    with xlsxwriter.Workbook(f"{c.scratch}/xlsxwriter-list.xlsx") as book:
        page = book.add_worksheet()
        page.write_row(0, 0, ["customer", "idfas"])
        for i, r in enumerate(many):
            page.write_row(i + 1, 0, [r["customer"], "\n".join(r["devices"])])
    c.keep("xlsxwriter-list.xlsx")
    c.line("xlsxwriter-list.xlsx", "XlsxWriter", version, "several ids on lines of a cell", "idfa", column(many, "devices"))
    errors = [r["idfa"] or "#N/A" for r in rows]
    with xlsxwriter.Workbook(f"{c.scratch}/xlsxwriter-errors.xlsx") as book:
        page = book.add_worksheet()
        page.write_row(0, 0, ["customer", "idfa"])
        for i, value in enumerate(errors):
            page.write(i + 1, 0, i)
            if value == "#N/A":
                page.write_formula(i + 1, 1, "=VLOOKUP(A1,Z1:Z2,1,FALSE)", None, value)
            else:
                page.write(i + 1, 1, value)
    c.keep("xlsxwriter-errors.xlsx")
    c.line("xlsxwriter-errors.xlsx", "XlsxWriter", version, "VLOOKUP that finds nothing", "idfa", errors)

    import xlwt
    book = xlwt.Workbook()
    page = book.add_sheet("Contacts")
    for i, line in enumerate([names, *[list(r.values()) for r in rows]]):
        for j, value in enumerate(line):
            page.write(i, j, value)
    book.save(f"{c.scratch}/xlwt.xls")
    c.keep("xlwt.xls")
    c.line("xlwt.xls", "xlwt", xlwt.__VERSION__, "Workbook()", "idfa", None, refused="xls")

    # gnumeric reads the CSV and writes its own.
    version = c.version("ssconvert", "ssconvert --version 2>&1 | grep -o \"[0-9.]*[0-9]\" | head -1")

    def gnumeric(file, flags, cells=ids, source=None, **more):
        command = f"ssconvert -I Gnumeric_stf:stf_csvtab {flags} sheet.csv {file}"
        c.run(f"rm -f {file}; {command}", HOME=c.scratch)
        c.keep(file)
        c.line(file, "Gnumeric", version, command, "idfa", cells, source, **more)

    gnumeric("gnumeric.xlsx", "-T Gnumeric_Excel:xlsx2", understood=XLSX)
    gnumeric("gnumeric-2007.xlsx", "-T Gnumeric_Excel:xlsx", understood=XLSX)
    gnumeric("gnumeric.csv", "-T Gnumeric_stf:stf_csv", understood={"format": "csv", **NAMED})
    gnumeric("gnumeric-semicolon.txt", "-T Gnumeric_stf:stf_assistant -O 'separator=; quoting-mode=always eol=windows'")
    gnumeric("gnumeric-pipe-utf-16.txt", "-T Gnumeric_stf:stf_assistant -O 'separator=| charset=UTF-16LE'", understood={"encoding": "utf-16le", "delimiter": "|"})
    gnumeric("gnumeric.xls", "-T Gnumeric_Excel:excel_biff8", cells=None, refused="xls")
    gnumeric("gnumeric.ods", "-T Gnumeric_OpenCalc:odf", cells=None, refused="ods")
    gnumeric("gnumeric.gnumeric", "-T Gnumeric_XmlIO:sax", cells=None, refused="XML")


FAMILIES = [spreadsheets]
