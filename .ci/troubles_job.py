"""Makes failures in one session, and prints each message of the page with what the user reads."""

import json
import os
import subprocess
import sys
import threading
import time

from pyspark.sql import SparkSession
from pyspark.sql.functions import udf

penstock, endpoint, access, secret = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
base = "s3://troubles/t/"
hadoop = spark._jvm.org.apache.hadoop.fs
two = spark.range(0, 20, 1, 2)


def fails(quoted, action):
    try:
        action()
        said = "nothing failed"
    except Exception as failure:
        said = str(failure)
    print("TROUBLE " + json.dumps([quoted, said]), flush=True)


def file_system(path):
    return hadoop.Path(path).getFileSystem(spark._jsc.hadoopConfiguration())


def write_bytes(path, count):
    out = file_system(path).create(hadoop.Path(path))
    out.write(bytes(count))
    return out


def lost_upload():
    """Somebody aborts the upload of a file that is being written."""
    path = base + "lost.bin"
    out = write_bytes(path, 40 << 20)
    subprocess.run(
        [penstock, "uploads", path, "--older-than", "0s", "--all", "--write", "--endpoint", endpoint],
        check=True, stdout=subprocess.DEVNULL, env={
            **os.environ, "AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret})
    out.close()


def two_first_jobs():
    """A slow job of the mode error plans, and a quick one is done before it commits."""
    @udf("long")
    def slowly(number):
        time.sleep(0.5)
        return number

    failures = []

    def slow():
        try:
            two.select(slowly("id").alias("id")).write.mode("error").parquet(base + "first")
        except Exception as failure:
            failures.append(failure)

    thread = threading.Thread(target=slow)
    thread.start()
    while not spark.sparkContext.statusTracker().getActiveJobsIds():
        time.sleep(0.05)
    two.write.mode("error").parquet(base + "first")
    thread.join()
    raise failures[0]


fails("NoSuchBucket (404)", lambda: spark.read.parquet("s3://no-such-bucket-of-troubles/x"))
fails("the answer has no ETag", lambda: write_bytes(base + "no-etag/a", 9).close())
fails("the answer is a truncated listing without the token",
      lambda: file_system(base).listStatus(hadoop.Path(base + "no-token")))
fails("NoSuchUpload (404)", lost_upload)
two.write.mode("append").parquet("s3://troubles-root")
fails("Can not create a Path from an empty string",
      lambda: two.write.mode("overwrite").parquet("s3://troubles-root"))
two.write.parquet(base + "kept")
fails("An overwrite deletes the old objects, so it needs s3:DeleteObject on them",
      lambda: two.write.mode("overwrite").parquet(base + "kept"))
fails("Do not run the job again until the commit has been undone",
      lambda: two.write.parquet(base + "stuck"))
fails("another job has written … since this job began", two_first_jobs)
print("END OF TROUBLES", flush=True)
spark.stop()
