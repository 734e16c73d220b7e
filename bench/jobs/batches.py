# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The driver of bench/run batch-kills: that of the soak, which also runs a query whose batches are
appended to a table by foreachBatch, and counts how often each row is there."""

from pyspark.errors import PySparkException
from pyspark.sql import functions as f

import soak
from soak import spark

SCHEMA = "id long, file long"
running = []


def batches(path, source, files):
    """Until all files that are there are consumed, one in a batch, or it is stopped."""
    def append(rows, number):
        even, odd = (rows.repartition(files).where("id %% 2 = %d" % rest) for rest in (0, 1))
        # Two writes to one table, and some of what users add to rows.
        even.withColumn("at", f.current_timestamp()).write.mode("append").parquet(path + "/table")
        odd.withColumn("at", f.current_timestamp()).write.mode("append").parquet(path + "/table")

    query = (spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
             .json("file://" + source).writeStream.foreachBatch(append)
             .option("checkpointLocation", path + "/checkpoint").trigger(availableNow=True).start())
    running.append(query)
    try:
        query.awaitTermination()
    finally:
        running.remove(query)


def stop():
    """Stops the query in the middle of what it does."""
    for query in list(running):
        try:
            query.stop()
        except PySparkException as e:
            soak.say(event="note", text=str(e)[:200])


def times(path):
    """How many rows are there once, twice and so on; how many writes of a batch are there in part."""
    rows = spark.read.schema("id long, file long").parquet(path + "/table")
    each = rows.groupBy("file", f.expr("id % 2").alias("half"), "id").count()
    counted = {str(row["count"]): row["n"]
               for row in each.groupBy("count").agg(f.count("*").alias("n")).collect()}
    halves = each.groupBy("file", "half").agg(
        f.count("*").alias("ids"), f.max("count").alias("most"), f.min("count").alias("least"))
    found = [[row["ids"], row["least"], row["most"]] for row in halves.collect()]
    return {"rows": counted, "writes": found}


soak.COMMANDS.update(batches=batches, stop=stop, times=times)
soak.serve()
