# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One write of many small files by several executors, between two marks; one of them may be killed
while it lasts."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

from pyspark.sql import SparkSession

from marks import Marks

endpoint, bucket, section, files, tasks, kill_after = sys.argv[1:]
files, tasks, kill_after = int(files), int(tasks), float(kill_after)
ROWS_A_FILE = 10

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext


def write(path, files, tasks):
    (spark.range(0, files * ROWS_A_FILE, 1, tasks).selectExpr("cast(id as string)")
     .write.option("maxRecordsPerFile", ROWS_A_FILE).text(path))


def executors():
    """The processes of this application's executors on this machine: {executor id: pid}."""
    found = {}
    listed = subprocess.run(["ps", "-eww", "-o", "pid=,args="], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        words = line.split()
        # The worker's shell, if any, has the same words; Java's own come first in the real one.
        if ("org.apache.spark.executor.CoarseGrainedExecutorBackend" in words
                and sc.applicationId in words and words[1].endswith("java")):
            found[words[words.index("--executor-id") + 1]] = int(words[0])
    return found


killed = {}


def kill_one():
    name, pid = max(executors().items())
    killed.update({"executor": name, "at": time.time()})
    os.kill(pid, signal.SIGKILL)


# Classes and connections of every executor, on a partition of its own.
write("s3a://%s/warm-up-%s" % (bucket, section), 6, 6)
path = "s3a://%s/%s" % (bucket, section)
marks = Marks(endpoint, bucket)
with marks.section(section):
    if kill_after > 0:
        timer = threading.Timer(kill_after, kill_one)
        timer.daemon = True
        timer.start()
    started, start = time.time(), time.monotonic()
    write(path, files, tasks)
    seconds = time.monotonic() - start
    # The sink writes once a second; the last values shall be in it.
    time.sleep(1)

found = spark.read.text(path).count()
if found != files * ROWS_A_FILE:
    sys.exit("read back %d of %d rows" % (found, files * ROWS_A_FILE))
if kill_after > 0 and not killed:
    sys.exit("the job was done before an executor was killed; write more files")

print("@" + json.dumps({
    "section": section, "application": sc.applicationId, "started": started, "seconds": seconds,
    "killed": killed or None}))
spark.stop()
