"""Creates a Delta table, appends to it five times, or checks that no append was lost."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import lit

what, path, *rest = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
if what == "create":
    spark.range(0).withColumn("writer", lit("")).write.format("delta").save(path)
elif what == "append":
    for turn in range(5):
        rows = spark.range(turn * 10, turn * 10 + 10).withColumn("writer", lit(rest[0]))
        rows.write.format("delta").mode("append").save(path)
else:
    found = spark.read.format("delta").load(path)
    versions = spark.sql(f"DESCRIBE HISTORY delta.`{path}`").count()
    print(f"{found.count()} rows of {found.select('writer').distinct().count()} writers"
          f" in {versions} versions")
    assert (found.count(), found.distinct().count(), versions) == (100, 100, 11)
spark.stop()
