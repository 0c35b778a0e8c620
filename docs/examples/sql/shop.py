#!/usr/bin/env python3
"""Makes a small database to try export.py with."""

import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
db.executescript(
    """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, gaid TEXT, country TEXT, consent INTEGER);
    CREATE TABLE orders (customer INTEGER, day TEXT);
    INSERT INTO customers VALUES
      (1, '0b5d7b31-2f60-4c1b-9a54-0e1c2d3f4a51', 'DE', 1),
      (2, '1c6e8c42-3071-4d2c-8b65-1f2d3e4f5b62', 'DE', 1),
      (3, '2d7f9d53-4182-4e3d-9c76-2a3e4f5a6c73', 'FR', 0),
      (4, '3e8a0e64-5293-4f4e-8d87-3b4f5a6b7d84', 'FR', 1),
      (5, '4f9b1f75-63a4-4a5f-9e98-4c5a6b7c8e95', 'FR', 1),
      (6, NULL, 'GB', 1);
    INSERT INTO orders VALUES (1, '2026-02-01'), (1, '2026-02-14'), (2, '2026-01-03'),
      (3, '2026-02-20'), (4, '2026-02-21'), (5, '2025-06-01'), (6, '2026-02-01');
    """
)
db.commit()
