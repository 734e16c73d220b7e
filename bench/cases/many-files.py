# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does a table of 100,000 small files cost: writing, listing, discovery, deletion?

One Spark job writes the table through Penstock. Then it is listed through Penstock and through S3A,
each with its defaults. Both must find all files.
"""

import bench
import harness
import variants
from bench import Bench
from harness import number, say

CASES = {
    "recursive": "listFiles, recursive",
    "summary": "getContentSummary",
    "discovery": "Spark finds the partitions",
}
S3_PAGE = 1000

case = Bench(__doc__, variants.some("penstock", "s3a"), latency="40ms", timeout=1800)
case.option("--tasks", 100, "that write; each writes a file into each partition")
case.option("--partitions", 1000)
case.option("--slots", 2, "tasks at once")
case.option("--memory", "2g", "heap of Spark's JVM", "SIZE")
case.option("--rounds", 3)
case.names("--cases", CASES)
case.flag("--assert-budgets", "exit 1 when Penstock makes more requests than it may")
given = case.parse()
files = given.tasks * given.partitions


def measured(variant, cases, name=None):
    """What the session said of each of its cases, with the requests of each."""
    return case.counted(
        "many_files.py", {"cases": cases, "tasks": given.tasks, "partitions": given.partitions},
        variant, {"spark.driver.memory": given.memory}, name=name)


def over_budget(runs, changes):
    found = []
    pages = -(-files // S3_PAGE)
    for ran in runs.get("penstock", []):
        listings = ran["recursive"]["operations"].get("REST.GET.BUCKET", 0)
        # Beside the pages: whether the directory is one.
        if listings > 1.1 * pages + 2:
            found.append("%d listings for %d pages" % (listings, pages))
    # One PUT a file; intent, lease, marker and their clean-up come on top.
    if changes["write"]["requests"] > files * 1.01 + 50:
        found.append("%d requests to write %d files" % (changes["write"]["requests"], files))
    return sorted(set(found))


def run():
    with case.counted_store():
        say("  writing %s files" % number(files))
        changes = measured("penstock", ["write"], "write")
        say("  %.1f s" % changes["write"]["seconds"])
        runs = case.rounds(given.rounds, lambda name: measured(name, given.cases))
        changes.update(measured("penstock", ["delete"], "delete"))
    case.save(changes=changes, runs=runs)
    case.head("%s files in %s partitions" % (number(files), number(given.partitions)))
    print(bench.table_of("Penstock", changes, {
        "time": lambda ran: "%.1f s" % ran["seconds"],
        "requests": lambda ran: number(ran["requests"]),
        "a file": lambda ran: "%.3f" % (ran["requests"] / files),
        "CPU": lambda ran: "%.1f s" % ran["cpu"],
        "heap, peak": lambda ran: harness.megabytes(ran["peak"])}) + "\n")
    for name in given.cases:
        print(case.case_table(CASES[name], runs, name, {
            "median": bench.MEDIAN, "requests": bench.last_of("requests"),
            "listings": bench.operations_of("REST.GET.BUCKET"), "CPU": bench.CPU,
            "heap": lambda runs: harness.megabytes(runs[-1]["heap"]),
            "all runs": bench.ALL_RUNS}) + "\n")
    return case.over_budget(over_budget(runs, changes))


case.main(run)
