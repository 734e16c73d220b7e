# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One write of a range as Parquet, between two marks."""

import sys

from job import file_system, job, marks, measured, Path, say, spark

path, statement = job["path"], job["statement"]
rows, files, partitions = job["rows"], job["files"], job["partitions"]
# Code generation and Parquet's classes cost every variant the same; they are no business of S3.
spark.range(0, 1000, 1, 2).write.mode("overwrite").parquet("warm-up")


def write(path, rows, parts):
    """Writes rows 0 to rows - 1; each task writes a file to each part."""
    if statement != "dataframe":
        source = "source" if statement == "scan" else "range(0, %d, 1, %d)" % (rows, files)
        spark.sql("INSERT OVERWRITE DIRECTORY '%s' USING PARQUET SELECT * FROM %s" % (path, source))
        return
    data = spark.range(0, rows, 1, files // max(1, parts))
    writer = (data.withColumn("p", data.id % parts) if parts else data).write.mode("overwrite")
    (writer.partitionBy("p") if parts else writer).parquet(path)


if statement == "scan":
    spark.range(0, rows, 1, files).write.mode("overwrite").parquet(path + "-source")
    # A task for each file.
    spark.conf.set("spark.sql.files.openCostInBytes", str(128 << 20))
    spark.read.parquet(path + "-source").createOrReplaceTempView("source")
if job["warm"]:
    write(path + "-before", rows, partitions)
if job["dynamic"]:
    write(path, rows, partitions)
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    partitions, files = partitions // 2, files // 2
with marks.section(job["section"]):
    _, took = measured(write, path, rows, partitions)

fs = file_system(path)
names = [status.getPath().getName() for status in fs.listStatus(Path(path))]
written = sum(name.startswith("part-") for name in names) if not partitions else files
if written != files or "_temporary" in names or "_SUCCESS" not in names:
    sys.exit("wrote %d of %d files: %s" % (written, files, sorted(names)[:5]))
if job["check"]:
    read = spark.read.parquet(path)
    if partitions:
        read = read.where("p < %d" % partitions)
        if len(read.inputFiles()) != files * (2 if job["dynamic"] else 1):
            sys.exit("found %d files, wrote %d" % (len(read.inputFiles()), files))
    found = read.selectExpr("count(*)", "sum(id)").first()
    if tuple(found) != (rows, rows * (rows - 1) // 2):
        sys.exit("read back %s rows and sum of %d written" % (found, rows))
say({**took, "fs": fs.getClass().getName()})
spark.stop()
