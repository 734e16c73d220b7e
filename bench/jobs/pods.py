# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A job that computes and writes and reads S3: sums over rows that it wrote."""

from job import job, measured, say, spark


def rounds():
    for i in range(job["rounds"]):
        path = "%s/%d" % (job["path"], i)
        spark.range(0, job["rows"], 1, 8).selectExpr(
            "id", "sha2(cast(id as string), 256) as text").write.mode("overwrite").parquet(path)
        found = spark.read.parquet(path).selectExpr(
            "count(*)", "sum(id)", "bit_xor(xxhash64(text))").first()
    return list(found)


found, took = measured(rounds)
say({**took, "found": found})
spark.stop()
