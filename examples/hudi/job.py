"""Upserts into a table of each kind, deletes from it, and reads it now, as it was, and what changed."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
PARALLELISM = {f"hoodie.{what}.shuffle.parallelism": "2" for what in ("upsert", "delete")}


def write(rows, path, kind, operation):
    rows.write.format("hudi").mode("append").options(**{
        "hoodie.table.name": "orders",
        "hoodie.datasource.write.table.type": kind,
        "hoodie.datasource.write.operation": operation,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.partitionpath.field": "shop",
        "hoodie.datasource.write.precombine.field": "at",
        **PARALLELISM}).save(path)


def orders(first, last, state, at):
    return spark.range(first, last).selectExpr("id", "id % 3 AS shop", f"'{state}' AS state", f"{at}L AS at")


for kind in ("COPY_ON_WRITE", "MERGE_ON_READ"):
    path = f"{sys.argv[1]}/{kind.lower()}"
    write(orders(0, 300, "new", 1), path, kind, "upsert")
    write(orders(200, 400, "sent", 2), path, kind, "upsert")
    write(orders(0, 50, "new", 3), path, kind, "delete")
    read = spark.read.format("hudi")
    now = {row.state: row["count"] for row in read.load(path).groupBy("state").count().collect()}
    times = sorted(row[0] for row in read.load(path).select("_hoodie_commit_time").distinct().collect())
    before = spark.read.format("hudi").option("as.of.instant", times[0]).load(path).count()
    changed = (spark.read.format("hudi").option("hoodie.datasource.query.type", "incremental")
               .option("hoodie.datasource.read.begin.instanttime", times[0]).load(path)
               .where("state = 'sent'").count())
    print(f"{kind}: now {dict(sorted(now.items()))}, at first {before}, upserted since {changed}")
    assert (now, before, changed) == ({"new": 150, "sent": 200}, 300, 200)
spark.stop()
