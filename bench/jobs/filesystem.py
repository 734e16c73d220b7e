# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Calls of Hadoop's FileSystem, one by one, each between two marks in the store's access log.

Whatever an operation needs is made before its mark, and what it did is checked inside or after.
"""

import json
import pathlib
import sys

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from marks import Marks, MarksInLine

endpoint, bucket, run, repetitions = sys.argv[1:]

spark = SparkSession.builder.getOrCreate()
jvm = spark.sparkContext._jvm
Path = jvm.org.apache.hadoop.fs.Path
base = "s3a://%s/%s" % (bucket, run)
fs = Path(base).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
# Knows nothing of what the other one did, as if it were in another process.
another = jvm.org.apache.hadoop.fs.FileSystem.newInstance(
    fs.getUri(), spark.sparkContext._jsc.hadoopConfiguration())
marks = MarksInLine(lambda path: fs.exists(Path(path)), bucket)
CONTENT = b"penstock" * 512
OPERATIONS = {}
# What an operation left behind where file systems may differ.
FACTS = {}


def operation(function):
    OPERATIONS[function.__name__.replace("_", "-")] = function
    return function


def write(path, overwrite=True, by=fs):
    out = by.create(Path(path), overwrite)
    out.write(bytearray(CONTENT))
    out.close()


def read(stream):
    found = bytes(stream.readAllBytes())
    stream.close()
    assert found == CONTENT, "read %d bytes of %d" % (len(found), len(CONTENT))


def fill(directory, files, by=fs):
    for i in range(files):
        write("%s/part-%05d.parquet" % (directory, i), by=by)


def is_missing(path):
    try:
        fs.getFileStatus(Path(path))
    except Py4JJavaError as e:
        assert "FileNotFoundException" in e.java_exception.getClass().getName(), e
        return True
    return False


@operation
def create_overwrite(directory, measured):
    with measured:
        write(directory + "/new.parquet", True)


@operation
def create_no_overwrite(directory, measured):
    with measured:
        write(directory + "/new.parquet", False)


@operation
def create_plain_overwrite(directory, measured):
    with measured:
        write(directory + "/7", True)


@operation
def create_plain_no_overwrite(directory, measured):
    with measured:
        write(directory + "/7", False)


@operation
def status_file(directory, measured):
    write(directory + "/a.parquet")
    with measured:
        assert fs.getFileStatus(Path(directory + "/a.parquet")).getLen() == len(CONTENT)


@operation
def status_plain_file(directory, measured):
    write(directory + "/7")
    with measured:
        assert fs.getFileStatus(Path(directory + "/7")).getLen() == len(CONTENT)


@operation
def status_directory(directory, measured):
    fill(directory + "/table", 2)
    with measured:
        assert fs.getFileStatus(Path(directory + "/table")).isDirectory()


@operation
def status_missing(directory, measured):
    fill(directory, 2)
    with measured:
        assert is_missing(directory + "/none.parquet")


@operation
def status_plain_missing(directory, measured):
    fill(directory, 2)
    with measured:
        assert is_missing(directory + "/none")


@operation
def open_unknown(directory, measured):
    write(directory + "/a.parquet")
    with measured:
        read(fs.open(Path(directory + "/a.parquet")))


@operation
def open_known(directory, measured):
    write(directory + "/a.parquet")
    status = fs.getFileStatus(Path(directory + "/a.parquet"))
    with measured:
        read(fs.openFile(status.getPath()).withFileStatus(status).build().get())


@operation
def mkdirs_existing(directory, measured):
    fill(directory + "/table", 2)
    with measured:
        assert fs.mkdirs(Path(directory + "/table"))


@operation
def mkdirs_new(directory, measured):
    fill(directory, 2)
    with measured:
        assert fs.mkdirs(Path(directory + "/new"))


@operation
def mkdirs_deep(directory, measured):
    fill(directory, 2)
    with measured:
        assert fs.mkdirs(Path(directory + "/a/b/c"))


@operation
def delete_file(directory, measured):
    fill(directory, 2)
    with measured:
        assert fs.delete(Path(directory + "/part-00000.parquet"), False)


@operation
def delete_last_file(directory, measured):
    fill(directory, 1)
    with measured:
        assert fs.delete(Path(directory + "/part-00000.parquet"), False)
    FACTS["directoryOutlivesItsLastFile"] = not is_missing(directory)


@operation
def delete_directory(directory, measured):
    fill(directory + "/table", 10)
    write(directory + "/keep.parquet")
    with measured:
        assert fs.delete(Path(directory + "/table"), True)
    assert is_missing(directory + "/table")


def rename(source, target):
    assert fs.rename(Path(source), Path(target))


@operation
def rename_own_file(directory, measured):
    fill(directory, 2)
    with measured:
        rename(directory + "/part-00000.parquet", directory + "/b.parquet")


@operation
def rename_file(directory, measured):
    fill(directory, 2, by=another)
    with measured:
        rename(directory + "/part-00000.parquet", directory + "/b.parquet")


@operation
def rename_file_away(directory, measured):
    fill(directory + "/from", 2, by=another)
    fill(directory + "/to", 1, by=another)
    with measured:
        rename(directory + "/from/part-00000.parquet", directory + "/to/b.parquet")


@operation
def rename_directory(directory, measured):
    fill(directory + "/from", 10)
    write(directory + "/keep.parquet")
    with measured:
        assert fs.rename(Path(directory + "/from"), Path(directory + "/to"))
    assert len(fs.listStatus(Path(directory + "/to"))) == 10


@operation
def list_directory(directory, measured):
    fill(directory + "/table", 10)
    with measured:
        assert len(fs.listStatus(Path(directory + "/table"))) == 10


@operation
def list_recursive(directory, measured):
    for day in range(5):
        fill("%s/table/day=%d" % (directory, day), 2)
    with measured:
        files = fs.listFiles(Path(directory + "/table"), True)
        found = 0
        while files.hasNext():
            files.next()
            found += 1
        assert found == 10


@operation
def content_summary(directory, measured):
    for day in range(5):
        fill("%s/table/day=%d" % (directory, day), 2)
    with measured:
        assert fs.getContentSummary(Path(directory + "/table")).getFileCount() == 10


def local_file(directory):
    file = pathlib.Path(directory.rsplit("/", 1)[1] + ".sst").absolute()
    file.write_bytes(CONTENT)
    return file


@operation
def copy_from_local(directory, measured):
    file = local_file(directory)
    with measured:
        fs.copyFromLocalFile(Path(file.as_uri()), Path(directory + "/000008-1.sst"))


@operation
def copy_to_local(directory, measured):
    file = local_file(directory)
    write(directory + "/000008-1.sst")
    with measured:
        fs.copyToLocalFile(Path(directory + "/000008-1.sst"), Path(file.as_uri()))
    assert file.read_bytes() == CONTENT


# What a file system asks once in its life is not an operation's: shown on its own.
with Marks(endpoint, bucket).section(run + "/first-use"):
    fs.exists(Path(base))
    write(base + "/first.parquet", False)
for name, function in OPERATIONS.items():
    for i in range(int(repetitions)):
        function("%s/%s-%d" % (base, name, i), marks.section("%s/%s/%d" % (run, name, i)))
print("@" + json.dumps({"fs": fs.getClass().getName(), "operations": list(OPERATIONS), **FACTS}))
spark.stop()
