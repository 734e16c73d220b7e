# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How do row groups, file sizes, maxPartitionBytes and the allocation size of Parquet's reads change
the time of a scan, and is what 'penstock advise' recommends among the fast ones?

The same rows are written in layouts of several row groups and files, and three of their eight
columns are read with each setting. The readers are S3A without vectored reads, which is what the
advice on allocation sizes is for (Spark before 4.1), and Penstock, whose reads do not ask for it.
The settings that advise recommends are marked: its formulas with the numbers of this job.
"""

import json
import pathlib
import time

import harness
import shaped
import variants
from harness import median, say

MIB = 1 << 20
VARIANTS = {
    "classic": ("S3A, not vectored", {
        **variants.ALL["classic"][1], "spark.hadoop.parquet.hadoop.vectored.io.enabled": "false"}),
    "penstock": variants.ALL["penstock"],
}
ALLOCATION_DEFAULT = 8
# As Limits in tools/analyze has them.
ALLOCATION_BEST, PARTITION_DEFAULT, ROW_GROUP_MOST = 128, 128, 512
BUFFER_SHARE, TASKS_A_CORE = 0.25, 3
HEAP_MIB = 2048


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    shaped.options(parser)
    parser.add_argument("--megabytes", type=int, default=512, metavar="MIB",
                        help="of the table (default: %(default)s)")
    for name, usual, what in (("row-groups", "8,32,128", "of Parquet"),
                              ("file-sizes", "128,512", "of the table's files"),
                              ("partitions", "32,128,512", "maxPartitionBytes"),
                              ("allocations", "8,128", "of Parquet's reads, for S3A")):
        parser.add_argument("--" + name, default=usual, metavar="MIB,…",
                            help="%s (default: %%(default)s)" % what)
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--only", default=",".join(VARIANTS), metavar="NAME,…",
                        help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "read-grid.json",
                        metavar="FILE", help="default: bench/.work/read-grid.json")
    harness.goal_options(parser)
    given = parser.parse_args()
    given.variants = given.only.split(",")
    for name in ("row_groups", "file_sizes", "partitions", "allocations"):
        setattr(given, name, [int(size) for size in getattr(given, name).split(",")])
    if not set(given.variants) <= set(VARIANTS) or given.rounds < 1:
        parser.error("need a round, and variants of %s" % ", ".join(VARIANTS))
    return given


def layouts(given):
    return [(group, size) for size in given.file_sizes for group in given.row_groups
            if group <= size]


def path(store, layout):
    return "s3a://%s/grid-%d-%d" % (store.bucket, *layout)


def spark(given, python, job, store, jars, settings, name):
    return harness.run_spark(
        python, "grid.py",
        [json.dumps({"endpoint": store.endpoint, "bucket": store.bucket, **job})], store, jars,
        {"spark.master": "local[%d]" % given.slots, "spark.driver.memory": "%dm" % HEAP_MIB,
         "spark.sql.files.openCostInBytes": "0", **settings}, name, given.timeout)


def make(given, store, ours, python):
    rows = given.megabytes * MIB // 64  # eight longs each
    spark(given, python, {"do": "write", "rows": rows, "layouts": [
        {"path": path(store, layout), "row_group": layout[0] * MIB,
         "files": max(1, given.megabytes // layout[1])} for layout in layouts(given)]},
        store, [ours / "penstock-spark.jar"], variants.PLUGIN, "make")


def cells(given, name):
    """(allocation, partition)"""
    allocations = given.allocations if name == "classic" else [ALLOCATION_DEFAULT]
    return [(allocation, partition) for allocation in allocations for partition in given.partitions]


def measure(given, store, python, ours, s3a):
    runs = {}
    for turn in range(given.rounds):
        for layout in layouts(given):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                stamp = "%s-%d-%d-%d" % (name, *layout, int(time.time()))
                jobs = [{"allocation": a * MIB, "partition": p * MIB,
                         "section": "%s-%d-%d" % (stamp, a, p)} for a, p in cells(given, name)]
                said = spark(given, python, {"do": "read", "path": path(store, layout), "cells": jobs},
                             store, variants.class_path(name, ours, s3a), VARIANTS[name][1], stamp)
                logged = harness.sections(store.access_log)
                for (a, p), cell in zip(cells(given, name), said):
                    cell["requests"] = logged[cell["section"]].total
                    runs.setdefault((name, *layout, a, p), []).append(cell)
                say("  round %d  %-18s row groups %3d, files %3d: %s" % (
                    turn + 1, VARIANTS[name][0], *layout,
                    " ".join("%.1f" % cell["seconds"] for cell in said)))
    return runs


def advised(given, name, layout):
    """What advise's rules allocation-size and partition-size recommend: (allocation, partition)."""
    group = layout[0]
    share = max(given.megabytes / (TASKS_A_CORE * given.slots),
                min(PARTITION_DEFAULT, given.megabytes / given.slots))
    partition = min(max(PARTITION_DEFAULT, group), ROW_GROUP_MOST, max(share, group))
    allocation = min(ALLOCATION_BEST, PARTITION_DEFAULT)
    while allocation > ALLOCATION_DEFAULT and allocation * given.slots > HEAP_MIB * BUFFER_SHARE:
        allocation //= 2
    return allocation if name == "classic" else ALLOCATION_DEFAULT, partition


def nearest(sizes, wanted):
    return min(sizes, key=lambda size: abs(size - wanted))


def table(given, runs, name):
    lines = [["row groups", "files", "allocation",
              *("%d MiB a task" % size for size in given.partitions)]]
    for layout in layouts(given):
        allocation, partition = advised(given, name, layout)
        for a in sorted({a for a, _ in cells(given, name)}):
            row = ["%d MiB" % layout[0], "%d MiB" % layout[1], "%d MiB" % a]
            for p in given.partitions:
                ran = runs[name, *layout, a, p]
                is_advised = (nearest(given.allocations, allocation) == a or name != "classic") and (
                    nearest(given.partitions, partition) == p)
                row.append("%s%.2f s %4d" % ("* " if is_advised else "",
                                             median([r["seconds"] for r in ran]), ran[-1]["requests"]))
            lines.append(row)
    return harness.table(lines)


def distances(given, runs, name):
    """How much slower the advised cell is than the best of its layout."""
    found = []
    for layout in layouts(given):
        allocation, partition = advised(given, name, layout)
        a = nearest(given.allocations, allocation) if name == "classic" else ALLOCATION_DEFAULT
        times = {(b, p): median([r["seconds"] for r in runs[name, *layout, b, p]])
                 for b, p in cells(given, name)}
        found.append(times[a, nearest(given.partitions, partition)] / min(times.values()))
    return found


def check(runs):
    found = {json.dumps(r["found"]) for ran in runs.values() for r in ran}
    if len(found) != 1:
        raise harness.Problem("not all have read the same: %s" % found)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = harness.s3a_jars(version) if "classic" in given.variants else {}
    ours = harness.penstock_jars(given.penstock_jars)
    with shaped.store(given, ours, lambda store: make(given, store, ours, python)) as store:
        where = "Spark %s, local[%d], %s, latency %s, bandwidth %s a connection" % (
            version, given.slots, store.name, given.latency, given.bandwidth)
        runs = measure(given, store, python, ours, s3a)
    check(runs)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"machine": harness.machine(), "where": where, "runs": [
        {"cell": cell, "runs": ran} for cell, ran in runs.items()]}, indent=1) + "\n")
    print("\n3 of 8 columns of %d MiB, medians of %d rounds, seconds and requests\n%s\n%s\n" % (
        given.megabytes, given.rounds, where, harness.machine()))
    reached = True
    for name in given.variants:
        far = distances(given, runs, name)
        reached &= median(far) <= 1.15
        print("%s\n%s\n" % (VARIANTS[name][0], table(given, runs, name)))
        print("*: what advise recommends. Over the best cell of its layout: %s\n" % (
            ", ".join("%.2f" % value for value in far)))
    return harness.goal(given, "what is advised takes at most 1.15 times the best of its layout, median",
                        reached)


harness.main(run)
