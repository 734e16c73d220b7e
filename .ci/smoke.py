"""One PySpark job through the plugin: every write path once, checked by reading back."""

import json
import os
import subprocess
import sys
import urllib.request

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("penstock smoke").getOrCreate()
sc = spark.sparkContext
base = f"s3://{sys.argv[1]}/smoke-{sc.applicationId}"
checks = 0


def check(what, wanted, found):
    global checks
    if wanted != found:
        sys.exit(f"{what}: wanted {wanted}, found {found}")
    checks += 1


def ids(path):
    return sorted(row.id for row in spark.read.parquet(path).select("id").collect())


table = f"{base}/table"
spark.range(0, 1000, 1, 10).write.parquet(table)
check("new table", list(range(1000)), ids(table))
spark.range(1000, 1500, 1, 5).write.mode("overwrite").parquet(table)
check("overwrite", list(range(1000, 1500)), ids(table))
spark.range(0, 10, 1, 1).write.mode("append").parquet(table)
check("append", list(range(10)) + list(range(1000, 1500)), ids(table))

parts = f"{base}/parts"
frame = spark.range(0, 100, 1, 4).selectExpr("id", "id % 11 as p")
frame.write.partitionBy("p").parquet(parts)
spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
frame.where("p = 1").selectExpr("id + 1000 as id", "p").write.mode("overwrite").partitionBy(
    "p"
).parquet(parts)
kept = [i for i in range(100) if i % 11 != 1]
check("dynamic overwrite", sorted(kept + [i + 1000 for i in range(100) if i % 11 == 1]), ids(parts))

for kind in ("orc", "csv", "json"):
    spark.range(50).write.format(kind).save(f"{base}/{kind}")
    check(kind, 50, spark.read.format(kind).load(f"{base}/{kind}").count())

sc.parallelize(range(100), 4).saveAsTextFile(f"{base}/rdd")
check("RDD text", 100, sc.textFile(f"{base}/rdd").count())
sc.parallelize([("k", i) for i in range(20)], 2).saveAsNewAPIHadoopFile(
    f"{base}/newapi",
    "org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat",
    "org.apache.hadoop.io.Text",
    "org.apache.hadoop.io.IntWritable",
)
check("RDD, newer API", 20, sc.sequenceFile(f"{base}/newapi").count())

# The same table through the other scheme, and through a file system that is not ours.
check("s3a", list(range(10)) + list(range(1000, 1500)), ids(table.replace("s3://", "s3a://")))

hadoop = sc._jvm.org.apache.hadoop.fs
files = hadoop.Path(base).getFileSystem(sc._jsc.hadoopConfiguration())


def only_file(path):
    data = [f.getPath() for f in files.listStatus(hadoop.Path(path)) if f.getLen() > 1000]
    check(f"data files of {path}", 1, len(data))
    return data[0]


for kind in ("parquet", "csv"):
    for name, rows in ("short", 1_000), ("long", 100_000):
        spark.range(0, rows, 1, 1).write.format(kind).save(f"{base}/{kind}-{name}")
    planned = spark.read.format(kind).schema("id LONG").load(f"{base}/{kind}-short")
    hadoop.FileUtil.copy(files, only_file(f"{base}/{kind}-long"),
                         files, only_file(f"{base}/{kind}-short"), False, True,
                         sc._jsc.hadoopConfiguration())
    try:
        said = f"{planned.count()} rows"
    except Exception as failure:
        said = str(failure)
    check(f"a {kind} file that was replaced after the query was planned: {said[:300]}", True,
          "was replaced after the query was planned" in said)
    check(f"the new {kind} file", 100_000, spark.read.format(kind).schema("id LONG").load(
        f"{base}/{kind}-short").count())

counts = sc._jvm.io.penstock.core.stack.Engine.process().metrics().counts()
operation = sc._jvm.io.penstock.core.store.Operation
check("renames", 0, counts.get(operation.COPY).attempts())

files.delete(hadoop.Path(base), True)
tab = sc.uiWebUrl + "/penstock/"
page = urllib.request.urlopen(tab).read().decode()
check("the S3 tab", True, "S3 requests" in page and f"s3://{base.split('/')[2]}/" in page)
for _ in range(5):  # the driver's log may be written between the two
    report = json.load(urllib.request.urlopen(tab + "json/"))
    total = sum(report["total"][kind] for kind in ("reads", "writes", "lists", "deletes"))
    counts = sc._jvm.io.penstock.core.stack.Engine.process().metrics().counts()
    counted = sum(count.attempts() for count in counts.values())
    if counted == total:
        break
check("requests in the S3 tab", counted, total)
if os.environ.get("LOOK_AT_TAB"):
    subprocess.run([os.environ["LOOK_AT_TAB"], tab, spark.version], check=True)
print(f"Spark {spark.version}, {base.split('/')[2]}: {checks} checks held, no rename")
spark.stop()
