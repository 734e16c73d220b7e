"""Penstock for PySpark: the S3 storage layer, in one wheel with its jars.

    from penstock_spark import configure
    from pyspark.sql import SparkSession

    spark = configure(SparkSession.builder).getOrCreate()
    spark.range(10).write.parquet("s3://lake/numbers")
"""

from ._configure import PenstockError, configure
from ._jars import __version__, jar

__all__ = ["PenstockError", "__version__", "configure", "jar"]
