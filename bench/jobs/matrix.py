# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Every write path of Spark, on the local disk and on S3: do both leave the same?

CELLS is the data: what to do, with which formats, in which catalogs. Everything else is the runner.
"""

import json
import re

from pyspark import TaskContext
from pyspark.sql.functions import udf

from job import file_system, job, Path, say, spark

FILES = ["parquet", "orc", "json", "csv", "avro"]
ALL = [*FILES, "text", "xml"]
BOTH = ["in-memory", "hive"]


class Place:
    """Where one run of a cell writes: a directory of the local disk or of the bucket."""

    def __init__(self, spark, base, fmt, name):
        self.spark, self.fmt = spark, fmt
        self.base = "%s/%s-%s" % (base, name, fmt)
        self.path = self.base + "/out"
        self.seen = self.path  # what is compared at the end
        self.reader = fmt
        self.metrics = {}

    def sql(self, text):
        return self.spark.sql(text.format(path=self.path, base=self.base, fmt=self.fmt))

    def rows(self, *ids, parts=2):
        """Rows with an id, a text and a partition; text files hold one text."""
        data = self.spark.range(0, 1).selectExpr(
            "explode(array(%s)) id" % ", ".join(map(str, ids)))
        if self.fmt == "text":
            return data.selectExpr("concat('row-', id) v").repartition(parts, "v")
        return data.selectExpr("id", "concat('row-', id) v", "id % 3 p").repartition(parts, "id")

    def write(self, data, mode="append", path=None, **options):
        writer = data.write.format(self.fmt).mode(mode).options(**options)
        if self.fmt == "xml":
            writer = writer.option("rowTag", "r")
        return writer, path or self.path

    def save(self, data, mode="append", path=None, by=(), **options):
        writer, path = self.write(data, mode, path, **options)
        (writer.partitionBy(*by) if by else writer).save(path)

    def managed(self):
        """A database of its own, whose tables lie below the place."""
        self.sql("CREATE DATABASE cell LOCATION '{base}/db'")
        self.seen = self.base + "/db"

    def partitioned_table(self):
        self.managed()
        self.sql("CREATE TABLE cell.t (id BIGINT, v STRING, p BIGINT) USING {fmt} PARTITIONED BY (p)")
        self.rows(1, 2, 3, 4, 5, 6).createOrReplaceTempView("rows")
        self.sql("INSERT INTO cell.t SELECT id, v, p FROM rows")


# ---- what is done

def twice(first, second):
    def run(at):
        at.save(at.rows(1, 2, 3), first)
        at.save(at.rows(4, 5), second)
    return run


def error_if_exists(at):
    at.save(at.rows(1, 2, 3))
    try:
        at.save(at.rows(4), "errorifexists")
    except Exception as e:
        return "refused: " + type(e).__name__
    return "not refused"


def partitions(mode):
    def run(at):
        at.save(at.rows(1, 2, 3, 4), "overwrite", by=["p"])
        at.save(at.rows(7, 10), "overwrite", by=["p"], partitionOverwriteMode=mode)
    return run


def insert_overwrite_directory(at):
    at.save(at.rows(1, 2))
    at.rows(3).createOrReplaceTempView("rows")
    at.sql("INSERT OVERWRITE DIRECTORY '{path}' USING {fmt} SELECT * FROM rows")


def insert_static(at):
    at.partitioned_table()
    at.sql("INSERT OVERWRITE cell.t PARTITION (p = 1) SELECT 9, 'row-9'")


def insert_dynamic(at):
    at.partitioned_table()
    at.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    at.sql("INSERT OVERWRITE cell.t PARTITION (p) SELECT 9, 'row-9', 2 UNION ALL SELECT 8, 'row-8', 7")


def insert_overwrite_table(at):
    at.partitioned_table()
    at.sql("INSERT OVERWRITE cell.t SELECT 9, 'row-9', 2")


def ctas(at):
    at.rows(1, 2, 3).createOrReplaceTempView("rows")
    at.managed()
    at.sql("CREATE TABLE cell.t USING {fmt} AS SELECT * FROM rows")
    at.sql("CREATE TABLE cell.u USING {fmt} LOCATION '{base}/db/u-data' AS SELECT * FROM rows")


def replace_table(at):
    ctas(at)
    at.sql("CREATE OR REPLACE TABLE cell.t USING {fmt} AS SELECT * FROM rows")


def overwrite_table(at):
    ctas(at)
    at.rows(7).write.format(at.fmt).mode("overwrite").saveAsTable("cell.t")


def buckets(at):
    at.managed()
    data = at.rows(*range(20))
    data.write.format(at.fmt).bucketBy(4, "id").sortBy("v").saveAsTable("cell.t")


def sorted_rows(at):
    at.save(at.rows(*range(20)).sortWithinPartitions("v"), by=["p"])


def custom_location(at):
    at.partitioned_table()
    at.sql("ALTER TABLE cell.t ADD PARTITION (p = 5) LOCATION '{base}/db/elsewhere'")
    at.sql("INSERT INTO cell.t PARTITION (p = 5) SELECT 50, 'row-50'")
    at.sql("INSERT OVERWRITE cell.t PARTITION (p = 5) SELECT 51, 'row-51'")


def failing_task(at):
    def once(value):
        if TaskContext.get().attemptNumber() == 0:
            raise ValueError("the first attempt fails")
        return value

    at.save(at.rows(1, 2, 3, parts=1).withColumn("v", udf(once)("v")))


def failing_job(at):
    def never(value):
        if value.endswith("3"):
            raise ValueError("this row is bad")
        return value

    at.save(at.rows(1, 2))
    try:
        at.save(at.rows(3, 4, 5).withColumn("v", udf(never)("v")), "overwrite")
    except Exception as e:
        return "failed" if "this row is bad" in str(e) else str(e)
    return "not failed"


def alter(statement):
    def run(at):
        at.partitioned_table()
        at.sql(statement)
        return sorted(row[0] for row in at.sql("SHOW PARTITIONS cell.t").collect())
    return run


def rename_table(at):
    at.partitioned_table()
    at.sql("ALTER TABLE cell.t RENAME TO cell.u")
    return sorted(map(str, at.sql("SELECT * FROM cell.u").collect()))


def msck(at):
    at.partitioned_table()
    at.save(at.rows(31), path=at.base + "/db/t/p=9")
    at.sql("MSCK REPAIR TABLE cell.t")
    return sorted(row[0] for row in at.sql("SHOW PARTITIONS cell.t").collect())


def analyze(at):
    at.partitioned_table()
    at.sql("ANALYZE TABLE cell.t COMPUTE STATISTICS")
    return [row[1] for row in at.sql("DESCRIBE EXTENDED cell.t").collect() if row[0] == "Statistics"]


def serde(convert):
    def run(at):
        for kind in ("Parquet", "Orc", "InsertingPartitionedTable"):
            at.spark.conf.set("spark.sql.hive.convert%s%s" % (
                "" if kind.startswith("I") else "Metastore", kind), convert)
        at.managed()
        at.sql("CREATE TABLE cell.t (id BIGINT, v STRING) PARTITIONED BY (p BIGINT) STORED AS {fmt}")
        at.spark.conf.set("hive.exec.dynamic.partition.mode", "nonstrict")
        at.rows(1, 2, 3).createOrReplaceTempView("rows")
        at.sql("INSERT INTO cell.t SELECT id, v, p FROM rows")
        at.sql("INSERT OVERWRITE TABLE cell.t PARTITION (p = 1) SELECT 9, 'row-9'")
        return sorted(map(str, at.sql("SELECT * FROM cell.t").collect()))
    return run


def streaming(at):
    data = at.rows(1, 2, 3)
    source, schema = at.base + "/source", data.schema
    for more in (data, at.rows(4, 5)):
        more.write.mode("append").json(source)
        stream = at.spark.readStream.schema(schema).json(source)
        writer, path = stream.writeStream.format(at.fmt), at.path
        if at.fmt == "xml":
            writer = writer.option("rowTag", "r")
        writer.option("checkpointLocation", at.base + "/checkpoint").trigger(
            availableNow=True).start(path).awaitTermination()


def pairs(at):
    return at.spark.sparkContext.parallelize([(1, "row-1"), (2, "row-2"), (3, "row-3")], 2)


def rdd(save, reader="binaryFile"):
    def run(at):
        save(pairs(at), at.path)
        at.reader = reader
    return run


def hadoop_output(package, api, kind):
    """By an output format of Hadoop's, for text or as a sequence file."""
    def run(at):
        getattr(pairs(at), api)(
            at.path, "org.apache.hadoop.%s.%sOutputFormat" % (package, kind),
            keyClass="org.apache.hadoop.io.IntWritable", valueClass="org.apache.hadoop.io.Text")
        at.reader = "text" if kind == "Text" else None
        return None if at.reader else sorted(map(str, at.spark.sparkContext.sequenceFile(
            at.path).collect()))
    return run


def pickle(at):
    pairs(at).saveAsPickleFile(at.path)
    at.reader = None
    return sorted(map(str, at.spark.sparkContext.pickleFile(at.path).collect()))


def ml(at):
    jvm = at.spark.sparkContext._jvm
    stage = jvm.org.apache.spark.ml.feature.Binarizer("cell").setInputCol("a").setThreshold(0.5)
    for _ in range(2):
        stage.write().overwrite().save(at.path)
    at.reader = None
    return jvm.org.apache.spark.ml.feature.Binarizer.load(at.path).getThreshold()


def nothing(at):
    at.save(at.rows(1).where("false"))


# name -> (what is done, formats, catalogs)
MEMORY = ["in-memory"]
CELLS = {
    "append": (twice("append", "append"), ALL, MEMORY),
    "overwrite": (twice("append", "overwrite"), ALL, MEMORY),
    "ignore": (twice("ignore", "ignore"), ALL, MEMORY),
    "error if exists": (error_if_exists, ALL, MEMORY),
    "partitions, overwrite static": (partitions("static"), [*FILES, "xml"], MEMORY),
    "partitions, overwrite dynamic": (partitions("dynamic"), [*FILES, "xml"], MEMORY),
    "sorted within partitions": (sorted_rows, FILES, MEMORY),
    "maxRecordsPerFile": (
        lambda at: at.save(at.rows(*range(7), parts=1), maxRecordsPerFile=2), ALL, MEMORY),
    "empty result": (nothing, ALL, MEMORY),
    "empty partitioned result": (
        lambda at: at.save(at.rows(1).where("false"), by=["p"]), FILES, MEMORY),
    "a task fails once": (failing_task, ALL, MEMORY),
    "a job fails in an overwrite": (failing_job, ALL, MEMORY),
    "INSERT OVERWRITE DIRECTORY": (insert_overwrite_directory, FILES, BOTH),
    "INSERT OVERWRITE table": (insert_overwrite_table, FILES, BOTH),
    "INSERT OVERWRITE partition": (insert_static, FILES, BOTH),
    "INSERT OVERWRITE dynamic": (insert_dynamic, FILES, BOTH),
    "custom partition location": (custom_location, FILES, BOTH),
    "CREATE TABLE AS SELECT": (ctas, FILES, BOTH),
    "CREATE OR REPLACE TABLE": (replace_table, ["parquet"], BOTH),
    "saveAsTable, overwrite": (overwrite_table, FILES, BOTH),
    "bucketBy and sortBy": (buckets, FILES, BOTH),
    "ALTER TABLE RENAME": (rename_table, FILES, BOTH),
    "ADD PARTITION": (alter("ALTER TABLE cell.t ADD PARTITION (p = 8)"), FILES, BOTH),
    "DROP PARTITION": (alter("ALTER TABLE cell.t DROP PARTITION (p = 1)"), FILES, BOTH),
    "RENAME PARTITION": (
        alter("ALTER TABLE cell.t PARTITION (p = 1) RENAME TO PARTITION (p = 22)"), FILES, BOTH),
    "TRUNCATE TABLE": (alter("TRUNCATE TABLE cell.t"), FILES, BOTH),
    "TRUNCATE partition": (alter("TRUNCATE TABLE cell.t PARTITION (p = 1)"), FILES, BOTH),
    "DROP TABLE": (lambda at: (at.partitioned_table(), at.sql("DROP TABLE cell.t")) and None,
                   FILES, BOTH),
    "MSCK REPAIR TABLE": (msck, FILES, BOTH),
    "ANALYZE TABLE": (analyze, FILES, BOTH),
    "SerDe table, converted": (serde("true"), ["parquet", "orc"], ["hive"]),
    "SerDe table, Hive's writer": (
        serde("false"), ["parquet", "orc", "textfile", "avro"], ["hive"]),
    "streaming file sink": (streaming, ALL, MEMORY),
    "saveAsTextFile": (rdd(lambda some, path: some.saveAsTextFile(path), "text"), [""], MEMORY),
    "saveAsTextFile, gzip": (
        rdd(lambda some, path: some.saveAsTextFile(
            path, "org.apache.hadoop.io.compress.GzipCodec"), "text"), [""], MEMORY),
    "saveAsPickleFile": (pickle, [""], MEMORY),
    **{"%s, %s" % (api, title): (hadoop_output(package, api, kind), [""], MEMORY)
       for package, api in (("mapred", "saveAsHadoopFile"),
                            ("mapreduce.lib.output", "saveAsNewAPIHadoopFile"))
       for title, kind in (("sequence", "SequenceFile"), ("text", "Text"))},
    "ML save": (ml, [""], MEMORY),
}


# ---- the runner

def listing(path):
    """The data files below the path: directory and count, without names that Spark makes up."""
    hadoop, fs = Path(path), file_system(path)
    if not fs.exists(hadoop):
        return {}
    root = fs.makeQualified(hadoop).toUri().getPath()
    found, files = {}, fs.listFiles(hadoop, True)
    while files.hasNext():
        name = files.next().getPath().toUri().getPath()[len(root):]
        if not re.search("/[_.]", name):
            directory = name.rpartition("/")[0]
            found[directory] = found.get(directory, 0) + 1
    return found


COUNTS = ("number of written files", "number of dynamic part", "number of output rows")
BYTES = "written output"
# The sizes of the other formats depend on the order of the rows.
SIZES_COUNT = {"json", "csv", "text", "xml", "textfile"}


def reported(spark, before, fmt):
    """What Spark says it wrote since: the sums of its metrics, and the sizes as it prints them."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    store = spark._jsparkSession.sharedState().statusStore()
    sums = {}
    executions = store.executionsList()
    for i in range(executions.size()):
        one = executions.apply(i)
        if one.executionId() <= before:
            continue
        names = {}
        for j in range(one.metrics().size()):
            metric = one.metrics().apply(j)
            names[metric.accumulatorId()] = metric.name()
        values = store.executionMetrics(one.executionId())
        for number, name in names.items():
            text = values.get(number)
            if name in COUNTS and text.isDefined():
                sums[name] = sums.get(name, 0) + int(re.sub("[^0-9]", "", text.get()) or 0)
            elif name == BYTES and text.isDefined() and fmt in SIZES_COUNT:
                sums[name] = sorted([*sums.get(name, []), text.get()])
    return sums


def last_execution(spark):
    executions = spark._jsparkSession.sharedState().statusStore().executionsList()
    return max([executions.apply(i).executionId() for i in range(executions.size())], default=-1)


def read(at):
    """The rows that the written files hold, whatever catalog knows of them."""
    if at.reader is None or at.seen != at.path:
        return None
    reader = at.spark.read.format(at.reader)
    if at.reader == "xml":
        reader = reader.option("rowTag", "r")
    try:
        return sorted(json.dumps(row.asDict(), sort_keys=True, default=str)
                      for row in reader.load(at.path).collect())
    except Exception as e:
        said = re.sub(r"\S+:/\S+", "PATH", str(e).splitlines()[0])
        return "unreadable: " + re.sub(r"\bo\d+\.", "", said)[:200]  # Py4J's number of an object


def table_rows(at):
    try:
        return sorted(map(str, at.sql("SELECT * FROM cell.t").collect()))
    except Exception as e:
        return type(e).__name__


def run_cell(spark, base, name, fmt):
    session = spark.newSession()
    at = Place(session, base, fmt, re.sub("[^A-Za-z]+", "-", name))
    before = last_execution(spark)
    left = {}
    try:
        left["said"] = CELLS[name][0](at)
    except Exception as e:
        left["error"] = re.sub(r"\S*:/\S+", "PATH", "%s: %s" % (
            type(e).__name__, (str(e).splitlines() or [""])[0]))[:300]
        left["trace"] = [line[:400] for line in str(e).splitlines()[1:]
                         if re.match(r":|Caused by:", line)]
    left["files"] = listing(at.seen)
    left["rows"] = read(at)
    if at.seen != at.path:
        left["table"] = table_rows(at)
        session.sql("DROP DATABASE IF EXISTS cell CASCADE")
    left["reported"] = reported(spark, before, fmt)
    return left


def compare(on_disk, on_s3):
    keys = ("error", "said", "files", "rows", "table", "reported")
    different = {key: [on_disk.get(key), on_s3.get(key)] for key in keys
                 if on_disk.get(key) != on_s3.get(key)}
    if "error" in on_disk and "error" in on_s3:
        return "impossible", on_disk["error"]
    return ("same", None) if not different else ("different", {
        **different, "trace": on_s3.get("trace")})


spark.sparkContext.setLogLevel("ERROR")
for name, (_, formats, catalogs) in CELLS.items():
    if job["catalog"] not in catalogs:
        continue
    for fmt in formats:
        if job["only"] and fmt not in job["only"].split(","):
            continue
        on_disk = run_cell(spark, "file://" + job["disk"], name, fmt)
        on_s3 = run_cell(spark, "s3a://%s/%s" % (job["bucket"], job["section"]), name, fmt)
        verdict, detail = compare(on_disk, on_s3)
        say({"cell": name, "format": fmt, "verdict": verdict, "detail": detail,
             "files": sum(on_s3["files"].values()), "reported": on_s3["reported"],
             "rows": len(on_s3["rows"]) if isinstance(on_s3["rows"], list) else None})
spark.stop()
