# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Runs the queries of bench/run tpch by DuckDB on the local copies; prints the rows as JSON."""

import datetime
import decimal
import json
import pathlib
import sys

import duckdb

job = json.loads(pathlib.Path(sys.argv[1]).read_text())
tables = pathlib.Path(job["tables"])


def plain(cell):
    if isinstance(cell, (decimal.Decimal, float)):
        return float(cell)
    return cell.isoformat() if isinstance(cell, datetime.date) else cell


database = duckdb.connect()
for folder in sorted(tables.iterdir()):
    database.sql("CREATE VIEW %s AS FROM read_parquet('%s/*.parquet')" % (folder.name, folder))
print(json.dumps({
    number: [[plain(cell) for cell in row] for row in database.sql(text.rstrip().rstrip(";")).fetchall()]
    for number, text in job["queries"].items()}))
