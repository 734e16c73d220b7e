# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Makes the data of bench/run reads, or reads them case by case, each between two marks."""

from job import counted, file_system, job, jvm, Path, say, spark
from wide import COLUMNS, THREE, column

bucket = "s3a://%s/" % job["bucket"]
LINE = 128
# Files of 320 KB.
MEDIUM_ROWS = 10_000
ELEVEN = COLUMNS[5:16]


# ---- the data

def make(base, files, rows, megabytes, smalls):
    wide = spark.range(0, files * rows, 1, files)
    wide.selectExpr(*(column(n) for n in range(21))).write.parquet(base + "/wide")
    wide = spark.range(0, files // 2 * rows, 1, max(1, files // 2))
    wide.selectExpr(*(column(n) for n in range(21))).write.option(
        "parquet.block.size", 16 << 20).parquet(base + "/groups")
    lines = spark.range(0, (megabytes << 20) // LINE, 1, 1)
    text = "concat(lpad(id, 12, '0'), repeat('x', %d)) AS x" % (LINE - 13)
    lines.selectExpr(text).write.text(base + "/lines")
    spark.range(0, smalls * 10, 1, smalls).write.parquet(base + "/small")
    mediums = min(smalls, 200)
    medium = spark.range(0, mediums * MEDIUM_ROWS, 1, mediums)
    medium.selectExpr(*(column(n) for n in (0, 3, 6, 9))).write.parquet(base + "/medium")


def make_all():
    make(bucket + "reads", job["files"], job["rows"], job["megabytes"], job["small"])
    # Other files for the warm-up, so that nothing of what is measured is known before.
    make(bucket + "warm-up", 2, job["rows"], min(64, job["megabytes"]), 20)


# ---- the reads; each returns what must be the same for all file systems

def columns(base, names, table="/wide"):
    rows = spark.read.parquet(base + table)
    return rows.selectExpr("count(*)", "bit_xor(xxhash64(%s))" % ", ".join(names))


def stream(base):
    """One thread reads one file from its start to its end, without Spark."""
    fs = file_system(base)
    file = next(s for s in fs.listStatus(Path(base + "/lines"))
                if s.getPath().getName().startswith("part-"))
    sink = jvm.org.apache.commons.io.output.NullOutputStream.INSTANCE
    jvm.org.apache.hadoop.io.IOUtils.copyBytes(fs.open(file.getPath()), sink, 1 << 20, True)
    return [file.getLen()]


def text(base):
    lines = spark.read.option("wholetext", False).text(base + "/lines")
    return lines.selectExpr("count(*)", "sum(length(value))")


def small(base):
    return spark.read.parquet(base + "/small").selectExpr("count(*)", "sum(id)")


def medium(base):
    return spark.read.parquet(base + "/medium").selectExpr("count(*)", "bit_xor(%s)" % COLUMNS[3])


CASES = {
    "three": lambda base: columns(base, THREE),
    "eleven": lambda base: columns(base, ELEVEN),
    "all": lambda base: columns(base, COLUMNS),
    "groups": lambda base: columns(base, COLUMNS, "/groups"),
    "stream": stream,
    "text": text,
    "small": small,
    "medium": medium,
}


def run(case, base):
    rows = CASES[case](base)
    return rows if isinstance(rows, list) else list(rows.first())


def read():
    for case in job["cases"]:
        run(case, bucket + "warm-up")  # the JVM compiles, and the client learns the store
        say(counted(case, run, case, bucket + "reads"))


make_all() if job.get("make") else read()
spark.stop()
