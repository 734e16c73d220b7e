# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Copies a directory of this machine to S3."""

import concurrent.futures
import pathlib

from job import file_system, job, Path, spark

directory, target = pathlib.Path(job["from"]), job["to"]
fs = file_system(target)


def copy(file):
    fs.copyFromLocalFile(False, True, Path("file://%s" % file), Path(
        "%s/%s" % (target, file.relative_to(directory))))


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    list(pool.map(copy, (file for file in directory.rglob("*") if file.is_file())))
spark.stop()
