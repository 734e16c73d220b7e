# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One write of many small files by several executors, between two marks; one of them may be killed
while it lasts."""

import os
import pathlib
import signal
import sys
import threading
import time

from job import job, marks, measured, sc, say, spark

sys.path.append(str(pathlib.Path(__file__).parent.parent / "parts"))
from cluster import executors

section, files, kill_after = job["section"], job["files"], job["kill_after"]
ROWS_A_FILE = 10


def write(path, files, tasks):
    (spark.range(0, files * ROWS_A_FILE, 1, tasks).selectExpr("cast(id as string)")
     .write.option("maxRecordsPerFile", ROWS_A_FILE).text(path))


killed = {}


def kill_one():
    name, pid = max(executors(sc.applicationId).items())
    killed.update({"executor": name, "at": time.time()})
    os.kill(pid, signal.SIGKILL)


# Classes and connections of every executor, on a partition of its own.
path = "s3a://%s/%s" % (job["bucket"], section)
write(path.replace(section, "warm-up-" + section), 6, 6)
with marks.section(section):
    if kill_after > 0:
        timer = threading.Timer(kill_after, kill_one)
        timer.daemon = True
        timer.start()
    started = time.time()
    _, took = measured(write, path, files, job["tasks"])
    # The sink writes once a second; the last values shall be in it.
    time.sleep(1)

found = spark.read.text(path).count()
if found != files * ROWS_A_FILE:
    sys.exit("read back %d of %d rows" % (found, files * ROWS_A_FILE))
if kill_after > 0 and not killed:
    sys.exit("the job was done before an executor was killed; write more files")
say({"application": sc.applicationId, "started": started, **took, "killed": killed or None})
spark.stop()
