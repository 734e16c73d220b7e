# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Lists the objects of bench/run listing, form by form, each between two marks."""

import sys
from concurrent.futures import ThreadPoolExecutor

from job import counted, file_system, job, jvm, Path, say, spark

base = "s3a://%s/" % job["bucket"]
THREADS = 16
fs = file_system(base)


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
    fs.exists(Path(base + "none"))  # the client is there
    for shape, (directories, objects) in job["shapes"].items():
        before = used_heap()
        said = counted(shape, by_directories if job["directories"] else recursive,
                       Path(base + shape))
        # The statuses are in use until the heap was looked at.
        statuses, count = said["found"]
        if count != directories * objects:
            sys.exit("%s: %d of %d objects" % (shape, count, directories * objects))
        say({**said, "found": count, "heap": max(0, used_heap() - before)})
        del said, statuses


if job.get("make"):
    fs.create(Path(base + "seed/object")).close()
else:
    list_all()
spark.stop()
