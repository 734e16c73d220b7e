"""Writes and reads a table through a Spark Connect server."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
spark.range(1000).write.parquet(sys.argv[2])
rows = spark.read.parquet(sys.argv[2]).count()
print(f"{rows} rows through {sys.argv[1]}")
assert rows == 1000
spark.stop()
