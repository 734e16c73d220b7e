# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Makes the tables of bench/run read-paths, or reads them in each way, each between two marks."""

from job import counted, job, sc, say, spark

bucket = "s3a://%s/" % job["bucket"]
CONTENT = ("count(*)", "sum(id)", "sum(length(text))")


def catalog(base):
    spark.conf.set("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set("spark.sql.catalog.lake.type", "hadoop")
    spark.conf.set("spark.sql.catalog.lake.warehouse", bucket + "lake")
    return "lake.db." + base.replace("-", "_")


def make(base, files, rows):
    data = spark.range(0, files * rows, 1, files).selectExpr(
        "id", "sha2(cast(id as string), 256) AS text")
    for kind in ("parquet", "orc", "csv"):
        data.write.format(kind).save("%s%s/%s" % (bucket, base, kind))
    data.select("text").write.text("%s%s/text" % (bucket, base))
    data.write.format("delta").save("%s%s/delta" % (bucket, base))
    data.writeTo(catalog(base)).using("iceberg").create()


def content(rows):
    return list(rows.selectExpr(*CONTENT).first())


def file_source(kind, base, version=1):
    spark.conf.set("spark.sql.sources.useV1SourceList", kind if version == 1 else "")
    rows = spark.read.format(kind).schema("id BIGINT, text STRING").load(
        "%s%s/%s" % (bucket, base, kind))
    return content(rows)


def lengths(texts):
    return list(texts.map(len).aggregate(
        (0, 0), lambda sums, n: (sums[0] + 1, sums[1] + n), lambda a, b: (a[0] + b[0], a[1] + b[1])))


PATHS = {
    "parquet": lambda base: file_source("parquet", base),
    "parquet-v2": lambda base: file_source("parquet", base, 2),
    "orc": lambda base: file_source("orc", base),
    "orc-v2": lambda base: file_source("orc", base, 2),
    "csv": lambda base: file_source("csv", base),
    "text-rdd": lambda base: lengths(sc.textFile(bucket + base + "/text")),
    "whole-rdd": lambda base: lengths(sc.wholeTextFiles(bucket + base + "/text").values()),
    "binary": lambda base: list(spark.read.format("binaryFile").load(
        bucket + base + "/text").selectExpr("count(*)", "sum(length(content))").first()),
    "delta": lambda base: content(spark.read.format("delta").load(bucket + base + "/delta")),
    "iceberg": lambda base: content(spark.table(catalog(base))),
}


if job.get("make"):
    make("read-paths", job["files"], job["rows"])
    make("warm-up", 1, 10)
else:
    for path in job["paths"]:
        PATHS[path]("warm-up")
        say(counted(path, PATHS[path], "read-paths", by="path"))
spark.stop()
