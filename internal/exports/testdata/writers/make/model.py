"""Tables of made-up device ids, and what a job must read from them.

Nothing here uses usher's code: digests, sums and xors are reckoned with hashlib.
"""

import hashlib
import random
import uuid

# NULLS are spellings of a missing value that real exports have.
NULLS = {
    "\\N", "NA", "N/A", "#N/A", "<NA>", "NaN", "NaT", "nil", "None", "null", "NULL",
    "(null)", "<null>", "(not set)", "(none)", "undefined", "-",
}

COUNTRIES = ["DE", "FR", "US", "JP", "BR"]


class Ids:
    """Ids makes device ids of one seed and remembers them."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def idfa(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4)).upper()

    def aaid(self):
        return self.idfa().lower()

    def android_id(self):
        return "%016x" % self.random.getrandbits(64)

    def note(self, number):
        """A text that is hard to quote. Many of them hold the id of another device."""
        other = self.idfa()
        notes = [
            "plain",
            'said "hi", left',
            f'a "b", "c", {other}, "d"',
            "back\\slash and C:\\new\\table",
            f'comma, then "x\\", {other}',
            "line one\nline two",
            f'two\nlines, "{other}"\nthree',
            "crlf\r\nhere",
            f"tab\there\t{other}",
            f"semi;colon | pipe;{other};",
            "Grüße 漢字 🎉 naïve",
            'at the end "quoted"',
            '"quoted" at the start',
            "it's {curly} [square]",
            "\\N",
            f'escaped \\"{other}\\" quotes',
            "",
            '"',
            "two \\\\ backslashes \\\\",
            "ends in a backslash\\",
            f" spaces around {other} ",
        ]
        return notes[number % len(notes)]


def contacts(name, rows=42, kind="idfa", missing=7):
    """Rows {customer, note, <kind>, country}; each missing-th has no id."""
    ids = Ids(name)
    table = []
    for i in range(rows):
        value = getattr(ids, kind)()
        table.append({
            "customer": 1000 + i,
            "note": ids.note(i),
            kind: None if missing and i % missing == missing - 1 else value,
            "country": COUNTRIES[i % len(COUNTRIES)],
        })
    return table


def lists(name, rows=30, kind="idfa"):
    """Rows {customer, devices, country} of which devices is a list of 0 to 3 ids."""
    ids = Ids(name)
    return [{
        "customer": 1000 + i,
        "devices": [getattr(ids, kind)() for _ in range([2, 1, 3, 2, 0][i % 5])],
        "country": COUNTRIES[i % len(COUNTRIES)],
    } for i in range(rows)]


def canonical(profile, value):
    return value.upper() if profile == "idfa" else value.lower()


def is_id(profile, value):
    if profile == "android_id":
        return 1 <= len(value) <= 16 and all(c in "0123456789abcdefABCDEF" for c in value)
    try:
        return str(uuid.UUID(value)) == value.lower() and len(value) == 36
    except ValueError:
        return False


def expected(profile, cells, malformed=0):
    """The manifest's figures for the cells of the wanted column.

    A cell is None, a text, or a list of texts, which counts as so many rows.
    """
    digests, rows, junk, invalid = [], 0, 0, 0
    for cell in cells:
        for value in (cell or [None]) if isinstance(cell, list) else [cell]:
            rows += 1
            text = (value or "").strip()
            if is_id(profile, text):
                digests.append(hashlib.md5(canonical(profile, text).encode()).digest())
            elif text == "" or text in NULLS or text.startswith("header:"):
                junk += 1
            else:
                invalid += 1
    total, mixed = 0, 0
    for digest in set(digests):
        number = int.from_bytes(digest, "big")
        total = (total + number) % 2**128
        mixed ^= number
    figures = {
        "rows": rows + malformed, "ids": len(digests), "distinct": len(set(digests)),
        "sum": "%032x" % total, "xor": "%032x" % mixed, "junk": junk,
    }
    if invalid:
        figures["invalid"] = invalid
    if malformed:
        figures["malformed"] = malformed
    return figures
