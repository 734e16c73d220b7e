# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast does Spark read?

The same files, which Penstock has written, are read by Penstock and by S3A with its two streams, all
with their defaults, in turn, on the same server. Each session warms up with other files of the same
kind, and then reads each case once. All must find the same content.
"""

import contextlib
import json
import pathlib
import subprocess
import sys
import time

import harness
import shaped
import variants
from harness import median, number, say

VARIANTS = variants.some("penstock", "classic", "analytics")
# name -> title
CASES = {
    "three": "3 of 21 columns",
    "eleven": "11 of 21 columns",
    "all": "all 21 columns",
    "groups": "the same, row groups of 16 MB",
    "stream": "one file in sequence",
    "text": "lines of one file, one task",
    "small": "small files",
    "medium": "one column of up to 200 files of 320 KB",
}


def options():
    parser = harness.parser(__doc__, "cases:\n" + "\n".join(
        "  %-8s %s" % item for item in CASES.items()))
    harness.common_options(parser)
    shaped.options(parser)
    parser.add_argument("--files", type=int, default=8, metavar="N",
                        help="with 21 columns (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=500_000, metavar="N",
                        help="of each of them (default: %(default)s)")
    parser.add_argument("--megabytes", type=int, default=1024, metavar="MIB",
                        help="of the file that is read in sequence (default: %(default)s)")
    parser.add_argument("--small", type=int, default=500, metavar="N",
                        help="number of small files (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--busy", type=int, default=0, metavar="N",
                        help="busy loops beside the job, which take most of the cores"
                             " (default: %(default)s)")
    parser.add_argument("--cases", default=",".join(CASES), metavar="NAME,…",
                        help="only these (default: all)")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE",
                        help="a setting of Spark for all; may be repeated")
    parser.add_argument("--assert-budgets", action="store_true",
                        help="exit 1 when Penstock sends a HEAD, or more than one request for a"
                             " small file")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "reads.json",
                        metavar="FILE", help="default: bench/.work/reads.json")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    given.cases = given.cases.split(",")
    if given.rounds < 1 or not set(given.variants) <= set(VARIANTS):
        parser.error("need a round, and variants of %s" % ", ".join(VARIANTS))
    if not set(given.cases) <= set(CASES):
        parser.error("cases are %s" % ", ".join(CASES))
    return given


def session(given, store, python, path, settings, name, job):
    job = {"endpoint": store.endpoint, "bucket": store.bucket, **job}
    return harness.run_spark(
        python, "reads.py", [json.dumps(job)], store, path,
        {"spark.master": "local[%d]" % given.slots,
         # One task a file, however large.
         "spark.sql.files.maxPartitionBytes": str(8 << 30),
         "spark.sql.files.openCostInBytes": "0",
         **settings, **dict(pair.split("=", 1) for pair in given.conf)},
        name, given.timeout)


@contextlib.contextmanager
def busy_loops(count):
    # Each in a session of its own, which the kernel gives as much as the whole job.
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
             for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def make(given, store, ours, python):
    session(given, store, python, [ours / "penstock-spark.jar"], VARIANTS["penstock"][1], "make",
            {"make": True, "files": given.files, "rows": given.rows,
             "megabytes": given.megabytes, "small": given.small})


def one(given, store, python, ours, s3a, name):
    section = "%s-%d" % (name, int(time.time() * 1000))
    said = session(given, store, python, variants.class_path(name, ours, s3a), VARIANTS[name][1], name,
                   {"section": section, "cases": given.cases})
    logged = harness.sections(store.access_log)
    for case in said:
        requests = logged["%s-%s" % (section, case["case"])]
        case.update(requests=requests.total, operations=dict(requests.operations))
    return {case["case"]: case for case in said}


def check(runs):
    """Wrong content is worse than slow content."""
    for case in CASES:
        found = {json.dumps(r[case]["found"]) for mine in runs.values() for r in mine if case in r}
        if len(found) > 1:
            raise harness.Problem("case %s: not all have read the same: %s" % (case, found))


def over_budget(given, runs):
    """What Penstock asked for that it should not have."""
    found = []
    for ran in runs.get("penstock", []):
        for case, one in ran.items():
            heads = one["operations"].get("REST.HEAD.OBJECT", 0)
            if heads:
                found.append("%s: %d HEAD" % (case, heads))
        # Beside the files: the listing of the directory, and what finds that it is one.
        if "small" in ran and ran["small"]["requests"] > given.small + 6:
            found.append("small: %d requests for %d files" % (ran["small"]["requests"], given.small))
    return sorted(set(found))


def case_table(case, runs):
    rows = [[CASES[case], "median", "CPU", "requests", "GET", "HEAD", "all runs"]]
    for name, mine in runs.items():
        ran = [r[case] for r in mine]
        kinds = ran[-1]["operations"]
        rows.append([
            VARIANTS[name][0], "%.2f s" % median([r["seconds"] for r in ran]),
            "%.1f s" % median([r["cpu"] for r in ran]),
            number(ran[-1]["requests"]), number(kinds.get("REST.GET.OBJECT", 0)),
            number(kinds.get("REST.HEAD.OBJECT", 0)),
            " ".join("%.2f" % r["seconds"] for r in ran)])
    return harness.table(rows)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    runs = {name: [] for name in given.variants}
    with shaped.store(given, ours, lambda store: make(given, store, ours, python)) as store:
        where = "Spark %s, local[%d], %s, latency %s, bandwidth %s a connection%s" % (
            version, given.slots, store.name, given.latency, given.bandwidth,
            ", %d busy loops beside" % given.busy if given.busy else "")
        for turn in range(given.rounds):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                with busy_loops(given.busy):
                    runs[name].append(one(given, store, python, ours, s3a, name))
                say("  %-10s %s" % (name, ", ".join(
                    "%s %.2f s" % (case, r["seconds"]) for case, r in runs[name][-1].items())))
    check(runs)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(
        {"machine": harness.machine(), "where": where, "runs": runs}, indent=1) + "\n")
    print("\n%d files of %s rows and 21 columns; a file of %s MiB; %s small files\n%s\n%s\n" % (
        given.files, number(given.rows), number(given.megabytes), number(given.small), where,
        harness.machine()))
    for case in given.cases:
        print(case_table(case, runs) + "\n")
    broken = over_budget(given, runs) if given.assert_budgets else []
    for line in broken:
        say("over budget: " + line)
    return 1 if broken else 0


harness.main(run)
