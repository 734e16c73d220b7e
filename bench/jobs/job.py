# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What every job has: what it was told, Spark, what its work took, and a way to say what it
found."""

import json
import os
import sys
import time

from pyspark.sql import SparkSession

from marks import Marks

job = json.loads(sys.argv[1])
spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
jvm = sc._jvm
conf = sc._jsc.hadoopConfiguration()
Path = jvm.org.apache.hadoop.fs.Path
marks = Marks(job.get("endpoint"), job.get("bucket"))


def say(found):
    print("@" + json.dumps(found, default=str))


def cpu_seconds():
    """Of Spark's JVM so far, which is this process's parent; 0 where there is no /proc."""
    try:
        with open("/proc/%d/stat" % os.getppid(), encoding="utf-8") as stat:
            fields = stat.read().rsplit(") ", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(work, *arguments):
    """What came of the work, and its seconds and processor seconds."""
    start, cpu = time.monotonic(), cpu_seconds()
    found = work(*arguments)
    return found, {"seconds": time.monotonic() - start, "cpu": cpu_seconds() - cpu}


def counted(case, work, *arguments, by="case"):
    """The same between two marks; what is said of a case. What work finds must be the same for
    all file systems."""
    with marks.section("%s-%s" % (job["section"], case)):
        found, took = measured(work, *arguments)
    return {by: case, "found": found, **took}


def file_system(path):
    return Path(path).getFileSystem(conf)
