# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Reads two of three columns of a Parquet table some times, each between two marks; makes the
table before, if it is told to."""

import sys

from job import job, marks, measured, say, spark

TABLE = "s3a://%s/comet" % job["bucket"]
if job["make"]:
    spark.range(job["rows"]).selectExpr(
        "id", "id % 7 AS k", "sha2(cast(id AS string), 256) AS s").repartition(
            job["files"]).write.mode("overwrite").parquet(TABLE)
    spark.stop()
    sys.exit()


def query():
    return spark.read.schema("id BIGINT, k BIGINT, s STRING").parquet(TABLE).selectExpr(
        "sum(id)", "max(s)", "count(*)")


plan = query()._jdf.queryExecution().executedPlan().toString()
if ("CometNativeScan" in plan) != job["native"]:
    sys.exit("the plan is not what was asked for:\n" + plan)
found = []
for turn in range(job["turns"]):
    with marks.section("%s-%d" % (job["section"], turn)):
        rows, took = measured(lambda: [list(row) for row in query().collect()])
    found.append({"case": str(turn), "found": rows, **took})
for one in found:
    say(one)
spark.stop()
