# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Copies directories of this machine to S3: pairs of a directory and a path."""

import concurrent.futures
import pathlib
import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
jvm = spark.sparkContext._jvm
conf = spark.sparkContext._jsc.hadoopConfiguration()


def copy(file, target):
    path = jvm.org.apache.hadoop.fs.Path(target)
    path.getFileSystem(conf).copyFromLocalFile(
        False, True, jvm.org.apache.hadoop.fs.Path("file://%s" % file), path)


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for directory, target in zip(sys.argv[1::2], sys.argv[2::2]):
        files = [file for file in pathlib.Path(directory).rglob("*") if file.is_file()]
        list(pool.map(lambda file: copy(
            file, "%s/%s" % (target, file.relative_to(directory))), files))
spark.stop()
