# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Makes the tables of bench/run table-scans, or reads and writes them case by case, each between two
marks."""

import json
import sys
import time

from pyspark.sql import SparkSession

from cpu import cpu_seconds
from marks import Marks
from wide import COLUMNS, THREE, column

job = json.loads(sys.argv[1])
MANY_ROWS = 10_000

spark = SparkSession.builder.getOrCreate()


def rows(files, each):
    """Rows of 21 columns, in so many tasks, each of which writes one file."""
    return spark.range(0, files * each, 1, files).selectExpr(*(column(n) for n in range(21)))


def write(frame, name):
    if job["kind"] == "iceberg":
        frame.writeTo("lake.db.%s" % name).create()
    else:
        frame.write.format("delta").save("s3a://%s/delta/%s" % (job["bucket"], name))


def table(name):
    if job["kind"] == "iceberg":
        return spark.table("lake.db.%s" % name)
    return spark.read.format("delta").load("s3a://%s/delta/%s" % (job["bucket"], name))


def found(name, names):
    return list(table(name).selectExpr("count(*)", "bit_xor(xxhash64(%s))" % ", ".join(names)).first())


def written(name):
    write(rows(job["files"] // 2, job["rows"]), "%s_%s" % (name, job["section"]))


CASES = {
    "three": lambda name: found(name, THREE),
    "all": lambda name: found(name, COLUMNS),
    "many": lambda name: found(name + "_many", COLUMNS[:4]),
    "write": written,
}


def make():
    if job["kind"] == "iceberg":
        spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.db")
    for name, files, many in (("wide", job["files"], job["many"]), ("warm", 2, 20)):
        write(rows(files, job["rows"]), name)
        write(rows(many, MANY_ROWS).select(*COLUMNS[:4]), name + "_many")


def run():
    marks = Marks(job["endpoint"], job["bucket"])
    for case in job["cases"]:
        for turn in range(3):  # the JVM compiles, and the client learns the store
            CASES[case]("warm" if case != "write" else "warm%d" % turn)
        with marks.section("%s-%s" % (job["section"], case)):
            start, cpu = time.monotonic(), cpu_seconds()
            said = CASES[case]("wide")
            seconds, cpu = time.monotonic() - start, cpu_seconds() - cpu
        if case == "write":  # read back, outside of what is measured
            said = found("wide_" + job["section"], COLUMNS)
        print("@" + json.dumps({"case": case, "seconds": seconds, "cpu": cpu, "found": said}))


make() if job.get("make") else run()
spark.stop()
