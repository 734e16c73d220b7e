"""Writes a table unless it is there, and lets Comet read it."""

import sys

from pyspark.sql import SparkSession

how, path = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
spark.range(0, 100_000, 1, 4).selectExpr("id", "id % 7 AS shop").write.mode("ignore").parquet(path)
shops = spark.read.parquet(path).groupBy("shop").count()
assert "CometNativeScan" in shops._jdf.queryExecution().executedPlan().toString()
total = sum(row["count"] for row in shops.collect())
print(f"Comet read {total} rows of {shops.count()} shops {how}")
assert total == 100_000
spark.stop()
