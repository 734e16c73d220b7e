# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A job that computes and writes and reads S3: sums over rows that it wrote."""

import json
import sys
import time

from pyspark.sql import SparkSession

path, rows, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
spark = SparkSession.builder.getOrCreate()
start = time.monotonic()
for i in range(rounds):
    spark.range(0, rows, 1, 8).selectExpr("id", "sha2(cast(id as string), 256) as text").write.mode(
        "overwrite").parquet("%s/%d" % (path, i))
    found = spark.read.parquet("%s/%d" % (path, i)).selectExpr(
        "count(*)", "sum(id)", "bit_xor(xxhash64(text))").first()
print("@" + json.dumps({"seconds": time.monotonic() - start, "found": list(found)}))
spark.stop()
