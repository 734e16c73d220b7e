# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A driver that does what it is told, a line of JSON at a time, and says in such lines what became
of it: runs stateful queries, compares what they wrote with a batch run, keeps a copy as evidence.

Whatever fails is said and leaves the driver alive; it ends with its standard input.
"""

import collections
import json
import os
import sys
import threading
import traceback

from pyspark.sql import SparkSession, functions as f

SCHEMA = "id long, key int, seconds long, value long"
SAYING = threading.Lock()
# Others are in no output: rows that only let the stream's time go on, so that every state is closed.
IS_REAL = "id >= 0"


def say(**event):
    with SAYING:
        print("@" + json.dumps(event), flush=True)


def stream(source, name):
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(
        "file://%s/%s" % (source, name))


def batch(source, name):
    return spark.read.schema(SCHEMA).json("file://%s/%s" % (source, name))


def timed(rows, time="time"):
    return rows.withColumn(time, f.timestamp_seconds("seconds")).withWatermark(time, "5 seconds")


def aggregate(read, source):
    window = f.window("time", "10 seconds")
    return (timed(read(source, "left")).groupBy(window, "key")
            .agg(f.count("*").alias("n"), f.sum("value").alias("sum"), f.min("id").alias("id"))
            .selectExpr("id", "window.start", "key", "n", "sum"))


def distinct(read, source):
    return timed(read(source, "left")).select("id", "time").dropDuplicates(["id", "time"])


def join(read, source):
    """Outer, so that a row without a match is written when its state is closed, and only then."""
    left = timed(read(source, "left"), "left_time").select("id", "left_time", "value")
    right = timed(read(source, "right"), "right_time").selectExpr(
        "id as right_id", "right_time", "value as right_value")
    near = ("id = right_id and right_time between left_time and left_time + interval 5 seconds")
    return left.join(right, f.expr(near), "leftOuter")


QUERIES = {"aggregate": aggregate, "distinct": distinct, "join": join}


def run(query, path, source, checkpoint=None):
    """Until all input that is there is consumed."""
    try:
        started = (QUERIES[query](stream, source).writeStream.outputMode("append")
                   .format("parquet").option("path", path + "/sink")
                   .option("checkpointLocation", checkpoint or path + "/checkpoint")
                   .trigger(availableNow=True).start())
        say(event="started", query=query, run=started.runId)
        started.awaitTermination()
        say(event="ended", query=query, error=None)
    except Exception as e:  # whatever it is, it is the result
        say(event="ended", query=query, error=causes(e))


def causes(e):
    """The messages of an exception and of what caused it, the outermost first."""
    thrown = getattr(e, "java_exception", None) or getattr(e, "_origin", None)
    texts = [] if thrown else [traceback.format_exc()]
    if not hasattr(thrown, "getCause"):
        return texts or [str(e)]
    while thrown is not None:
        texts.append(thrown.toString() + failed_in(thrown))
        thrown = thrown.getCause()
    return texts


def failed_in(thrown):
    """The method of Spark whose assertion failed: most of them have no words."""
    if not thrown.toString().startswith("java.lang.AssertionError"):
        return ""
    frames = [frame.toString() for frame in thrown.getStackTrace()]
    return ", in " + next((frame for frame in frames if "org.apache.spark" in frame), "no frame")


def contents(rows, columns):
    rows = rows.where(IS_REAL).select(columns)
    return collections.Counter(json.dumps(row.asDict(), default=str) for row in rows.collect())


def compare(query, path, source):
    """What the sink has by its own log, beside what a batch makes of the same input."""
    expected = QUERIES[query](batch, source)
    found = contents(spark.read.parquet(path + "/sink"), expected.columns)
    wanted = contents(expected, expected.columns)
    missing, extra = wanted - found, found - wanted
    say(event="compared", query=query, rows=sum(wanted.values()),
        missing=sum(missing.values()), extra=sum(extra.values()),
        twice=sum(n for row, n in extra.items() if row in wanted),
        examples=list(missing)[:5] + list(extra)[:5])


def keep(path, to):
    """Copies all below a path to this machine, to be looked at."""
    remote = jvm.org.apache.hadoop.fs.Path(path)
    files = remote.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    found = files.listFiles(remote, True)
    while found.hasNext():
        file = found.next().getPath()
        target = os.path.join(to, file.toString().split("://", 1)[1].split("/", 1)[1])
        os.makedirs(os.path.dirname(target), exist_ok=True)
        files.copyToLocalFile(False, file, jvm.org.apache.hadoop.fs.Path("file://" + target), True)
    say(event="kept")


def do(command):
    name = command.pop("do")
    try:
        {"run": run, "compare": compare, "keep": keep}[name](**command)
    except Exception as e:
        say(event="failed", of=name, query=command.get("query"), error=causes(e))


spark = SparkSession.builder.getOrCreate()
jvm = spark.sparkContext._jvm
say(event="ready", application=spark.sparkContext.applicationId,
    jvm=jvm.java.lang.ProcessHandle.current().pid())
for line in sys.stdin:
    threading.Thread(target=do, args=[json.loads(line)], daemon=True).start()
