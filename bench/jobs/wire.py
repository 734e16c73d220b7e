# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Writes one large file and reads it in sequence, on one thread, through Hadoop's FileSystem."""

import sys

from job import file_system, job, jvm, measured, Path, say, spark

BUFFER = 64 << 10
copy = jvm.org.apache.hadoop.io.IOUtils.copyBytes


def write(fs, path):
    # A stream of so many zeros, which costs nothing to make.
    source = jvm.org.apache.commons.io.input.NullInputStream(job["megabytes"] << 20)
    copy(source, fs.create(path, True), BUFFER, True)


def read(fs, path):
    sink = jvm.org.apache.commons.io.output.NullOutputStream.INSTANCE
    copy(fs.open(path), sink, BUFFER, True)


for turn in range(-job["warmUps"], job["runs"]):
    path = Path("s3a://%s/%s/%d" % (job["bucket"], job["name"], turn))
    fs = file_system("s3a://%s/" % job["bucket"])
    said = {"write": measured(write, fs, path)[1]}
    if fs.getFileStatus(path).getLen() != job["megabytes"] << 20:
        sys.exit("the file has another size")
    said["read"] = measured(read, fs, path)[1]
    fs.delete(path, False)
    if turn >= 0:
        say(said)
spark.stop()
