"""Spark's fallback storage for shuffles, on S3: both executors are decommissioned after the map
stage, and the next job reads what they left there. Each file costs one PUT, and nothing else.

  spark-submit … fallback.py BUCKET EMPTY_DIRECTORY_FOR_REQUEST_LOGS
"""

import collections
import json
import pathlib
import sys
import time

from pyspark.sql import SparkSession

MAPS, REDUCERS = 8, 4
storage = "s3://%s/fallback/" % sys.argv[1]
log = pathlib.Path(sys.argv[2])

spark = (
    SparkSession.builder.appName("penstock fallback")
    .config("spark.decommission.enabled", "true")
    .config("spark.storage.decommission.enabled", "true")
    .config("spark.storage.decommission.shuffleBlocks.enabled", "true")
    .config("spark.storage.decommission.fallbackStorage.path", storage)
    .config("spark.hadoop.penstock.request.log.dir", str(log))
    .getOrCreate()
)
sc = spark.sparkContext
jvm, backend = sc._jvm, sc._jsc.sc().schedulerBackend()


def executors():
    return [name for name in backend.getExecutorIds().mkString(",").split(",") if name]


def require(what, holds):
    if not holds:
        sys.exit("fallback storage: " + what)


counts = sc.parallelize(range(4000), MAPS).map(lambda x: (x % 7, x)).groupByKey(REDUCERS)
counts = counts.mapValues(lambda values: sum(1 for _ in values))
first = sorted(counts.collect())
gone = executors()
require("there are no executors", gone)
reason = jvm.org.apache.spark.scheduler.ExecutorDecommissionInfo(
    "ci", getattr(getattr(jvm.scala, "None$"), "MODULE$"))
pairs = sc._gateway.new_array(jvm.scala.Tuple2, len(gone))
for i, name in enumerate(gone):
    pairs[i] = jvm.scala.Tuple2(name, reason)
backend.decommissionExecutors(pairs, False, False)
until = time.monotonic() + 120
while set(executors()) & set(gone):
    require("the executors did not end", time.monotonic() < until)
    time.sleep(0.5)
require("another result after decommissioning", sorted(counts.collect()) == first)
spark.stop()

sent = collections.Counter()
for file in log.iterdir():
    for line in file.read_text().splitlines():
        request = json.loads(line)
        # A busy machine answers late, and a late answer is asked for a second time.
        if "/shuffle_" in request["key"] and not request["hedge"]:
            sent[request["op"]] += 1
print("fallback storage:", dict(sent))
require("each map leaves an index and its data, by one PUT each", sent["PUT"] == 2 * MAPS)
require("no request looks for them", not sent["HEAD"] + sent["LIST"])
require("each reducer reads each once", sent["GET"] == 2 * MAPS * REDUCERS)
