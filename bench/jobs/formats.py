# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Creates a table of a table format and appends one file to it some times, between two marks."""

import sys

from job import job, marks, measured, say, spark

appends = job["appends"]


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


with marks.section(job["section"]):
    table, took = measured({"delta": delta, "iceberg": iceberg}[job["kind"]],
                           "s3a://%s/%s" % (job["bucket"], job["section"]))
found = tuple(table.selectExpr("count(*)", "sum(id)").first())
whole = appends * 1000
if found != (whole, whole * (whole - 1) // 2):
    sys.exit("read back %s rows and sum, of %d rows" % (found, whole))
say(took)
spark.stop()
