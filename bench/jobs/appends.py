# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The driver of bench/run table-writers: that of the soak, which also appends rows to a table of a
table format, one commit a row, and says what is in the table."""

import soak
from soak import causes, spark

ICEBERG = "lake.db.t"


def create(kind, path):
    if kind == "iceberg":
        # The default of four is for a few writers a minute.
        spark.sql("CREATE TABLE %s (writer INT, number INT) USING iceberg"
                  " TBLPROPERTIES ('commit.retry.num-retries'='50')" % ICEBERG)
    else:
        spark.sql("CREATE TABLE delta.`%s` (writer INT, number INT) USING delta" % path)


def append(kind, path, writer, commits):
    """One row a commit; the numbers that were reported as failed, each with its cause."""
    failed = {}
    for number in range(commits):
        row = spark.range(0, 1, 1, 1).selectExpr(
            "%d AS writer" % writer, "%d AS number" % number)
        try:
            if kind == "iceberg":
                row.writeTo(ICEBERG).append()
            else:
                row.write.format("delta").mode("append").save(path)
        except Exception as e:
            failed[number] = causes(e)[-1][:500]
    return failed


def found(kind, path):
    """Each row with how often it is there, and the versions of the table."""
    if kind == "iceberg":
        spark.sql("REFRESH TABLE " + ICEBERG)
        rows = spark.table(ICEBERG)
        versions = spark.table(ICEBERG + ".snapshots").count()
    else:
        rows = spark.read.format("delta").load(path)
        versions = [row.version for row in spark.sql(
            "DESCRIBE HISTORY delta.`%s`" % path).select("version").collect()]
        # The first made the table. A gap would make the latter number larger.
        versions = min(len(versions) - 1, max(versions))
    counts = rows.groupBy("writer", "number").count().collect()
    return {"rows": [[row.writer, row.number, row["count"]] for row in counts],
            "versions": versions}


soak.COMMANDS.update(create=create, append=append, found=found)
soak.serve()
