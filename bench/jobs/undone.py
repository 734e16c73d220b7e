# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Writes the table of bench/run undo and overwrites it, or tells what is in it."""

from job import job, measured, say, spark

table = "s3://%s/orders" % job["bucket"]


def rows(tasks, files, first):
    """Each task writes one file into each partition."""
    partitions = files // tasks
    return spark.range(first, first + files, 1, tasks).selectExpr(
        "cast(id as string) as value", "format_string('%%06d', id %% %d) as p" % partitions)


def write():
    rows(job["tasks"], job["files"], 0).write.partitionBy("p").mode("overwrite").text(table)


def overwrite():
    rows(job["new_tasks"], job["new_files"], -10**9).write.partitionBy("p").mode(
        "overwrite").text(table)


def look():
    found = spark.read.text(table).selectExpr(
        "count(*) as rows", "sum(cast(value as long)) as sum",
        "sum(cast(value as long) * (1 + cast(p as long))) as mixed").head()
    return found.asDict()


for step in job["steps"]:
    found, took = measured({"write": write, "overwrite": overwrite, "look": look}[step])
    say({"step": step, "found": found, **took})
spark.stop()
