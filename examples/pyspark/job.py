"""Writes a table, replaces one of its days, and reads it back."""

import sys

from penstock_spark import configure
from pyspark.sql import SparkSession

path = sys.argv[1]
spark = configure(SparkSession.builder.master("local[2]")).getOrCreate()

orders = spark.range(1000).selectExpr("id", "id % 7 AS day")
orders.write.partitionBy("day").parquet(path)

spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
corrected = orders.where("day = 3").selectExpr("id + 10000 AS id", "day")
corrected.write.mode("overwrite").partitionBy("day").parquet(path)

found = spark.read.parquet(path)
print(f"{found.count()} rows, {found.where('id >= 10000').count()} of them corrected")
assert found.count() == 1000
spark.stop()
