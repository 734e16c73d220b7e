"""Copies a local file to S3."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
java = spark._jvm
target = java.org.apache.hadoop.fs.Path(sys.argv[2])
target.getFileSystem(spark._jsc.hadoopConfiguration()).copyFromLocalFile(
    java.org.apache.hadoop.fs.Path(sys.argv[1]), target)
spark.stop()
