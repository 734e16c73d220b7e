# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests does each way cost in which Spark reads?

The same rows, in files of each format and in tables of Delta and Iceberg, are read in each way,
through Penstock and through S3A with its two input streams, each with its defaults.

With --faults, Penstock alone reads them: first in calm, and then in the faults. What it reads must be
the same each time.
"""

import json
import pathlib
import time

import harness
import tableformats
import variants
from harness import number, say

VARIANTS = variants.some("penstock", "classic", "analytics")
PATHS = {
    "parquet": "file source, Parquet",
    "parquet-v2": "DataSource V2, Parquet",
    "orc": "file source, ORC",
    "orc-v2": "DataSource V2, ORC",
    "csv": "file source, CSV",
    "text-rdd": "RDD textFile",
    "whole-rdd": "RDD wholeTextFiles",
    "binary": "binaryFile",
    "delta": "Delta",
    "iceberg": "Iceberg, HadoopFileIO",
}
KINDS = ("GET", "HEAD", "LIST")
# Three of a hundred each; a straggler takes so long that a hedge is faster. Listings are left out:
# the marks between the reads are listings, and nobody repeats those.
FAULTS = ("GetObject@0.03=500,GetObject@0.03=reset-after,GetObject@0.03=truncate,"
          "GetObject@0.03=stall:3s-10s,HeadObject@0.03=500")


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.add_argument("--files", type=int, default=16, metavar="N",
                        help="of each table (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=20_000, metavar="N",
                        help="of each file (default: %(default)s)")
    parser.add_argument("--faults", metavar="RULES", nargs="?", const=FAULTS,
                        help="as in 'penstock weather --faults' (default: %s)" % FAULTS.replace("%", "%%"))
    parser.add_argument("--seeds", type=int, default=3, metavar="N",
                        help="of the faults (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "read-paths.json",
                        metavar="FILE", help="default: bench/.work/read-paths.json")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    if not set(given.variants) <= set(VARIANTS):
        parser.error("variants are %s" % ", ".join(VARIANTS))
    return given


def session(given, store, python, path, name, job, jars):
    return harness.run_spark(
        python, "read_paths.py", [json.dumps({"endpoint": store.endpoint, "bucket": store.bucket,
                                              "files": given.files, "rows": given.rows, **job})],
        store, [*path, *jars], {**VARIANTS[name][1], **tableformats.settings()}, name, given.timeout)


def one(given, store, python, path, name, jars):
    section = "%s-%d" % (name, int(time.time() * 1000))
    said = session(given, store, python, path, name, {"section": section, "paths": list(PATHS)}, jars)
    logged = harness.sections(store.access_log)
    for read in said:
        requests = logged["%s-%s" % (section, read["path"])]
        read.update(total=requests.total, kinds=dict(requests.kinds))
    return {read["path"]: read for read in said}


def in_faults(given, ours, python, jars):
    """Reads everything in calm and in the faults of each seed; returns the runs by their titles."""
    path = [ours / "penstock-spark.jar"]
    runs = {}
    with harness.server(given) as server:
        with harness.weather(given, server, ours) as store:
            say("  making the data")
            session(given, store, python, path, "penstock", {"make": True}, jars)
            runs["calm"] = one(given, store, python, path, "penstock", jars)
        for seed in range(1, given.seeds + 1):
            arguments = ("--faults", given.faults, "--seed", str(seed))
            with harness.weather(given, server, ours, *arguments) as store:
                runs["seed %d" % seed] = one(given, store, python, path, "penstock", jars)
                say("  seed %d: %s" % (seed, ", ".join(
                    "%s %d" % (name, read["total"]) for name, read in runs["seed %d" % seed].items())))
    return runs


def check(runs):
    for path in PATHS:
        found = {json.dumps(mine[path]["found"]) for mine in runs.values()}
        if len(found) > 1:
            raise harness.Problem("%s: not all have read the same: %s" % (path, found))


def faults_table(runs):
    rows = [["requests, all the same rows", *runs]]
    rows += [[title, *("%s in %.1f s" % (number(mine[path]["total"]), mine[path]["seconds"])
                       for mine in runs.values())] for path, title in PATHS.items()]
    return harness.table(rows)


def run_in_faults(given):
    if given.server == "embedded":
        raise harness.Problem("--faults needs a server that keeps its data when the weather changes")
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    runs = in_faults(given, harness.penstock_jars(given.penstock_jars), python, tableformats.jars())
    check(runs)
    print("\n%d files of %s rows in each table\nSpark %s, local[2]; %s\n%s\n\n%s\n" % (
        given.files, number(given.rows), version, given.faults, harness.machine(),
        faults_table(runs)))
    return 0


def table(runs):
    rows = [["read path", "", "all", *KINDS, "seconds"]]
    for path, title in PATHS.items():
        for name, mine in runs.items():
            read = mine[path]
            rows.append([title if name == next(iter(runs)) else "", VARIANTS[name][0],
                         number(read["total"]), *(number(read["kinds"].get(k, 0)) for k in KINDS),
                         "%.2f" % read["seconds"]])
    return harness.table(rows, left=2)


def run():
    given = options()
    if given.faults:
        return run_in_faults(given)
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    jars = tableformats.jars()
    runs = {}
    with harness.counted_store(given, ours) as store:
        say("  making the data")
        session(given, store, python, [ours / "penstock-spark.jar"], "penstock", {"make": True}, jars)
        for name in given.variants:
            runs[name] = one(given, store, python, variants.class_path(name, ours, s3a), name, jars)
            say("  %-10s %s" % (name, ", ".join(
                "%s %d" % (path, read["total"]) for path, read in runs[name].items())))
        where = "Spark %s, local[2], %s, latency %s" % (version, store.name, given.latency)
    check(runs)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(
        {"machine": harness.machine(), "where": where, "runs": runs}, indent=1) + "\n")
    print("\n%d files of %s rows in each table, read once\n%s\n%s\n\n%s\n" % (
        given.files, number(given.rows), where, harness.machine(), table(runs)))
    heads = {path: mine["kinds"]["HEAD"] for path, mine in runs.get("penstock", {}).items()
             if mine["kinds"].get("HEAD")}
    print("Penstock's HEAD requests: %s" % (
        ", ".join("%s %d" % (PATHS[path], count) for path, count in heads.items()) or "none"))
    return 0


harness.main(run)
