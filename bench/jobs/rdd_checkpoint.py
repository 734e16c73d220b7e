# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Spark's older checkpoints: of an RDD, of a Dataset and of a streaming context. Each is written,
and recovered from, between two marks in the store's access log. A task that fails fails the job."""

import json
import pathlib
import sys
import time

from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

from marks import Marks

endpoint, bucket, run, partitions, batches = sys.argv[1:]
partitions, batches = int(partitions), int(batches)
# Long enough that a batch is done before the next on a busy machine: checkpoints queue up else.
INTERVAL_SECONDS = 3
PATIENCE_SECONDS = 240
# Each batch computes and writes its state in as many tasks, in Python, on what may be two cores.
STATE_PARTITIONS = 2

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
base = "s3a://%s/%s" % (bucket, run)
marks = Marks(endpoint, bucket)


def section(name):
    return marks.section("%s/%s" % (run, name))


def rdd():
    squares = sc.parallelize(range(1000), partitions).map(lambda n: n * n)
    squares.checkpoint()
    with section("rdd"):
        assert squares.count() == 1000
    assert squares.isCheckpointed()
    with section("rdd-read"):
        assert squares.sum() == sum(n * n for n in range(1000))


def dataset():
    with section("dataset"):
        saved = spark.range(0, 1000, 1, partitions).checkpoint()
    with section("dataset-read"):
        assert saved.selectExpr("sum(id)").first()[0] == 499500


def counting(words, directory, log):
    """Counts words with state. What it closes over is pickled into the checkpoint."""
    context = StreamingContext(sc, INTERVAL_SECONDS)
    counts = (context.textFileStream(words).map(lambda word: (word, 1))
              .updateStateByKey(lambda new, before: (before or 0) + sum(new), STATE_PARTITIONS))
    counts.checkpoint(INTERVAL_SECONDS)

    def remember(when, found):
        with open(log, "a", encoding="utf-8") as out:
            out.write(json.dumps(dict(found.collect())) + "\n")

    counts.foreachRDD(remember)
    context.checkpoint(directory)
    return context


def until(log, lines, last=None):
    """Waits for so many batches, and for the last one to say so."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        found = log.read_text().splitlines() if log.exists() else []
        if len(found) >= lines and (last is None or json.loads(found[-1]) == last):
            return found
        assert time.monotonic() < end, "only %d batches after %d s" % (len(found), PATIENCE_SECONDS)
        time.sleep(0.1)


def streaming():
    """Two drivers' lives on one checkpoint; the number of batches of each."""
    words, log = pathlib.Path("words").absolute(), pathlib.Path("counts").absolute()
    words.mkdir()
    directory = base + "/streaming"

    def create():
        return counting("file://%s" % words, directory, str(log))

    context = StreamingContext.getOrCreate(directory, create)
    with section("streaming"):
        context.start()
        until(log, 2)
        (words / ".first").write_text("penstock\n" * 5)
        (words / ".first").rename(words / "first")
        until(log, batches, {"penstock": 5})
        context.stop(stopSparkContext=False, stopGraceFully=False)
    first = log.read_text().splitlines()
    assert json.loads(first[-1]) == {"penstock": 5}, first

    def lost():
        raise AssertionError("there is no checkpoint to recover from in " + directory)

    with section("streaming-recovery"):
        recovered = StreamingContext.getOrCreate(directory, lost)
        recovered.start()
        until(log, len(first) + 2)
        recovered.stop(stopSparkContext=False, stopGraceFully=False)
    both = log.read_text().splitlines()
    assert json.loads(both[-1]) == {"penstock": 5}, both[len(first):]
    return {"batches": len(first), "recovered": len(both) - len(first)}


def first_use():
    """A file system may try the store out before its first conditional write: not counted here."""
    path = sc._jvm.org.apache.hadoop.fs.Path(base + "/first.txt")
    path.getFileSystem(sc._jsc.hadoopConfiguration()).create(path, False).close()


first_use()
with section("set-directory"):
    sc.setCheckpointDir(base + "/checkpoints")
rdd()
dataset()
print("@" + json.dumps(streaming()))
spark.stop()
