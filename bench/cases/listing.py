# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast are long listings, and how much memory do a million statuses take?

Objects of three forms are listed recursively: by Penstock with its defaults, by Penstock page by page,
by sixteen threads that each list a directory at a time, and by S3A. All must find the same number.
The objects are made on MinIO's disk, as copies of one that was put: so a million take two minutes.
"""

import json
import pathlib
import time

import harness
import variants
from harness import median, number, say

PAGES_MAX = "spark.hadoop.penstock.list.pages.max"
VARIANTS = {
    "penstock": ("Penstock", variants.PLUGIN),
    "serial": ("Penstock, page by page", {**variants.PLUGIN, PAGES_MAX: "1"}),
    "directories": ("16 threads, by directories", variants.PLUGIN),
    "s3a": ("S3A", {}),
}
S3_PAGE = 1000
MB = 1 << 20


def shapes(keys):
    """name -> (directories, objects in each)"""
    return {
        "partitions": (keys // 100, 100),
        "small-partitions": (keys // 10, 10),
        "one-directory": (1, 10 * keys),
    }


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.set_defaults(latency="40ms", timeout=1800)
    parser.add_argument("--keys", type=int, default=100_000, metavar="N",
                        help="objects in partitions; the single directory has ten times as many"
                             " (default: %(default)s)")
    parser.add_argument("--memory", default="4g", metavar="SIZE",
                        help="heap of Spark's JVM (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--shapes", metavar="NAME,…",
                        help="of %s, only these" % ", ".join(shapes(1000)))
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "listing.json",
                        metavar="FILE", help="default: bench/.work/listing.json")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    given.shapes = given.shapes.split(",") if given.shapes else list(shapes(1000))
    if given.rounds < 1 or not set(given.variants) <= set(VARIANTS):
        parser.error("need a round, and variants of %s" % ", ".join(VARIANTS))
    if not set(given.shapes) <= set(shapes(1000)) or given.keys < 1000:
        parser.error("shapes are %s; at least 1,000 keys" % ", ".join(shapes(1000)))
    if given.server != "minio":
        parser.error("the objects are made on MinIO's disk: only --server minio")
    return given


def session(given, store, python, path, name, job):
    return harness.run_spark(
        python, "listing.py", [json.dumps({"endpoint": store.endpoint, "bucket": store.bucket, **job})],
        store, path, {"spark.master": "local[2]", "spark.driver.memory": given.memory,
                      **VARIANTS[name][1]}, name, given.timeout)


def make(given, store):
    """Copies of the object that was put, one for each key."""
    bucket = harness.RUN / "minio-data" / store.bucket
    seed = next((bucket / "seed").rglob("xl.meta")).read_bytes()
    for shape in given.shapes:
        directories, objects = shapes(given.keys)[shape]
        say("  making %s objects of form %s" % (number(directories * objects), shape))
        for d in range(directories):
            for f in range(objects):
                made = bucket / shape / ("p=%05d" % d) / ("part-%06d" % f)
                made.mkdir(parents=True)
                (made / "xl.meta").write_bytes(seed)


def one(given, store, python, path, name):
    section = "%s-%d" % (name, int(time.time() * 1000))
    job = {"section": section, "directories": name == "directories",
           "shapes": {shape: shapes(given.keys)[shape] for shape in given.shapes
                      if name != "directories" or shape != "one-directory"}}
    said = session(given, store, python, path, name, job)
    logged = harness.sections(store.access_log)
    for case in said:
        case["requests"] = logged["%s-%s" % (section, case["shape"])].total
    return {case["shape"]: case for case in said}


def shape_table(given, shape, runs):
    directories, objects = shapes(given.keys)[shape]
    pages = -(-directories * objects // S3_PAGE)
    rows = [["%s of %s" % (number(directories), number(objects)), "median", "requests",
             "of %s pages" % number(pages), "heap for statuses", "all runs"]]
    for name, mine in runs.items():
        ran = [r[shape] for r in mine if shape in r]
        if ran:
            rows.append([
                VARIANTS[name][0], "%.1f s" % median([r["seconds"] for r in ran]),
                number(ran[-1]["requests"]), "%.2f" % (ran[-1]["requests"] / pages),
                "%.0f MB" % (median([r["heap"] for r in ran]) / MB),
                " ".join("%.1f" % r["seconds"] for r in ran)])
    return harness.table(rows)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = harness.s3a_jars(version) if "s3a" in given.variants else {}
    ours = harness.penstock_jars(given.penstock_jars)
    runs = {name: [] for name in given.variants}
    with harness.counted_store(given, ours) as store:
        session(given, store, python, [ours / "penstock-spark.jar"], "penstock", {"make": True})
        make(given, store)
        for turn in range(given.rounds):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                path = variants.class_path("s3a" if name == "s3a" else "penstock", ours, s3a)
                runs[name].append(one(given, store, python, path, name))
                say("  %-12s %s" % (name, ", ".join(
                    "%s %.1f s" % (shape, r["seconds"]) for shape, r in runs[name][-1].items())))
        where = "Spark %s, %s, latency %s" % (version, store.name, given.latency)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(
        {"machine": harness.machine(), "where": where, "runs": runs}, indent=1) + "\n")
    print("\n%s\n%s\n" % (where, harness.machine()))
    for shape in given.shapes:
        print(shape_table(given, shape, runs) + "\n")
    return 0


harness.main(run)
