# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Spark's older checkpoints: of an RDD, of a Dataset and of a streaming context. Each is written,
and recovered from, between two marks in the store's access log. A task that fails fails the job."""

import json
import pathlib
import time

from pyspark.streaming import StreamingContext

from job import file_system, job, marks, Path, say, sc, spark
from words import counting

partitions, batches = job["partitions"], job["batches"]
# Long enough that a batch is done before the next on a busy machine: checkpoints queue up else.
INTERVAL_SECONDS = 3
PATIENCE_SECONDS = 240
base = "s3a://%s/%s" % (job["bucket"], job["run"])


def section(name):
    return marks.section("%s/%s" % (job["run"], name))


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

    context = StreamingContext.getOrCreate(directory, lambda: counting(
        sc, words, directory, str(log), INTERVAL_SECONDS))
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
    file_system(base).create(Path(base + "/first.txt"), False).close()


first_use()
with section("set-directory"):
    sc.setCheckpointDir(base + "/checkpoints")
rdd()
dataset()
say(streaming())
spark.stop()
