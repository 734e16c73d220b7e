# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does a table of 100,000 small files cost: writing, listing, discovery, deletion?

One Spark job writes the table through Penstock. Then it is listed through Penstock and through S3A,
each with its defaults. Both must find all files.
"""

import json
import pathlib
import time

import harness
import variants
from harness import median, number, say

VARIANTS = variants.some("penstock", "s3a")
CASES = {
    "recursive": "listFiles, recursive",
    "summary": "getContentSummary",
    "discovery": "Spark finds the partitions",
}
S3_PAGE = 1000


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.set_defaults(latency="40ms", timeout=1800)
    parser.add_argument("--tasks", type=int, default=100, metavar="N",
                        help="that write; each writes a file into each partition (default:"
                             " %(default)s)")
    parser.add_argument("--partitions", type=int, default=1000, metavar="N",
                        help="default: %(default)s")
    parser.add_argument("--slots", type=int, default=2, metavar="N",
                        help="tasks at once (default: %(default)s)")
    parser.add_argument("--memory", default="2g", metavar="SIZE",
                        help="heap of Spark's JVM (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--cases", default=",".join(CASES), metavar="NAME,…",
                        help="of %s, only these" % ", ".join(CASES))
    parser.add_argument("--assert-budgets", action="store_true",
                        help="exit 1 when Penstock makes more requests than it may")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "many-files.json",
                        metavar="FILE", help="default: bench/.work/many-files.json")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    given.cases = given.cases.split(",")
    if given.rounds < 1 or not set(given.variants) <= set(VARIANTS):
        parser.error("need a round, and variants of %s" % ", ".join(VARIANTS))
    if not set(given.cases) <= set(CASES):
        parser.error("cases are %s" % ", ".join(CASES))
    given.files = given.tasks * given.partitions
    return given


def session(given, store, python, path, settings, name, job):
    job = {"endpoint": store.endpoint, "bucket": store.bucket, "tasks": given.tasks,
           "partitions": given.partitions, **job}
    return harness.run_spark(
        python, "many_files.py", [json.dumps(job)], store, path,
        {"spark.master": "local[%d]" % given.slots, "spark.driver.memory": given.memory, **settings},
        name, given.timeout)


def measured(given, store, python, path, settings, name, job):
    """What the session said of each of its cases, with the requests of each."""
    section = "%s-%d" % (name, int(time.time() * 1000))
    said = session(given, store, python, path, settings, name, {**job, "section": section})
    logged = harness.sections(store.access_log)
    for case in said:
        requests = logged["%s-%s" % (section, case["case"])]
        case.update(requests=requests.total, operations=dict(requests.operations))
    return {case["case"]: case for case in said}


def case_table(case, runs):
    rows = [[CASES[case], "median", "requests", "listings", "CPU", "heap", "all runs"]]
    for name, mine in runs.items():
        ran = [r[case] for r in mine]
        rows.append([
            VARIANTS[name][0], "%.2f s" % median([r["seconds"] for r in ran]),
            number(ran[-1]["requests"]), number(ran[-1]["operations"].get("REST.GET.BUCKET", 0)),
            "%.1f s" % median([r["cpu"] for r in ran]), harness.megabytes(ran[-1]["heap"]),
            " ".join("%.2f" % r["seconds"] for r in ran)])
    return harness.table(rows)


def changes_table(given, changes):
    rows = [["Penstock", "time", "requests", "a file", "CPU", "heap, peak"]]
    for case in changes.values():
        rows.append([case["case"], "%.1f s" % case["seconds"], number(case["requests"]),
                     "%.3f" % (case["requests"] / given.files), "%.1f s" % case["cpu"],
                     harness.megabytes(case["peak"])])
    return harness.table(rows)


def over_budget(given, runs, changes):
    found = []
    pages = -(-given.files // S3_PAGE)
    for ran in runs.get("penstock", []):
        listings = ran["recursive"]["operations"].get("REST.GET.BUCKET", 0)
        # Beside the pages: whether the directory is one.
        if listings > 1.1 * pages + 2:
            found.append("%d listings for %d pages" % (listings, pages))
    # One PUT a file; intent, lease, marker and their clean-up come on top.
    if changes["write"]["requests"] > given.files * 1.01 + 50:
        found.append("%d requests to write %d files" % (changes["write"]["requests"], given.files))
    return sorted(set(found))


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = harness.s3a_jars(version) if "s3a" in given.variants else {}
    ours = harness.penstock_jars(given.penstock_jars)
    runs = {name: [] for name in given.variants}
    penstock = ([ours / "penstock-spark.jar"], VARIANTS["penstock"][1])
    with harness.counted_store(given, ours) as store:
        say("  writing %s files" % number(given.files))
        changes = measured(given, store, python, *penstock, "write", {"cases": ["write"]})
        say("  %.1f s" % changes["write"]["seconds"])
        for turn in range(given.rounds):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                ran = measured(given, store, python, variants.class_path(name, ours, s3a),
                               VARIANTS[name][1], name, {"cases": given.cases})
                runs[name].append(ran)
                say("  %-17s %s" % (name, ", ".join(
                    "%s %.2f s" % (case, r["seconds"]) for case, r in ran.items())))
        changes.update(measured(given, store, python, *penstock, "delete", {"cases": ["delete"]}))
        where = "Spark %s, local[%d], %s, latency %s" % (
            version, given.slots, store.name, given.latency)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"machine": harness.machine(), "where": where,
                                      "changes": changes, "runs": runs}, indent=1) + "\n")
    print("\n%s files in %s partitions\n%s\n%s\n" % (
        number(given.files), number(given.partitions), where, harness.machine()))
    print(changes_table(given, changes) + "\n")
    for case in given.cases:
        print(case_table(case, runs) + "\n")
    over = over_budget(given, runs, changes) if given.assert_budgets else []
    for text in over:
        say("over budget: " + text)
    return 1 if over else 0


harness.main(run)
