# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Writes and reads the same rows in several buckets by turns, in one warm JVM."""

import sys

from job import job, measured, say, spark

CONTENT = ("count(*)", "sum(id)", "bit_xor(xxhash64(id, text))")


def content(rows):
    return list(rows.selectExpr(*CONTENT).first())


rows = spark.range(0, job["rows"], 1, job["files"]).selectExpr(
    "id", "sha2(cast(id as string), 256) as text").persist()
expected = content(rows)
for turn in range(-job["warmUps"], job["runs"]):
    # By turns who is first: what one leaves to the JVM's collector, the other pays.
    sides = list(job["buckets"].items())[:: 1 if turn % 2 == 0 else -1]
    said = {}
    for side, bucket in sides:
        path = "s3a://%s/turn-%d" % (bucket, turn + job["warmUps"])
        _, write = measured(lambda: rows.write.mode("overwrite").parquet(path))
        found, read = measured(lambda: content(spark.read.parquet(path)))
        if found != expected:
            sys.exit("read %s, wrote %s" % (found, expected))
        said[side] = {"write": write, "read": read}
    if turn >= 0:
        say(said)
spark.stop()
