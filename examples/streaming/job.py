"""Copies the files of a directory, each once, however often it is started."""

import sys

from pyspark.sql import SparkSession

base, turn = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
first_id = 0 if turn == "first" else 1000
spark.range(first_id, first_id + 1000, 1, 3).write.mode("append").parquet(f"{base}/in")

query = (
    spark.readStream.schema("id LONG").option("maxFilesPerTrigger", 2).parquet(f"{base}/in")
    .writeStream.format("parquet").option("path", f"{base}/out")
    .option("checkpointLocation", f"{base}/checkpoint")
    .trigger(availableNow=True).start()
)
query.awaitTermination()

copied = spark.read.parquet(f"{base}/out")
print(f"{turn} start: {copied.count()} rows, {copied.distinct().count()} of them different")
assert copied.count() == copied.distinct().count() == first_id + 1000
spark.stop()
