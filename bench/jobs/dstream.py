# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A streaming context that counts words with state and goes on from its checkpoint, until it is
killed. Each batch appends its counts to a file."""

from pyspark.streaming import StreamingContext

from job import job, sc
from words import counting

# What a checkpoint took is said at this level only.
sc.setLogLevel("INFO")
context = StreamingContext.getOrCreate(job["checkpoint"], lambda: counting(
    sc, job["words"], job["checkpoint"], job["counts"], job["interval"]))
context.start()
context.awaitTermination()
