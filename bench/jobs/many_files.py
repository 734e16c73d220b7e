# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Writes, lists or deletes the table of bench/run many-files, case by case, each between two marks."""

import sys
import threading

from job import counted, file_system, job, jvm, Path, say, spark

table = "s3a://%s/many" % job["bucket"]
FILES = job["tasks"] * job["partitions"]
# _SUCCESS, and what a commit with a PUT without an answer leaves beside it.
HIDDEN_MOST = 2

path = Path(table)
fs = file_system(table)
# Keeps what a case returns, so that it counts as used.
kept = []


def used_heap():
    runtime = jvm.java.lang.Runtime.getRuntime()
    return runtime.totalMemory() - runtime.freeMemory()


class Peak:
    """The most heap that was in use while a case ran, looked at five times a second."""

    def __enter__(self):
        self.bytes = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()
        return self

    def look(self):
        while not self.over.wait(0.2):
            self.bytes = max(self.bytes, used_heap())

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def check(what, found, more=0):
    if not FILES <= found <= FILES + more:
        sys.exit("%s found %d files of %d" % (what, found, FILES))


# ---- the cases

def write():
    """Each task writes one file into each partition."""
    rows = spark.range(0, FILES, 1, job["tasks"]).selectExpr(
        "cast(id as string) as value", "format_string('%%06d', id %% %d) as p" % job["partitions"])
    rows.write.partitionBy("p").text(table)


def recursive():
    files = fs.listFiles(path, True)
    kept.append(jvm.org.apache.hadoop.util.functional.RemoteIterators.toList(files))
    check("listFiles", kept[-1].size(), HIDDEN_MOST)


def summary():
    check("getContentSummary", fs.getContentSummary(path).getFileCount(), HIDDEN_MOST)


def discovery():
    kept.append(spark.read.text(table))
    check("Spark", len(kept[-1].inputFiles()))


def delete():
    if not fs.delete(path, True) or fs.exists(path):
        sys.exit("the table was not deleted")


CASES = {"write": write, "recursive": recursive, "summary": summary, "discovery": discovery,
         "delete": delete}


def with_peak(case):
    with Peak() as peak:
        CASES[case]()
    return peak.bytes


fs.exists(Path("s3a://%s/none" % job["bucket"]))  # the client is there
spark.range(1).count()
for case in job["cases"]:
    jvm.java.lang.System.gc()
    before = used_heap()
    said = counted(case, with_peak, case)
    jvm.java.lang.System.gc()
    say({**said, "peak": said["found"], "heap": max(0, used_heap() - before)})
    kept.clear()
spark.stop()
