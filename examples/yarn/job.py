"""Writes a table and reads it back, and says where."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.range(1000).write.parquet(sys.argv[1])
rows = spark.read.parquet(sys.argv[1]).count()
assert rows == 1000
print(f"{rows} rows by {spark.sparkContext.applicationId} in {spark.conf.get('spark.submit.deployMode')} mode")
spark.stop()
