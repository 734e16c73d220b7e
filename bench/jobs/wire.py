# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Writes one large file and reads it in sequence, on one thread, through Hadoop's FileSystem."""

import json
import sys
import time

from pyspark.sql import SparkSession

from cpu import cpu_seconds

job = json.loads(sys.argv[1])
BUFFER = 64 << 10

spark = SparkSession.builder.getOrCreate()
jvm = spark.sparkContext._jvm
conf = spark.sparkContext._jsc.hadoopConfiguration()
copy = jvm.org.apache.hadoop.io.IOUtils.copyBytes


def write(fs, path):
    # A stream of so many zeros, which costs nothing to make.
    source = jvm.org.apache.commons.io.input.NullInputStream(job["megabytes"] << 20)
    copy(source, fs.create(path, True), BUFFER, True)


def read(fs, path):
    sink = jvm.org.apache.commons.io.output.NullOutputStream.INSTANCE
    copy(fs.open(path), sink, BUFFER, True)


def measured(work, *arguments):
    start, cpu = time.monotonic(), cpu_seconds()
    work(*arguments)
    return {"seconds": time.monotonic() - start, "cpu": cpu_seconds() - cpu}


for turn in range(-job["warmUps"], job["runs"]):
    path = jvm.org.apache.hadoop.fs.Path("s3a://%s/%s/%d" % (job["bucket"], job["name"], turn))
    fs = path.getFileSystem(conf)
    said = {"write": measured(write, fs, path)}
    if fs.getFileStatus(path).getLen() != job["megabytes"] << 20:
        sys.exit("the file has another size")
    said["read"] = measured(read, fs, path)
    fs.delete(path, False)
    if turn >= 0:
        print("@" + json.dumps(said))
spark.stop()
