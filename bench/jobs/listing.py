# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Lists the objects of bench/run listing, form by form, each between two marks."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import SparkSession

from marks import Marks

job = json.loads(sys.argv[1])
base = "s3a://%s/" % job["bucket"]
THREADS = 16

spark = SparkSession.builder.getOrCreate()
jvm = spark.sparkContext._jvm
Path = jvm.org.apache.hadoop.fs.Path
fs = Path(base).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())


def used_heap():
    jvm.java.lang.System.gc()
    runtime = jvm.java.lang.Runtime.getRuntime()
    return runtime.totalMemory() - runtime.freeMemory()


def recursive(path):
    """All statuses, and how many they are."""
    found = jvm.org.apache.hadoop.util.functional.RemoteIterators.toList(fs.listFiles(path, True))
    return found, found.size()


def by_directories(path):
    directories = [status.getPath() for status in fs.listStatus(path)]
    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(fs.listStatus, directories))
    return found, sum(len(statuses) for statuses in found)


def list_all():
    marks = Marks(job["endpoint"], job["bucket"])
    fs.exists(Path(base + "none"))  # the client is there
    for shape, (directories, objects) in job["shapes"].items():
        before = used_heap()
        with marks.section("%s-%s" % (job["section"], shape)):
            start = time.monotonic()
            found, count = (by_directories if job["directories"] else recursive)(Path(base + shape))
            seconds = time.monotonic() - start
        if count != directories * objects:
            sys.exit("%s: %d of %d objects" % (shape, count, directories * objects))
        print("@" + json.dumps({"shape": shape, "seconds": seconds,
                                "heap": max(0, used_heap() - before)}))
        del found


if job.get("make"):
    fs.create(Path(base + "seed/object")).close()
else:
    list_all()
spark.stop()
