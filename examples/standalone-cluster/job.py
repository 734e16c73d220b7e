"""Writes a table on all executors, and says how many there were."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.range(0, 10000, 1, 8).write.parquet(sys.argv[1])
executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
rows = spark.read.parquet(sys.argv[1]).count()
print(f"{rows} rows, written by {executors} executors; this file is {sys.argv[0].split('/')[-1]}")
assert rows == 10000
spark.stop()
