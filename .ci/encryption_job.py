"""Writes in each way, renames and streams in each of the buckets, and reads everything back."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
spark.conf.set("spark.sql.shuffle.partitions", 2)


def count(path):
    return spark.read.parquet(path).count()


for bucket in sys.argv[1:]:
    table, big, days = (f"s3://{bucket}/{name}" for name in ("table", "big", "days"))
    spark.range(0, 100, 1, 3).write.mode("overwrite").parquet(table)
    spark.range(0, 50, 1, 3).write.mode("overwrite").parquet(table)
    spark.range(0, 50, 1, 3).write.mode("append").parquet(table)
    # Files of several parts.
    spark.range(0, 4_000_000, 1, 2).selectExpr("id", "xxhash64(id) AS h").write.parquet(big)
    for start in 0, 1000:
        spark.range(start, start + 300, 1, 2).selectExpr("id", "id % 3 AS day").write.mode(
            "overwrite").partitionBy("day").parquet(days)
    path = spark._jvm.org.apache.hadoop.fs.Path
    files = path(table).getFileSystem(spark._jsc.hadoopConfiguration())
    assert files.rename(path(big), path(f"{big}-renamed"))
    query = (spark.readStream.schema("id LONG").parquet(table).groupBy("id").count()
             .writeStream.format("memory").queryName("n").outputMode("complete")
             .option("checkpointLocation", f"s3://{bucket}/checkpoint")
             .trigger(availableNow=True).start())
    query.awaitTermination()
    found = count(table), count(f"{big}-renamed"), count(days), spark.table("n").count()
    assert found == (100, 4_000_000, 300, 50), found
    print(f"{bucket:15} rows are right")
spark.stop()
