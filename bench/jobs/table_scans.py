# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Makes the tables of bench/run table-scans, or reads and writes them case by case, each between
two marks."""

from job import counted, job, say, spark
from wide import COLUMNS, THREE, column

MANY_ROWS = 10_000


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
    for case in job["cases"]:
        for turn in range(3):  # the JVM compiles, and the client learns the store
            CASES[case]("warm" if case != "write" else "warm%d" % turn)
        said = counted(case, CASES[case], "wide")
        if case == "write":  # read back, outside of what is measured
            said["found"] = found("wide_" + job["section"], COLUMNS)
        say(said)


make() if job.get("make") else run()
spark.stop()
