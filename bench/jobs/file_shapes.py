# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The job of bench/run file-shapes: makes its input, copies it once as the published job does, or
reads what was written."""

import os
import time

from job import job, say, spark

# A request is logged a moment after its answer was read; this is long against that moment.
SETTLE_SECONDS = 1.5
# Noise does not compress, so that a row has the same size in every file.
ROW = ("id", "sha2(cast(id as string), 256) as text")

# What the published rows took of a core's time. Many more threads than cores can only sleep it.
SLEEP = "id %% 100 != 0 or reflect('java.lang.Thread', 'sleep', %dL) != ''"


def make():
    rows = spark.range(0, job["rows"], 1, job["files"]).selectExpr(*ROW)
    rows.write.mode("overwrite").option("parquet.block.size", job["row_group"]).parquet(job["path"])
    return content(job["path"])


def content(path):
    rows = spark.read.parquet(path)
    return list(rows.selectExpr("count(*)", "sum(id)", "bit_xor(xxhash64(id, text))").first())


def copy():
    # Code generation and Parquet's classes cost every variant the same; they are no business of S3.
    spark.range(1000).selectExpr(*ROW).write.mode("overwrite").parquet("warm-up")
    spark.read.parquet("warm-up").write.mode("overwrite").parquet("warm-up-copy")
    time.sleep(SETTLE_SECONDS)
    log_start, start = os.path.getsize(job["log"]), time.monotonic()
    error = None
    try:
        rows = spark.read.parquet(job["input"])
        if job["sleep_millis"]:
            rows = rows.where(SLEEP % job["sleep_millis"])
        rows.write.mode("overwrite").parquet(job["path"])
    except Exception as e:  # whatever it is, it is the result
        error = str(e).strip().splitlines()[0][:200]
    seconds = time.monotonic() - start
    time.sleep(SETTLE_SECONDS)
    return {"seconds": seconds, "error": error, "log": [log_start, os.path.getsize(job["log"])]}


if job["do"] == "read":
    say({path: content(path) for path in job["paths"]})
else:
    say({"make": make, "copy": copy}[job["do"]]())
spark.stop()
