# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Writes the same rows in some layouts, or reads some columns of one layout with some settings, one
after the other."""

import json
import sys
import time

from pyspark.sql import SparkSession, functions as f

from marks import Marks

job = json.loads(sys.argv[1])
spark = SparkSession.builder.getOrCreate()
marks = Marks(job["endpoint"], job["bucket"])
COLUMNS = 8
READ = ("c1", "c4", "c6")


def write(layout):
    rows = spark.range(0, job["rows"], 1, layout["files"])
    # Noise does not compress.
    noise = [f.xxhash64("id", f.lit(i)).alias("c%d" % i) for i in range(COLUMNS)]
    (rows.select(*noise).write.mode("overwrite")
     .option("parquet.block.size", layout["row_group"]).parquet(layout["path"]))


def read(cell):
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(cell["partition"]))
    rows = spark.read.option("parquet.read.allocation.size", str(cell["allocation"])).parquet(
        job["path"])
    with marks.section(cell["section"]):
        start = time.monotonic()
        found = rows.selectExpr(*("bit_xor(%s)" % column for column in READ)).first()
        seconds = time.monotonic() - start
    return {"section": cell["section"], "seconds": seconds, "found": list(found),
            "tasks": rows.rdd.getNumPartitions()}


if job["do"] == "write":
    for layout in job["layouts"]:
        write(layout)
    print("@{}")
else:
    # Classes and compiled code, which every cell needs.
    read({**job["cells"][0], "section": job["cells"][0]["section"] + "-warm-up"})
    for cell in job["cells"]:
        print("@" + json.dumps(read(cell)))
spark.stop()
