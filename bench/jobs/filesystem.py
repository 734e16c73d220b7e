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
PART = "/part-00000.parquet"
# What is known of a file before it is opened, and what an operation left behind where file systems
# may differ.
STATUS, FACTS = {}, {}


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


def fill_days(directory):
    for day in range(5):
        fill("%s/table/day=%d" % (directory, day), 2)


def fill_and_keep(directory, name):
    """Ten files below a name, and one that keeps the directory above."""
    fill(directory + name, 10)
    write(directory + "/keep.parquet")


def status(path):
    return fs.getFileStatus(Path(path))


def is_missing(path):
    try:
        status(path)
    except Py4JJavaError as e:
        assert "FileNotFoundException" in e.java_exception.getClass().getName(), e
        return True
    return False


def count(path):
    return len(fs.listStatus(Path(path)))


def count_recursive(path):
    files, found = fs.listFiles(Path(path), True), 0
    while files.hasNext():
        files.next()
        found += 1
    return found


def mkdirs(path):
    return fs.mkdirs(Path(path))


def delete(path):
    return fs.delete(Path(path), True)


def rename(source, target):
    return fs.rename(Path(source), Path(target))


def remember(path):
    write(path)
    STATUS[path] = status(path)


def open_known(path):
    read(fs.openFile(Path(path)).withFileStatus(STATUS[path]).build().get())


def local(directory):
    return pathlib.Path(directory.rsplit("/", 1)[1] + ".sst").absolute()


def make_local(directory):
    local(directory).write_bytes(CONTENT)


def note_directory(directory):
    FACTS["directoryOutlivesItsLastFile"] = not is_missing(directory)


# name -> (the one call that is counted, what it needs before, a look after it), each of which gets
# a directory of its own and must not be false.
OPERATIONS = {
    "create-overwrite": (lambda d: write(d + "/new.parquet", True),),
    "create-no-overwrite": (lambda d: write(d + "/new.parquet", False),),
    "create-plain-overwrite": (lambda d: write(d + "/7", True),),
    "create-plain-no-overwrite": (lambda d: write(d + "/7", False),),
    "status-file": (lambda d: status(d + "/a.parquet").getLen() == len(CONTENT),
                    lambda d: write(d + "/a.parquet")),
    "status-plain-file": (lambda d: status(d + "/7").getLen() == len(CONTENT),
                          lambda d: write(d + "/7")),
    "status-directory": (lambda d: status(d + "/table").isDirectory(),
                         lambda d: fill(d + "/table", 2)),
    "status-missing": (lambda d: is_missing(d + "/none.parquet"), lambda d: fill(d, 2)),
    "status-plain-missing": (lambda d: is_missing(d + "/none"), lambda d: fill(d, 2)),
    "open-unknown": (lambda d: read(fs.open(Path(d + "/a.parquet"))),
                     lambda d: write(d + "/a.parquet")),
    "open-known": (lambda d: open_known(d + "/a.parquet"), lambda d: remember(d + "/a.parquet")),
    "mkdirs-existing": (lambda d: mkdirs(d + "/table"), lambda d: fill(d + "/table", 2)),
    "mkdirs-new": (lambda d: mkdirs(d + "/new"), lambda d: fill(d, 2)),
    "mkdirs-deep": (lambda d: mkdirs(d + "/a/b/c"), lambda d: fill(d, 2)),
    "delete-file": (lambda d: fs.delete(Path(d + PART), False), lambda d: fill(d, 2)),
    "delete-last-file": (lambda d: fs.delete(Path(d + PART), False), lambda d: fill(d, 1),
                         note_directory),
    "delete-directory": (lambda d: delete(d + "/table"), lambda d: fill_and_keep(d, "/table"),
                         lambda d: is_missing(d + "/table")),
    "rename-own-file": (lambda d: rename(d + PART, d + "/b.parquet"), lambda d: fill(d, 2)),
    "rename-file": (lambda d: rename(d + PART, d + "/b.parquet"), lambda d: fill(d, 2, another)),
    "rename-file-away": (lambda d: rename(d + "/from" + PART, d + "/to/b.parquet"),
                         lambda d: fill(d + "/from", 2, another) or fill(d + "/to", 1, another)),
    "rename-directory": (lambda d: rename(d + "/from", d + "/to"),
                         lambda d: fill_and_keep(d, "/from"), lambda d: count(d + "/to") == 10),
    "list-directory": (lambda d: count(d + "/table") == 10, lambda d: fill(d + "/table", 10)),
    "list-recursive": (lambda d: count_recursive(d + "/table") == 10, fill_days),
    "content-summary": (
        lambda d: fs.getContentSummary(Path(d + "/table")).getFileCount() == 10, fill_days),
    "copy-from-local": (
        lambda d: fs.copyFromLocalFile(Path(local(d).as_uri()), Path(d + "/000008-1.sst")),
        make_local),
    "copy-to-local": (
        lambda d: fs.copyToLocalFile(Path(d + "/000008-1.sst"), Path(local(d).as_uri())),
        lambda d: write(d + "/000008-1.sst"), lambda d: local(d).read_bytes() == CONTENT),
}


def play(name, directory, section, call, before=None, look=None):
    if before:
        before(directory)
    with section:
        assert call(directory) is not False, name
    assert look is None or look(directory) is not False, name


# What a file system asks once in its life is not an operation's: shown on its own.
with marks.section(run + "/first-use"):
    fs.exists(Path(base))
    write(base + "/first.parquet", False)
for name, steps in OPERATIONS.items():
    for i in range(job["repetitions"]):
        section = in_line.section("%s/%s/%d" % (run, name, i))
        play(name, "%s/%s-%d" % (base, name, i), section, *steps)
say({"fs": fs.getClass().getName(), "operations": list(OPERATIONS), **FACTS})
spark.stop()
