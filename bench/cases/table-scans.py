# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast does Spark read and write tables of Iceberg and Delta?

The same tables, which Penstock has written, are read through Penstock, through S3A with its two
streams, and, for Iceberg, through its own S3FileIO; all with their defaults, in turn, on the same
server. The catalog of Iceberg is its Hadoop catalog, so that S3FileIO has S3A below the catalog.
Each session warms up with other tables, and then runs each case once. All must find the same.
"""

import json
import pathlib
import time

import harness
import shaped
import tableformats
import variants
from harness import median, number, say

CATALOG = "spark.sql.catalog.lake"
FILE_IO = "s3fileio"
VARIANTS = {**variants.some("penstock", "classic", "analytics"), FILE_IO: ("S3FileIO", {})}
KINDS = {"iceberg": list(VARIANTS), "delta": ["penstock", "classic", "analytics"]}
CASES = {
    "three": "3 of 21 columns",
    "all": "all 21 columns",
    "many": "files of 320 KB",
    "write": "a table is written",
}


def options():
    parser = harness.parser(__doc__, "cases:\n" + "\n".join(
        "  %-8s %s" % item for item in CASES.items()))
    harness.common_options(parser)
    shaped.options(parser)
    parser.add_argument("--files", type=int, default=8, metavar="N",
                        help="of the large table, twice as many as are written (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=250_000, metavar="N",
                        help="of each of them (default: %(default)s)")
    parser.add_argument("--many", type=int, default=200, metavar="N",
                        help="number of files of 320 KB (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--formats", default=",".join(KINDS), metavar="NAME,…",
                        help="default: %(default)s")
    parser.add_argument("--cases", default=",".join(CASES), metavar="NAME,…",
                        help="only these (default: all)")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "table-scans.json",
                        metavar="FILE", help="default: bench/.work/table-scans.json")
    given = parser.parse_args()
    given.formats = given.formats.split(",")
    given.cases = given.cases.split(",")
    if given.rounds < 1 or not set(given.formats) <= set(KINDS) or not set(given.cases) <= set(CASES):
        parser.error("need a round, formats of %s and cases of %s" % (", ".join(KINDS), ", ".join(CASES)))
    return given


def catalog(store, name):
    settings = {
        CATALOG: "org.apache.iceberg.spark.SparkCatalog",
        CATALOG + ".type": "hadoop",
        CATALOG + ".warehouse": "s3a://%s/iceberg" % store.bucket,
    }
    if name != FILE_IO:
        return settings
    return {
        **settings,
        CATALOG + ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        CATALOG + ".client.region": "us-east-1",
        CATALOG + ".s3.endpoint": store.endpoint,
        CATALOG + ".s3.path-style-access": "true",
        CATALOG + ".s3.access-key-id": store.access_key,
        CATALOG + ".s3.secret-access-key": store.secret_key,
    }


def session(given, store, python, ours, s3a, kind, name, job):
    jars = [*variants.class_path(name, ours, s3a), *tableformats.jars(kind)]
    if name == FILE_IO:
        jars.append(harness.fetched("formats", tableformats.S3_FILE_IO))
    job = {"endpoint": store.endpoint, "bucket": store.bucket, "kind": kind, "files": given.files,
           "rows": given.rows, "many": given.many, **job}
    return harness.run_spark(
        python, "table_scans.py", [json.dumps(job)], store, jars,
        {"spark.master": "local[%d]" % given.slots, **VARIANTS[name][1],
         **tableformats.FORMATS[kind]["settings"],
         **(catalog(store, name) if kind == "iceberg" else {})},
        "%s-%s" % (kind, name), given.timeout)


def one(given, store, python, ours, s3a, kind, name):
    section = "%s%s%d" % (kind, name, int(time.time() * 1000))
    said = session(given, store, python, ours, s3a, kind, name,
                   {"section": section, "cases": given.cases})
    logged = harness.sections(store.access_log)
    for case in said:
        requests = logged["%s-%s" % (section, case["case"])]
        case.update(requests=requests.total, operations=dict(requests.operations))
    return {case["case"]: case for case in said}


def check(kind, runs):
    """Wrong content is worse than slow content."""
    for case in CASES:
        found = {json.dumps(r[case]["found"]) for mine in runs.values() for r in mine if case in r}
        if len(found) > 1:
            raise harness.Problem("%s, %s: not all have read the same: %s" % (kind, case, found))


def case_table(kind, case, runs):
    ours = median([r[case]["seconds"] for r in runs["penstock"]])
    rows = [["%s: %s" % (kind, CASES[case]), "median", "of ours", "CPU", "requests", "all runs"]]
    for name, mine in runs.items():
        ran = [r[case] for r in mine]
        seconds = median([r["seconds"] for r in ran])
        rows.append([
            VARIANTS[name][0], "%.2f s" % seconds, "%.2f" % (seconds / ours),
            "%.1f s" % median([r["cpu"] for r in ran]), number(ran[-1]["requests"]),
            " ".join("%.2f" % r["seconds"] for r in ran)])
    return harness.table(rows)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    runs = {kind: {name: [] for name in KINDS[kind]} for kind in given.formats}

    def make(store):
        for kind in given.formats:
            session(given, store, python, ours, s3a, kind, "penstock", {"make": True})

    with shaped.store(given, ours, make) as store:
        where = "Spark %s, local[%d], %s, latency %s, bandwidth %s a connection" % (
            version, given.slots, store.name, given.latency, given.bandwidth)
        for turn in range(given.rounds):
            for kind, mine in runs.items():
                for name in KINDS[kind][:: 1 if turn % 2 == 0 else -1]:
                    mine[name].append(one(given, store, python, ours, s3a, kind, name))
                    say("  %-8s %-10s %s" % (kind, name, ", ".join(
                        "%s %.2f s" % (case, r["seconds"]) for case, r in mine[name][-1].items())))
    for kind, mine in runs.items():
        check(kind, mine)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(
        {"machine": harness.machine(), "where": where, "runs": runs}, indent=1) + "\n")
    print("\n%d files of %s rows and 21 columns; half as many are written; %s files of 320 KB\n%s\n%s\n" % (
        given.files, number(given.rows), number(given.many), where, harness.machine()))
    for kind, mine in runs.items():
        for case in given.cases:
            print(case_table(kind, case, mine) + "\n")


harness.main(run)
