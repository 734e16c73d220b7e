# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Writes the same rows in some layouts, or reads some columns of one layout with some settings, one
after the other."""

from pyspark.sql import functions as f

from job import counted, job, say, spark

COLUMNS = 8
READ = ("c1", "c4", "c6")


def write(layout):
    rows = spark.range(0, job["rows"], 1, layout["files"])
    # Noise does not compress.
    noise = [f.xxhash64("id", f.lit(i)).alias("c%d" % i) for i in range(COLUMNS)]
    (rows.select(*noise).write.mode("overwrite")
     .option("parquet.block.size", layout["row_group"]).parquet(layout["path"]))


def read(cell, name=None):
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(cell["partition"]))
    rows = spark.read.option("parquet.read.allocation.size", str(cell["allocation"])).parquet(
        job["path"])
    said = counted(name or cell["case"], rows.selectExpr(
        *("bit_xor(%s)" % column for column in READ)).first)
    return {**said, "found": list(said["found"]), "tasks": rows.rdd.getNumPartitions()}


if job["do"] == "write":
    for layout in job["layouts"]:
        write(layout)
else:
    # Classes and compiled code, which every cell needs.
    read(job["cells"][0], "warm-up")
    for cell in job["cells"]:
        say(read(cell))
spark.stop()
