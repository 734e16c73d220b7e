"""Writes three tables for others, or reads the tables that others wrote."""

import sys

from pyspark.sql import SparkSession

step, base = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
orders = spark.range(1000).selectExpr("id", "concat('day ', id % 7) AS day")
if step == "write":
    for _ in range(2):  # the second time replaces the first
        orders.write.mode("overwrite").partitionBy("day").parquet(f"{base}/parquet")
        orders.write.mode("overwrite").format("delta").save(f"{base}/delta")
        orders.writeTo("lake.db.orders").createOrReplace()
else:
    for name, kind in ("from-pyarrow", "parquet"), ("from-delta-rs", "delta"):
        rows, total = spark.read.format(kind).load(f"{base}/{name}").selectExpr("count(*)", "sum(id)").first()
        print(f"Spark reads {name}: {rows} rows")
        assert (rows, total) == (1000, 499500)
spark.stop()
