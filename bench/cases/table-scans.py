# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast does Spark read and write tables of Iceberg and Delta?

The same tables, which Penstock has written, are read through Penstock, through S3A with its two
streams, and, for Iceberg, through its own S3FileIO; all with their defaults, in turn, on the same
server. The catalog of Iceberg is its Hadoop catalog, so that S3FileIO has S3A below the catalog.
Each session warms up with other tables, and then runs each case once. All must find the same.
"""

import bench
import harness
import tableformats
import variants
from bench import Bench
from harness import number

STREAMS = variants.some("penstock", "classic", "analytics")
OWN_CLIENT = variants.some("iceberg", "iceberg-engine")
KINDS = {"iceberg": [*STREAMS, *OWN_CLIENT], "delta": list(STREAMS)}
CASES = {
    "three": "3 of 21 columns",
    "all": "all 21 columns",
    "many": "files of 320 KB",
    "write": "a table is written",
    "plan": "a scan of many manifests is planned",
    "rewrite": "small files are compacted",
    "purge": "a table and its files are deleted",
}
ONLY_ICEBERG = ("plan", "rewrite", "purge")

case = Bench(__doc__, {**STREAMS, **OWN_CLIENT})
case.shaped_options()
case.option("--files", 8, "of the large table, twice as many as are written")
case.option("--rows", 250_000, "of each of them")
case.option("--many", 200, "number of files of 320 KB")
case.option("--manifests", 400, "of the table whose scan is planned")
case.option("--rounds", 3)
case.names("--formats", list(KINDS))
case.names("--cases", CASES)
given = case.parse()


def set_up(kind, name):
    """Settings and jars, of the format too."""
    jars = tableformats.jars(kind)
    is_own = variants.is_iceberg(name)
    if is_own:  # below the catalog is S3A, of an older AWS SDK
        jars += [harness.fetched("formats", tableformats.S3_FILE_IO),
                 *harness.s3a_jars(case.version).values()]
    return {"settings": {**tableformats.FORMATS[kind]["settings"],
                         **(tableformats.catalog(case.store, given.bucket, is_own)
                            if kind == "iceberg" else {})}, "more_jars": jars}


def job(kind, **more):
    return {"kind": kind, "files": given.files, "rows": given.rows, "many": given.many,
            "manifests": given.manifests, **more}


def cases(kind):
    return [name for name in given.cases if kind == "iceberg" or name not in ONLY_ICEBERG]


def make():
    for kind in given.formats:
        case.spark("table_scans.py", job(kind, make=True), kind + "-make",
                   **set_up(kind, "penstock"))


def run():
    with case.shaped_store(make):
        runs = {kind: case.rounds(given.rounds, lambda name: case.counted(
            "table_scans.py", job(kind, cases=cases(kind)), name, name=kind + name,
            **set_up(kind, name)), names=[name for name in KINDS[kind] if name in given.variants])
                for kind in given.formats}
    for kind, mine in runs.items():
        bench.check_same(mine, kind + ", ")
    case.save(runs=runs)
    case.head("%d files of %s rows and 21 columns; half as many are written; %s files of 320 KB" % (
        given.files, number(given.rows), number(given.many)))
    for kind, mine in runs.items():
        for name in cases(kind):
            ours = [run[name] for run in mine.get("penstock", [])]
            print(case.case_table("%s: %s" % (kind, CASES[name]), mine, name, {
                "median": bench.MEDIAN, "of ours": bench.ratio_to(ours), "CPU": bench.CPU,
                "requests": bench.last_of("requests"), "all runs": bench.ALL_RUNS}) + "\n")
    return 0


case.main(run)
