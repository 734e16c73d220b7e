# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast are long listings, and how much memory do a million statuses take?

Objects of three forms are listed recursively: by Penstock with its defaults, by Penstock page by
page, by sixteen threads that each list a directory at a time, and by S3A. All must find the same
number. The objects are made on MinIO's disk, as copies of one that was put: so a million take two
minutes.
"""

import bench
import harness
import variants
from bench import Bench
from harness import number, say

VARIANTS = {
    "penstock": ("Penstock", variants.PLUGIN),
    "serial": ("Penstock, page by page", {
        **variants.PLUGIN, "spark.hadoop.penstock.list.pages.max": "1"}),
    "directories": ("16 threads, by directories", variants.PLUGIN),
    "s3a": ("S3A", {}),
}
S3_PAGE = 1000
MB = 1 << 20

case = Bench(__doc__, VARIANTS, latency="40ms", timeout=1800)
case.option("--keys", 100_000, "objects in partitions; the single directory has ten times as many",
            least=1000)
case.option("--memory", "4g", "heap of Spark's JVM", "SIZE")
case.option("--rounds", 3)
case.names("--shapes", ["partitions", "small-partitions", "one-directory"])
given = case.parse()
if given.server != "minio":
    case.error("the objects are made on MinIO's disk: only --server minio")
# name -> (directories, objects in each)
SHAPES = {
    "partitions": (given.keys // 100, 100),
    "small-partitions": (given.keys // 10, 10),
    "one-directory": (1, 10 * given.keys),
}
SETTINGS = {"spark.driver.memory": given.memory}


def make():
    """Copies of the object that was put, one for each key."""
    case.spark("listing.py", {"make": True}, "make", settings=SETTINGS)
    bucket, = harness.RUN.glob("data-minio-*/" + given.bucket)
    seed = next((bucket / "seed").rglob("xl.meta")).read_bytes()
    for shape in given.shapes:
        directories, objects = SHAPES[shape]
        say("  making %s objects of form %s" % (number(directories * objects), shape))
        for d in range(directories):
            for f in range(objects):
                made = bucket / shape / ("p=%05d" % d) / ("part-%06d" % f)
                made.mkdir(parents=True)
                (made / "xl.meta").write_bytes(seed)


def one(name):
    return case.counted("listing.py", {
        "directories": name == "directories",
        "shapes": {shape: SHAPES[shape] for shape in given.shapes
                   if name != "directories" or shape != "one-directory"}}, name, SETTINGS)


def run():
    with case.counted_store():
        make()
        runs = case.rounds(given.rounds, one)
    case.save(runs=runs)
    case.head("")
    for shape in given.shapes:
        directories, objects = SHAPES[shape]
        pages = -(-directories * objects // S3_PAGE)
        print(case.case_table("%s of %s" % (number(directories), number(objects)), runs, shape, {
            "median": bench.median_of("seconds", "%.1f s"), "requests": bench.last_of("requests"),
            "of %s pages" % number(pages): lambda ran: "%.2f" % (ran[-1]["requests"] / pages),
            "heap for statuses": bench.median_of("heap", "%.0f MB", MB),
            "all runs": bench.all_of("seconds", "%.1f")}) + "\n")
    return 0


case.main(run)
