"""Appends to a table five times, or checks that no append of two writers was lost."""

import sys

from pyspark.sql import SparkSession

what, *writer = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
if what == "append":
    for turn in range(5):
        spark.sql(f"INSERT INTO lake.db.events SELECT id, '{writer[0]}'"
                  f" FROM range({turn * 10}, {turn * 10 + 10})")
else:
    found = spark.table("lake.db.events")
    snapshots = spark.table("lake.db.events.snapshots").count()
    print(f"{found.count()} rows of {found.select('writer').distinct().count()} writers"
          f" in {snapshots} snapshots")
    assert (found.count(), found.distinct().count(), snapshots) == (100, 100, 10)
spark.stop()
