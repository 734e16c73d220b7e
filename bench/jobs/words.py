# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A streaming context that counts words with state and checkpoints each batch."""

import json

from pyspark.streaming import StreamingContext

# Each batch computes and writes its state in as many tasks, in Python, on what may be two cores.
STATE_PARTITIONS = 2


def counting(sc, words, checkpoint, log, interval):
    """Appends the counts of each batch to a file. What the functions close over is pickled into
    the checkpoint."""
    context = StreamingContext(sc, interval)
    counts = (context.textFileStream("file://%s" % words).map(lambda word: (word, 1))
              .updateStateByKey(lambda new, before: (before or 0) + sum(new), STATE_PARTITIONS))
    counts.checkpoint(interval)

    def remember(when, found):
        line = json.dumps(dict(found.collect())) + "\n"
        with open(log, "a", encoding="utf-8") as out:
            out.write(line)

    counts.foreachRDD(remember)
    context.checkpoint(checkpoint)
    return context
