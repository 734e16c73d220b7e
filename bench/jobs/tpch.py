# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Makes the tables of bench/run tpch, or runs its queries between two marks."""

import datetime
import decimal
import json
import pathlib
import sys
import time

from pyspark.sql import SparkSession

from cpu import cpu_seconds
from marks import Marks

job = json.loads(pathlib.Path(sys.argv[1]).read_text())
base = "s3a://%s/tpch/" % job["bucket"]
TABLES = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")
# As many as make files of some tens of megabytes, as a job leaves them.
ROWS_A_FILE = 750_000

spark = SparkSession.builder.getOrCreate()


def make(name, folder):
    for table in TABLES:
        rows = spark.read.parquet("file://%s/%s.parquet" % (folder, table))
        files = -(-rows.count() // ROWS_A_FILE)
        rows.repartition(files).write.parquet("%s%s/%s" % (base, name, table))


def copy(copies):
    path = spark.sparkContext._jvm.org.apache.hadoop.fs.Path
    source = path(base + "database")
    fs = source.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    fs.copyToLocalFile(False, source, path("file://" + copies), True)


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
    with Marks(job["endpoint"], job["bucket"]).section(job["section"]):
        open_tables("database")
        for number, text in texts.items():
            start, cpu = time.monotonic(), cpu_seconds()
            rows = run_query(text)
            said.append({"query": number, "seconds": time.monotonic() - start,
                         "cpu": cpu_seconds() - cpu, "rows": rows})
    for one in said:
        print("@" + json.dumps(one))


if "make" in job:
    for name, folder in job["make"].items():
        make(name, folder)
    copy(job["copies"])
else:
    query()
spark.stop()
