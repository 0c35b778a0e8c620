#!/usr/bin/env python3
"""Writes the result of a query into the folder of a feed.

    python3 export.py shop.db audience.sql /exports/inbox/audience-2026-03-01.csv

SQLite stands for your warehouse: only connect() differs. The file is written under another name
and renamed when it is complete, so that a feed never sees half of it. With dbt, run this after
dbt build; warehouses that write files themselves (COPY INTO, UNLOAD, EXPORT DATA) write them into
a folder, and last an empty file _SUCCESS: set done_marker in the feed.
"""

import csv
import os
import sqlite3
import sys


def main():
    database, query, target = sys.argv[1:]
    with open(query, encoding="utf-8") as file:
        rows = sqlite3.connect(database).execute(file.read())
    unfinished = target + ".part"
    with open(unfinished, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(column[0] for column in rows.description)
        writer.writerows(rows)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, target)


if __name__ == "__main__":
    main()
