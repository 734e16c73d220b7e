"""Writes, merges, travels back in time, and makes the table of writers.py."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.db")
spark.sql("CREATE TABLE lake.db.orders (id BIGINT, state STRING) USING iceberg")
spark.sql("INSERT INTO lake.db.orders SELECT id, 'new' FROM range(1000)")
spark.range(500, 1500).createOrReplaceTempView("changes")
spark.sql("""
    MERGE INTO lake.db.orders USING changes ON orders.id = changes.id
    WHEN MATCHED THEN UPDATE SET state = 'sent'
    WHEN NOT MATCHED THEN INSERT (id, state) VALUES (changes.id, 'late')""")
counts = {row.state: row.n for row in spark.sql(
    "SELECT state, count(*) AS n FROM lake.db.orders GROUP BY state").collect()}
first = spark.sql("SELECT min_by(snapshot_id, committed_at) AS id FROM lake.db.orders.snapshots")
before = spark.sql(f"SELECT count(*) FROM lake.db.orders VERSION AS OF {first.first().id}").first()[0]
print(f"now {dict(sorted(counts.items()))}, at first {before}")
assert (counts, before) == ({"new": 500, "sent": 500, "late": 500}, 1000)
spark.sql("CREATE TABLE lake.db.events (id BIGINT, writer STRING) USING iceberg"
          " TBLPROPERTIES ('commit.retry.num-retries' = '20')")
spark.stop()
