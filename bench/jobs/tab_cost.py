# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Sends the same requests with and without the sums for the tab in Spark's UI, by turns."""

from job import Path, file_system, job, jvm, measured, say, spark

name = "s3a://%s/tab-cost/one" % job["bucket"]
path, fs = Path(name), file_system(name)
fs.create(path).close()
# Listing a file is a LIST and a HEAD.
requests = spark.sparkContext._gateway.new_array(jvm.org.apache.hadoop.fs.Path, job["requests"] // 2)
for i in range(len(requests)):
    requests[i] = path
sums = jvm.io.penstock.core.stack.Engine.process().metrics().accounts()
SIDES = {"with": sums.open, "without": sums.close}
for turn in range(-job["warmUps"], job["runs"]):
    said = {}
    for side in list(SIDES)[:: 1 if turn % 2 == 0 else -1]:
        SIDES[side]()
        said[side] = measured(fs.listStatus, requests)[1]
    if turn >= 0:
        say(said)
sums.open()
spark.stop()
