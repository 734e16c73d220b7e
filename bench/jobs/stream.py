# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The driver of bench/run checkpoint-kills and checkpoint-race: that of the soak, which also runs
stateful queries, compares what they wrote with a batch run, and keeps a copy as evidence."""

import collections
import json
import os

from pyspark.sql import functions as f

import soak
from soak import jvm, sc, spark

SCHEMA = "id long, key int, seconds long, value long"
# Others are in no output: rows that only let the stream's time go on, so that every state is closed.
IS_REAL = "id >= 0"


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
    (QUERIES[query](stream, source).writeStream.outputMode("append")
     .format("parquet").option("path", path + "/sink")
     .option("checkpointLocation", checkpoint or path + "/checkpoint")
     .trigger(availableNow=True).start().awaitTermination())


def contents(rows, columns):
    rows = rows.where(IS_REAL).select(columns)
    return collections.Counter(json.dumps(row.asDict(), default=str) for row in rows.collect())


def compare(query, path, source):
    """What the sink has by its own log, beside what a batch makes of the same input."""
    expected = QUERIES[query](batch, source)
    found = contents(spark.read.parquet(path + "/sink"), expected.columns)
    wanted = contents(expected, expected.columns)
    missing, extra = wanted - found, found - wanted
    return {"query": query, "rows": sum(wanted.values()), "missing": sum(missing.values()),
            "extra": sum(extra.values()),
            "twice": sum(n for row, n in extra.items() if row in wanted),
            "examples": list(missing)[:5] + list(extra)[:5]}


def keep(path, to):
    """Copies all below a path to this machine, to be looked at."""
    remote = jvm.org.apache.hadoop.fs.Path(path)
    files = remote.getFileSystem(sc._jsc.hadoopConfiguration())
    found = files.listFiles(remote, True)
    while found.hasNext():
        file = found.next().getPath()
        target = os.path.join(to, file.toString().split("://", 1)[1].split("/", 1)[1])
        os.makedirs(os.path.dirname(target), exist_ok=True)
        files.copyToLocalFile(False, file, jvm.org.apache.hadoop.fs.Path("file://" + target), True)


soak.COMMANDS.update(run=run, compare=compare, keep=keep)
soak.serve()
