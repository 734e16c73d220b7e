# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The same write of text files some times over, between two marks; each file is a task's only one."""

import json
import sys
import time

from pyspark.sql import SparkSession

from cpu import cpu_seconds
from marks import Marks

endpoint, bucket, section, files, lines, width, jobs = sys.argv[1:]
files, lines, width, jobs = int(files), int(lines), int(width), int(jobs)

spark = SparkSession.builder.getOrCreate()
marks = Marks(endpoint, bucket)


def write(name, lines):
    # The last byte of a line is its end.
    rows = spark.range(0, files * lines, 1, files).selectExpr("repeat('x', %d) AS x" % (width - 1))
    start, cpu = time.monotonic(), cpu_seconds()
    rows.write.text("s3a://%s/%s/%s" % (bucket, section, name))
    return time.monotonic() - start, cpu_seconds() - cpu


write("warm-up", min(lines, 64))
with marks.section(section):
    measured = [write(str(number), lines) for number in range(jobs)]
sizes = spark.read.format("binaryFile").load("s3a://%s/%s/0" % (bucket, section)).select("length")
if sorted(row[0] for row in sizes.collect()) != [lines * width] * files:
    sys.exit("not %d files of %d bytes" % (files, lines * width))
print("@" + json.dumps({
    "seconds": [seconds for seconds, _ in measured], "cpu": [cpu for _, cpu in measured]}))
spark.stop()
