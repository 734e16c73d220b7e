# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Calls of Hadoop's FileSystem, one by one, each between two marks in the store's access log.

Whatever an operation needs is made before its mark, and what it did is checked inside or after.
"""

import pathlib

from py4j.protocol import Py4JJavaError

from job import conf, file_system, job, jvm, marks, Path, say, spark
from marks import MarksInLine

run = job["run"]
base = "s3a://%s/%s" % (job["bucket"], run)
fs = file_system(base)
# Knows nothing of what the other one did, as if it were in another process.
another = jvm.org.apache.hadoop.fs.FileSystem.newInstance(fs.getUri(), conf)
in_line = MarksInLine(lambda path: fs.exists(Path(path)), job["bucket"])
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


def operation_of(name, prepare, call):
    """Declares an operation: what it needs, and the one call that is measured."""
    def run(directory, measured):
        prepare(directory)
        with measured:
            call(directory)
    OPERATIONS[name] = run


def nothing(directory):
    pass


def two_files(directory):
    fill(directory, 2)


def table_of_two(directory):
    fill(directory + "/table", 2)


def one_file(name):
    return lambda directory: write(directory + name)


def status(name):
    return lambda directory: ensure(
        fs.getFileStatus(Path(directory + name)).getLen() == len(CONTENT))


def made(name):
    return lambda directory: ensure(fs.mkdirs(Path(directory + name)))


def missing(name):
    return lambda directory: ensure(is_missing(directory + name))


def created(name, overwrite):
    return lambda directory: write(directory + name, overwrite)


def ensure(is_so):
    assert is_so


operation_of("create-overwrite", nothing, created("/new.parquet", True))
operation_of("create-no-overwrite", nothing, created("/new.parquet", False))
operation_of("create-plain-overwrite", nothing, created("/7", True))
operation_of("create-plain-no-overwrite", nothing, created("/7", False))
operation_of("status-file", one_file("/a.parquet"), status("/a.parquet"))
operation_of("status-plain-file", one_file("/7"), status("/7"))
operation_of("status-directory", table_of_two, lambda directory: ensure(
    fs.getFileStatus(Path(directory + "/table")).isDirectory()))
operation_of("status-missing", two_files, missing("/none.parquet"))
operation_of("status-plain-missing", two_files, missing("/none"))
operation_of("open-unknown", one_file("/a.parquet"), lambda directory: read(
    fs.open(Path(directory + "/a.parquet"))))
operation_of("mkdirs-existing", table_of_two, made("/table"))
operation_of("mkdirs-new", two_files, made("/new"))
operation_of("mkdirs-deep", two_files, made("/a/b/c"))
operation_of("delete-file", two_files, lambda directory: ensure(
    fs.delete(Path(directory + "/part-00000.parquet"), False)))


@operation
def open_known(directory, measured):
    write(directory + "/a.parquet")
    status = fs.getFileStatus(Path(directory + "/a.parquet"))
    with measured:
        read(fs.openFile(status.getPath()).withFileStatus(status).build().get())


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
with marks.section(run + "/first-use"):
    fs.exists(Path(base))
    write(base + "/first.parquet", False)
for name, function in OPERATIONS.items():
    for i in range(job["repetitions"]):
        function("%s/%s-%d" % (base, name, i), in_line.section("%s/%s/%d" % (run, name, i)))
say({"fs": fs.getClass().getName(), "operations": list(OPERATIONS), **FACTS})
spark.stop()
