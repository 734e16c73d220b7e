"""A job that names its paths as it did for S3A."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
for _ in range(2):
    spark.range(1000).write.mode("overwrite").parquet(sys.argv[1])
rows = spark.read.parquet(sys.argv[1]).count()
print(f"{rows} rows at {sys.argv[1].split('/')[0]}//")
assert rows == 1000
spark.stop()
