# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Makes the tables of bench/run table-scans, or reads and writes them case by case, each between
two marks."""

from job import counted, job, say, spark
from wide import COLUMNS, THREE, column

MANY_ROWS = 10_000
SECTION = job.get("section", "").replace("-", "_")  # as the name of a table may be


def rows(files, each):
    """Rows of 21 columns, in so many tasks, each of which writes one file."""
    return spark.range(0, files * each, 1, files).selectExpr(*(column(n) for n in range(21)))


def write(frame, name):
    if job["kind"] == "iceberg":
        frame.writeTo("lake.db.%s" % name).create()
    else:
        frame.write.format("delta").save("s3a://%s/delta/%s" % (job["bucket"], name))


def table(name):
    if job["kind"] == "iceberg":
        return spark.table("lake.db.%s" % name)
    return spark.read.format("delta").load("s3a://%s/delta/%s" % (job["bucket"], name))


def found(name, names):
    return list(table(name).selectExpr("count(*)", "bit_xor(xxhash64(%s))" % ", ".join(names)).first())


def written(name):
    write(rows(job["files"] // 2, job["rows"]), "%s_%s" % (name, SECTION))


def with_manifests(name, count):
    """A table of so many manifests, each with one file that does not exist: it is only planned."""
    jvm = spark._jvm
    spark.sql("CREATE TABLE lake.db.%s (n BIGINT) USING iceberg"
              " TBLPROPERTIES ('commit.manifest-merge.enabled' = 'false')" % name)
    table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(
        spark._jsparkSession, "lake.db." + name)
    append = table.newAppend()
    for number in range(count):
        place = "%s/metadata/made-%06d.avro" % (table.location(), number)
        writer = jvm.org.apache.iceberg.ManifestFiles.write(table.spec(), table.io().newOutputFile(place))
        writer.add(jvm.org.apache.iceberg.DataFiles.builder(table.spec())
                   .withPath("%s/data/%06d.parquet" % (table.location(), number))
                   .withFileSizeInBytes(1000).withRecordCount(10).build())
        writer.close()
        append = append.appendManifest(writer.toManifestFile())
    append.commit()


def planned(name):
    table = spark._jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(
        spark._jsparkSession, "lake.db.%s_manifests" % name)
    table.refresh()
    files = table.newScan().planFiles()
    each, count = files.iterator(), 0
    while each.hasNext():
        each.next()
        count += 1
    files.close()
    return count


def small_files(name, files):
    write(rows(files, MANY_ROWS).select(*COLUMNS[:4]), name)


def compacted(name):
    say_what = spark.sql("CALL lake.system.rewrite_data_files(table => 'db.%s_%s_small')" % (
        name, SECTION)).first()
    return list(say_what)[:2]


def purged(name):
    spark.sql("DROP TABLE lake.db.%s_%s_small PURGE" % (name, SECTION))


CASES = {
    "three": lambda name: found(name, THREE),
    "all": lambda name: found(name, COLUMNS),
    "many": lambda name: found(name + "_many", COLUMNS[:4]),
    "write": written,
    "plan": planned,
    "rewrite": compacted,
    "purge": purged,
}

# What is compacted is purged later; alone, each needs files of its own.
MAKES_SMALL = "rewrite" if "rewrite" in job.get("cases", ()) else "purge"


def make():
    if job["kind"] == "iceberg":
        spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.db")
    for name, files, many in (("wide", job["files"], job["many"]), ("warm", 2, 20)):
        if job["kind"] == "iceberg":
            with_manifests(name + "_manifests", job["manifests"] if name == "wide" else 20)
        write(rows(files, job["rows"]), name)
        write(rows(many, MANY_ROWS).select(*COLUMNS[:4]), name + "_many")


def run():
    for case in job["cases"]:
        for turn in range(3):  # the JVM compiles, and the client learns the store
            warm = "warm%d" % turn if case in ("write", "rewrite", "purge") else "warm"
            if case == MAKES_SMALL:
                small_files("%s_%s_small" % (warm, SECTION), 20)
            CASES[case](warm)
        if case == MAKES_SMALL:
            small_files("wide_%s_small" % SECTION, job["many"])
        said = counted(case, CASES[case], "wide")
        if case == "write":  # read back, outside of what is measured
            said["found"] = found("wide_" + SECTION, COLUMNS)
        say(said)


make() if job.get("make") else run()
spark.stop()
