# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One write of a range as Parquet, between two marks."""

import json
import os
import sys
import time

from pyspark.sql import SparkSession

from marks import Marks

endpoint, bucket, root, section, rows, files, check_rows, partitions, mode, state, statement = sys.argv[1:]
rows, files, partitions = int(rows), int(files), int(partitions)


def cpu_seconds():
    """Of Spark's JVM so far, which is this process's parent; None where there is no /proc."""
    try:
        with open("/proc/%d/stat" % os.getppid(), encoding="utf-8") as stat:
            fields = stat.read().rsplit(") ", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


spark = SparkSession.builder.getOrCreate()
# Code generation and Parquet's classes cost every variant the same; they are no business of S3.
spark.range(0, 1000, 1, 2).write.mode("overwrite").parquet("warm-up")

path = "%s/%s" % (root, section)
marks = Marks(endpoint, bucket)


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
if state == "warm":
    write(path + "-before", rows, partitions)
if mode == "dynamic":
    write(path, rows, partitions)
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    partitions, files = partitions // 2, files // 2
with marks.section(section):
    start, cpu_start = time.monotonic(), cpu_seconds()
    write(path, rows, partitions)
    seconds, cpu_end = time.monotonic() - start, cpu_seconds()

jvm = spark.sparkContext._jvm
hadoop_path = jvm.org.apache.hadoop.fs.Path(path)
fs = hadoop_path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
names = [status.getPath().getName() for status in fs.listStatus(hadoop_path)]
written = sum(name.startswith("part-") for name in names) if not partitions else files
if written != files or "_temporary" in names or "_SUCCESS" not in names:
    sys.exit("wrote %d of %d files: %s" % (written, files, sorted(names)[:5]))
if check_rows == "check":
    read = spark.read.parquet(path)
    if partitions:
        read = read.where("p < %d" % partitions)
        if len(read.inputFiles()) != files * (2 if mode == "dynamic" else 1):
            sys.exit("found %d files, wrote %d" % (len(read.inputFiles()), files))
    found = read.selectExpr("count(*)", "sum(id)").first()
    if tuple(found) != (rows, rows * (rows - 1) // 2):
        sys.exit("read back %s rows and sum of %d written" % (found, rows))

print("@" + json.dumps({
    "section": section,
    "seconds": seconds,
    "cpuSeconds": None if cpu_start is None else cpu_end - cpu_start,
    "fs": fs.getClass().getName(),
}))
spark.stop()
