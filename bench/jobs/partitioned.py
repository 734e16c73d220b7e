# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One write of a partitioned table with names that have to be encoded, and one read of it."""

import sys

from pyspark.sql import SparkSession

path, files = sys.argv[1] + "/tä st", int(sys.argv[2])
spark = SparkSession.builder.getOrCreate()
rows = spark.range(0, 20_000, 1, files).selectExpr("id", "id % 3 as `a b`")
rows.write.mode("overwrite").partitionBy("a b").parquet(path)
count = spark.read.parquet(path).count()
spark.stop()
if count != 20_000:
    sys.exit("%d rows were read of 20,000" % count)
