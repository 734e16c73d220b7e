# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The driver of bench/run commit-corners: that of the soak, which is also told to save rows that
SQL makes, to run statements, to delete and rename, and to interrupt a commit."""

import soak
from soak import jvm, sc, spark


def save(rows, mode, path=None, table=None, by=(), dynamic=False):
    """Writes what a SELECT makes, to a path or as a table; each of `by` is a partition column."""
    writer = spark.sql(rows).write.mode(mode).format("parquet")
    if by:
        writer = writer.partitionBy(*by)
    if dynamic:
        writer = writer.option("partitionOverwriteMode", "dynamic")
    if table and path:
        writer = writer.option("path", path)
    return writer.saveAsTable(table) if table else writer.save(path)


def sql(texts):
    for text in texts:
        spark.sql(text)


def tags(path, parts=False):
    """How many rows there are of each job, a job having ten thousand numbers for its rows; with
    parts, of each partition p too."""
    if not is_there(path):
        return {}
    rows = spark.read.schema("id long, p int").parquet(path)
    found = rows.groupBy("p", (rows.id / 10000).cast("int").alias("tag")).count().collect()
    counts = {}
    for p, tag, count in found:
        name = ("old", "a", "b")[tag] + ("/%s" % p if parts else "")
        counts[name] = counts.get(name, 0) + count
    return counts


def place(path):
    """The file system of a path, and the path as it wants it."""
    found = jvm.org.apache.hadoop.fs.Path(path)
    return found.getFileSystem(sc._jsc.hadoopConfiguration()), found


def is_there(path):
    fs, found = place(path)
    return fs.exists(found)


def delete(path):
    fs, found = place(path)
    return fs.delete(found, True)


def rename(path, to):
    fs, found = place(path)
    return fs.rename(found, jvm.org.apache.hadoop.fs.Path(to))


def interrupt():
    """Interrupts each thread that commits a job; how many there were."""
    found = 0
    for thread in jvm.java.lang.Thread.getAllStackTraces().keySet():
        # Scala makes a text of any array, for which py4j finds no method of Java's.
        stack = jvm.scala.runtime.ScalaRunTime.stringOf(thread.getStackTrace())
        if "CommitProtocol.commitJob" in stack:
            thread.interrupt()
            found += 1
    return found


def cancel_group(group):
    sc.cancelJobGroup(group)


soak.COMMANDS.update(
    save=save, sql=sql, tags=tags, is_there=is_there, delete=delete, rename=rename,
    interrupt=interrupt, cancel_group=cancel_group)
soak.serve()
