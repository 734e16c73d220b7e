# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Creates a table of a table format and appends one file to it some times, between two marks."""

import json
import sys
import time

from pyspark.sql import SparkSession

from marks import Marks

endpoint, bucket, section, kind, appends = sys.argv[1:]
appends = int(appends)

spark = SparkSession.builder.getOrCreate()
marks = Marks(endpoint, bucket)
base = "s3a://%s/%s" % (bucket, section)


def rows(number):
    return spark.range(number * 1000, number * 1000 + 1000, 1, 1).selectExpr("id", "id % 7 AS k")


def delta(path):
    for number in range(appends):
        rows(number).write.format("delta").mode("append").save(path)
    return spark.read.format("delta").load(path)


def iceberg(path):
    spark.conf.set("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set("spark.sql.catalog.lake.type", "hadoop")
    spark.conf.set("spark.sql.catalog.lake.warehouse", path)
    spark.sql("CREATE TABLE lake.db.t (id BIGINT, k BIGINT) USING iceberg")
    for number in range(appends):
        rows(number).writeTo("lake.db.t").append()
    return spark.table("lake.db.t")


with marks.section(section):
    start = time.monotonic()
    table = {"delta": delta, "iceberg": iceberg}[kind](base)
    seconds = time.monotonic() - start
found = tuple(table.selectExpr("count(*)", "sum(id)").first())
whole = appends * 1000
if found != (whole, whole * (whole - 1) // 2):
    sys.exit("read back %s rows and sum, of %d rows" % (found, whole))
print("@" + json.dumps({"seconds": seconds}))
spark.stop()
