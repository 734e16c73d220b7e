# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests does each way cost in which Spark reads?

The same rows, in files of each format and in tables of Delta and Iceberg, are read in each way,
through Penstock and through S3A with its two input streams, each with its defaults.

With --faults, Penstock alone reads them: first in calm, and then in the faults. What it reads must
be the same each time.
"""

import bench
import harness
import tableformats
import variants
from bench import Bench
from harness import number, say

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

case = Bench(__doc__, variants.some("penstock", "classic", "analytics"))
case.option("--files", 16, "of each table")
case.option("--rows", 20_000, "of each file")
case.faults_option(FAULTS)
case.option("--seeds", 3, "of the faults")
given = case.parse()
SIZE = {"files": given.files, "rows": given.rows}


def make():
    say("  making the data")
    case.spark("read_paths.py", {"make": True, **SIZE}, "make", settings=tableformats.settings(),
               more_jars=tableformats.jars())


def one(name, title=None):
    found = case.counted("read_paths.py", {"paths": list(PATHS), **SIZE}, name,
                         tableformats.settings(), tableformats.jars(), by="path")
    say("  %-10s %s" % (title or name, ", ".join(
        "%s %d" % (path, read["requests"]) for path, read in found.items())))
    return found


def in_faults():
    """Reads everything in calm and in the faults of each seed; returns the runs by their titles."""
    runs = {}
    with harness.server(given) as server:
        with harness.weather(given, server, case.jars) as case.store:
            case.told_where(case.store)
            make()
            runs["calm"] = one("penstock", "calm")
        for seed in range(1, given.seeds + 1):
            title = "seed %d" % seed
            with harness.weather(given, server, case.jars, "--faults", given.faults, "--seed",
                                 str(seed)) as case.store:
                runs[title] = one("penstock", title)
    return runs


def faults_table(runs):
    rows = [["requests, all the same rows", *runs]]
    rows += [[title, *("%s in %.1f s" % (number(mine[path]["requests"]), mine[path]["seconds"])
                       for mine in runs.values())] for path, title in PATHS.items()]
    return harness.table(rows)


def table(runs):
    rows = [["read path", "", "all", *KINDS, "seconds"]]
    for path, title in PATHS.items():
        for name, mine in runs.items():
            read = mine[path]
            rows.append([title if name == next(iter(runs)) else "", case.title(name),
                         number(read["requests"]),
                         *(number(read["kinds"].get(k, 0)) for k in KINDS),
                         "%.2f" % read["seconds"]])
    return harness.table(rows, left=2)


def run():
    if given.faults and given.server == "embedded":
        raise harness.Problem("--faults needs a server that keeps its data when the weather"
                              " changes")
    if given.faults:
        runs = in_faults()
    else:
        with case.counted_store():
            make()
            runs = {name: one(name) for name in given.variants}
    bench.check_same({name: [mine] for name, mine in runs.items()})
    case.save(runs=runs)
    case.head("%d files of %s rows in each table, %s" % (
        given.files, number(given.rows), given.faults or "read once"))
    print((faults_table if given.faults else table)(runs) + "\n")
    if not given.faults:
        heads = ["%s %d" % (PATHS[path], mine["kinds"]["HEAD"])
                 for path, mine in runs.get("penstock", {}).items() if mine["kinds"].get("HEAD")]
        print("Penstock's HEAD requests: %s" % (", ".join(heads) or "none"))
    return 0


case.main(run)
