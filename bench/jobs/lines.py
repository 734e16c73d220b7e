# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The same write of text files some times over, between two marks; each file is a task's only one."""

import sys

from job import job, marks, measured, say, spark

files, width = job["files"], job["width"]
path = "s3a://%s/%s" % (job["bucket"], job["section"])


def write(name, lines):
    # The last byte of a line is its end.
    rows = spark.range(0, files * lines, 1, files).selectExpr("repeat('x', %d) AS x" % (width - 1))
    return measured(rows.write.text, "%s/%s" % (path, name))[1]


write("warm-up", min(job["lines"], 64))
with marks.section(job["section"]):
    took = [write(str(number), job["lines"]) for number in range(job["jobs"])]
sizes = spark.read.format("binaryFile").load(path + "/0").select("length")
if sorted(row[0] for row in sizes.collect()) != [job["lines"] * width] * files:
    sys.exit("not %d files of %d bytes" % (files, job["lines"] * width))
say({what: [one[what] for one in took] for what in ("seconds", "cpu")})
spark.stop()
