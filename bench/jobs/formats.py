# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does what people do with a table of a table format, step by step, each between two marks."""

import pathlib
import shutil
import tempfile

from job import counted, job, say, spark

is_delta = job["kind"] == "delta"
table, other = ("t", "c") if is_delta else ("lake.db.t", "lake.db.c")
using = "delta" if is_delta else "iceberg"
work = pathlib.Path(tempfile.mkdtemp())


def sql(text):
    """What a statement returned, or how often rows were found."""
    return [list(row) for row in spark.sql(text.format(
        t=table, c=other, using=using,
        rows="CAST(id % 4 AS INT) AS k, CAST(id AS STRING) AS s")).collect()]


def statement(text, other_text=None):
    """A step whose result is not compared: formats report different things."""
    def step():
        sql(text if is_delta or other_text is None else other_text)
    return step


def query(text):
    return lambda: sql(text)


def history():
    sql("DESCRIBE HISTORY {t}" if is_delta else "SELECT * FROM {t}.snapshots")


def first_version():
    version = 1 if is_delta else spark.sql(
        "SELECT min_by(snapshot_id, committed_at) FROM %s.snapshots" % table).first()[0]
    return sql("SELECT count(*) FROM {t} VERSION AS OF %d" % version)


def stream_writes():
    """Three batches, of one file each; the checkpoint is on the disk."""
    source = work / "source"
    for number in range(3):
        spark.range(number * 10, number * 10 + 10, 1, 1).write.mode("append").parquet(str(source))
    query = (spark.readStream.schema("id LONG").option("maxFilesPerTrigger", 1).parquet(str(source))
             .selectExpr("id", "0 AS k", "'s' AS s").writeStream.format(using)
             .option("checkpointLocation", str(work / "writes"))
             .trigger(availableNow=True).toTable(table))
    query.awaitTermination()


def stream_reads():
    query = (spark.readStream.table(other).writeStream.format("memory").queryName("read")
             .option("checkpointLocation", str(work / "reads")).trigger(availableNow=True).start())
    query.awaitTermination()
    return sql("SELECT count(*) FROM read")


EXPIRED = ("CALL lake.system.expire_snapshots(table => 'db.t', retain_last => 1,"
           " older_than => current_timestamp())")
STEPS = {
    "create": statement("CREATE TABLE {t} (id BIGINT, k INT, s STRING) USING {using} PARTITIONED BY (k)"),
    "insert into 4 partitions": statement("INSERT INTO {t} SELECT id, {rows} FROM range(0, 1000, 1, 1)"),
    "append a file": statement("INSERT INTO {t} SELECT id * 4, {rows} FROM (SELECT id * 4 AS id"
                               " FROM range(250, 500, 1, 1))"),
    "create as select": statement("CREATE TABLE {c} USING {using} AS SELECT * FROM {t}"),
    "count": query("SELECT count(*) FROM {t}"),
    "read all": query("SELECT sum(id), max(s) FROM {t}"),
    "read one partition": query("SELECT sum(id) FROM {t} WHERE k = 1"),
    "history": history,
    "read the first version": first_version,
    "update": statement("UPDATE {t} SET s = 'new' WHERE id < 10"),
    "delete rows": statement("DELETE FROM {t} WHERE id = 21"),
    "delete a partition": statement("DELETE FROM {t} WHERE k = 3"),
    "merge": statement("MERGE INTO {t} AS o USING (SELECT id, {rows} FROM range(500, 1500, 1, 1)) AS n"
                       " ON o.id = n.id WHEN MATCHED THEN UPDATE SET s = 'merged'"
                       " WHEN NOT MATCHED THEN INSERT (id, k, s) VALUES (n.id, n.k, n.s)"),
    "overwrite a partition": statement("INSERT OVERWRITE {t} SELECT id * 4 + 1, 1, 'over'"
                                       " FROM range(0, 100, 1, 1)"),
    "add a column": statement("ALTER TABLE {t} ADD COLUMNS (more STRING)"),
    "compact": statement("OPTIMIZE {t}", "CALL lake.system.rewrite_data_files(table => 'db.t',"
                         " options => map('rewrite-all', 'true'))"),
    "stream writes 3 batches": stream_writes,
    "stream reads": stream_reads,
    "expire old versions": statement("VACUUM {t} RETAIN 0 HOURS", EXPIRED),
    "drop": statement("DROP TABLE {t}", "DROP TABLE {t} PURGE"),
}


def warm_up():
    """What a client asks a store once is not of one step."""
    for text in ("CREATE TABLE {c} USING {using} AS SELECT 1 AS id", "SELECT * FROM {c}", "DROP TABLE {c}"):
        sql(text)


spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
spark.conf.set("spark.sql.shuffle.partitions", "2")
spark.conf.set("spark.databricks.delta.snapshotPartitions", "2")
spark.conf.set("spark.databricks.delta.retentionDurationCheck.enabled", "false")
if not is_delta:
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.db")
warm_up()
for name, step in STEPS.items():
    last = sql("SELECT count(*), sum(id) FROM {t}") if name == "drop" else None
    said = counted(name.replace(" ", "-"), step)
    say({**said, "found": last or said["found"]})
spark.stop()
shutil.rmtree(work, ignore_errors=True)
