# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A streaming context that counts words with state and goes on from its checkpoint, until it is
killed. Each batch appends its counts to a file."""

import json
import sys

from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

job = json.loads(sys.argv[1])
# Each batch computes and writes its state in as many tasks.
STATE_PARTITIONS = 2

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
# What a checkpoint took is said at this level only.
sc.setLogLevel("INFO")


def create():
    """What the functions close over is pickled into the checkpoint."""
    counts_file, interval = job["counts"], job["interval"]
    context = StreamingContext(sc, interval)
    counts = (context.textFileStream("file://" + job["words"]).map(lambda word: (word, 1))
              .updateStateByKey(lambda new, before: (before or 0) + sum(new), STATE_PARTITIONS))
    counts.checkpoint(interval)

    def remember(when, found):
        line = json.dumps(dict(found.collect())) + "\n"
        with open(counts_file, "a", encoding="utf-8") as out:
            out.write(line)

    counts.foreachRDD(remember)
    context.checkpoint(job["checkpoint"])
    return context


context = StreamingContext.getOrCreate(job["checkpoint"], create)
context.start()
context.awaitTermination()
