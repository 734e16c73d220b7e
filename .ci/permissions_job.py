"""Does the steps of a plan, each in a bucket whose user has certain rights, and says how each ended."""

import json
import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")


def overwrite(bucket):
    spark.range(0, 50, 1, 2).write.mode("overwrite").parquet(f"s3://{bucket}/orders")


def read(bucket):
    assert spark.read.parquet(f"s3://{bucket}/orders").count() > 0


def stream(bucket):
    query = (spark.readStream.schema("id LONG").parquet(f"s3://{bucket}/orders")
             .writeStream.format("parquet").option("path", f"s3://{bucket}/copies")
             .option("checkpointLocation", f"s3://{bucket}/checkpoints/orders")
             .trigger(availableNow=True).start())
    query.awaitTermination()
    assert spark.read.parquet(f"s3://{bucket}/copies").count() == 100


ended = []
with open(sys.argv[1], encoding="utf-8") as plan:
    for bucket, step, _ in json.load(plan):
        try:
            {"overwrite": overwrite, "read": read, "stream": stream}[step](bucket)
            ended.append("")
        except Exception as failure:
            ended.append(str(failure) or repr(failure))
print(json.dumps(ended))
spark.stop()
