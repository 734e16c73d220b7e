# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One write of Parquet, or of a table of Iceberg, and the same rows read back: what each took, and where it lies in the log.

The log's length before and after tells which requests belong to it. Marker requests would be in the
same weather as the job, and be throttled, delayed or lost.
"""

import os
import time

from job import job, say, spark

# A request is logged a moment after its answer was read; this is long against that moment.
SETTLE_SECONDS = 1.5
CONTENT = ("count(*)", "sum(id)", "bit_xor(xxhash64(id, text))")


def cpu_seconds():
    """Of Spark's JVM so far, which has started this process."""
    with open("/proc/%d/stat" % os.getppid(), encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(work):
    """What came of it or how it failed, what it took, and where the log was then."""
    time.sleep(SETTLE_SECONDS)
    log_start, cpu_start, start = os.path.getsize(job["log"]), cpu_seconds(), time.monotonic()
    found, error = None, None
    try:
        found = work()
    except Exception as e:  # whatever it is, it is the result
        error = cause(str(e))
    seconds, cpu = time.monotonic() - start, cpu_seconds() - cpu_start
    time.sleep(SETTLE_SECONDS)
    return {"found": found, "error": error, "seconds": seconds, "cpu": cpu,
            "log": [log_start, os.path.getsize(job["log"])]}


def cause(text):
    """The innermost exception, in one short line."""
    lines = text.strip().splitlines() or ["no message"]
    causes = [line[len("Caused by: "):] for line in lines if line.startswith("Caused by: ")]
    name, _, problem = (causes[-1] if causes else lines[0]).partition(": ")
    return "%s: %s" % (name.rsplit(".", 1)[-1], problem.split(". ")[0][:160])


def content(rows):
    return list(rows.selectExpr(*CONTENT).first())


rows = spark.range(0, job["rows"], 1, job["files"]).selectExpr(
    "id", "sha2(cast(id as string), 256) as text")
# Code generation and Parquet's classes cost every variant the same; they are no business of S3.
rows.limit(1000).write.mode("overwrite").parquet("warm-up")
if "table" in job:
    spark.sql("CREATE NAMESPACE " + job["table"].rpartition(".")[0])
    rows.limit(1000).writeTo(job["table"] + "_warm_up").using("iceberg").create()
said = {"expected": content(rows)}
said["write"] = measured(
    lambda: rows.writeTo(job["table"]).using("iceberg").create() if "table" in job
    else rows.write.mode("overwrite").parquet(job["path"]))
if job["read"] and said["write"]["error"] is None:
    said["read"] = measured(
        lambda: content(spark.table(job["table"]) if "table" in job
                        else spark.read.parquet(job["path"])))
say(said)
spark.stop()
