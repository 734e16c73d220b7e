# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""One streaming query over rows that a rate source counts up, for so many batches."""

import sys
import time

from py4j.java_gateway import JavaPackage
from pyspark.sql import DataFrame, functions as f

from job import job, say, spark

ROWS_A_BATCH = 1000
PATIENCE_SECONDS = 0.1


def rate():
    """The same rows in every run: a second of the stream's time goes by in each batch."""
    return (spark.readStream.format("rate-micro-batch")
            .option("rowsPerBatch", ROWS_A_BATCH).option("numPartitions", 2)
            .option("startTimestamp", 0).option("advanceMillisPerBatch", 1000).load())


def count():
    return rate().groupBy((f.col("value") % 100).alias("key")).count(), "update"


def windows():
    late = rate().withWatermark("timestamp", "1 second")
    return late.groupBy(f.window("timestamp", "1 second"), f.col("value") % 100).count(), "append"


def join():
    left, right = (rate().withWatermark("timestamp", "2 seconds")
                   .select(f.col("value").alias(side), f.col("timestamp").alias(side + "_time"))
                   for side in ("left", "right"))
    near = f.expr("left = right and right_time between left_time and left_time + interval 1 second")
    return left.join(right, near), "append"


def mapped():
    return rate().select(f.col("value") * 2), "append"


def real_time():
    """Rows of a source that waits for them: real-time mode takes few sources, and not rate."""
    jvm = spark._jvm
    streaming = jvm.org.apache.spark.sql.execution.streaming
    source = streaming.sources.LowLatencyMemoryStream
    if isinstance(source, JavaPackage):
        source = streaming.LowLatencyMemoryStream  # in Spark 4.1.2
    stream = source.apply(
        2, jvm.org.apache.spark.sql.Encoders.LONG(), spark._jsparkSession.sqlContext())
    return DataFrame(stream.toDF(), spark).select(f.col("value") * 2), "update"


QUERIES = {"count": count, "windows": windows, "join": join, "map": mapped, "async": mapped,
           "realtime": real_time}
# The log of each batch is written, as otherwise; only, no batch waits for it.
ASYNC = {"asyncProgressTrackingEnabled": "true", "asyncProgressTrackingCheckpointIntervalMs": "0"}

rows, mode = QUERIES[job["query"]]()
writer = rows.writeStream.outputMode(mode).option("checkpointLocation", job["path"] + "/checkpoint")
if job["query"] == "async":
    writer = writer.options(**ASYNC)
if job["query"] == "realtime":
    # Python's trigger() has no realTime before Spark 4.2.
    writer._jwrite = writer._jwrite.trigger(
        spark._jvm.org.apache.spark.sql.streaming.Trigger.RealTime("1 second"))
if job["sink"] in ("noop", "console"):
    query = writer.format(job["sink"]).start()
else:
    query = writer.format(job["sink"]).option("path", job["path"] + "/sink").start()
# One more than asked for: only what follows a batch shows that it is over.
while query.isActive and (query.lastProgress or {}).get("batchId", -1) < job["batches"]:
    time.sleep(PATIENCE_SECONDS)
error = query.exception()
if error:
    sys.exit(str(error))
query.stop()
say({"progress": [
    {"batch": p["batchId"], "millis": p["durationMs"]} for p in query.recentProgress]})
spark.stop()
