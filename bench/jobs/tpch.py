# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Makes the tables of bench/run tpch, or runs its queries between two marks."""

import datetime
import decimal
import json
import pathlib

import job as told
from job import file_system, marks, measured, Path, say, spark

# In a file: the texts of all queries are too long for a command line.
job = {**told.job, **json.loads(pathlib.Path(told.job["file"]).read_text())}
base = "s3a://%s/tpch/" % job["bucket"]
TABLES = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")
# As many as make files of some tens of megabytes, as a job leaves them.
ROWS_A_FILE = 750_000


def make(name, folder):
    for table in TABLES:
        rows = spark.read.parquet("file://%s/%s.parquet" % (folder, table))
        files = -(-rows.count() // ROWS_A_FILE)
        rows.repartition(files).write.parquet("%s%s/%s" % (base, name, table))


def copy(copies):
    file_system(base).copyToLocalFile(
        False, Path(base + "database"), Path("file://" + copies), True)


def open_tables(name):
    for table in TABLES:
        spark.read.parquet("%s%s/%s" % (base, name, table)).createOrReplaceTempView(table)


def plain(cell):
    if isinstance(cell, (decimal.Decimal, float)):
        return float(cell)
    return cell.isoformat() if isinstance(cell, datetime.date) else cell


def run_query(text):
    return [[plain(cell) for cell in row] for row in spark.sql(text).collect()]


def query():
    texts = job["queries"]
    open_tables("warm-up")
    for text in texts.values():
        run_query(text)
    said = []
    with marks.section(job["section"]):
        open_tables("database")
        for number, text in texts.items():
            rows, took = measured(run_query, text)
            said.append({"query": number, **took, "rows": rows})
    for one in said:
        say(one)


if "make" in job:
    for name, folder in job["make"].items():
        make(name, folder)
    copy(job["copies"])
else:
    query()
spark.stop()
