# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How do row groups, file sizes, maxPartitionBytes and the allocation size of Parquet's reads
change the time of a scan, and is what 'penstock advise' recommends among the fast ones?

The same rows are written in layouts of several row groups and files, and three of their eight
columns are read with each setting. The readers are S3A without vectored reads, which is what the
advice on allocation sizes is for (Spark before 4.1), and Penstock, whose reads do not ask for it.
The settings that advise recommends are marked: its formulas with the numbers of this job.
"""

import bench
import harness
import variants
from bench import Bench
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
SETTINGS = {"spark.driver.memory": "%dm" % HEAP_MIB, "spark.sql.files.openCostInBytes": "0"}

case = Bench(__doc__, VARIANTS)
case.shaped_options()
case.option("--megabytes", 512, "of the table", "MIB")
case.numbers("--row-groups", "8,32,128", "of Parquet", "MIB,…")
case.numbers("--file-sizes", "128,512", "of the table's files", "MIB,…")
case.numbers("--partitions", "32,128,512", "maxPartitionBytes", "MIB,…")
case.numbers("--allocations", "8,128", "of Parquet's reads, for S3A", "MIB,…")
case.option("--rounds", 3)
case.goals()
given = case.parse()
LAYOUTS = [(group, size) for size in given.file_sizes for group in given.row_groups
           if group <= size]


def path(layout):
    return "s3a://%s/grid-%d-%d" % (given.bucket, *layout)


def make():
    rows = given.megabytes * MIB // 64  # eight longs each
    case.spark("grid.py", {"do": "write", "rows": rows, "layouts": [
        {"path": path(layout), "row_group": layout[0] * MIB,
         "files": max(1, given.megabytes // layout[1])} for layout in LAYOUTS]}, "make",
        settings=SETTINGS)


def cells(name):
    """(allocation, partition)"""
    allocations = given.allocations if name == "classic" else [ALLOCATION_DEFAULT]
    return [(allocation, partition) for allocation in allocations for partition in given.partitions]


def one(name, layout):
    """{allocation-partition: what was read and how fast}"""
    stamp = "%s-%d-%d" % (name, *layout)
    return case.counted("grid.py", {"do": "read", "path": path(layout), "cells": [
        {"case": "%d-%d" % cell, "allocation": cell[0] * MIB, "partition": cell[1] * MIB}
        for cell in cells(name)]}, name, SETTINGS, name=stamp)


def measure():
    """{(variant, layout, allocation, partition): runs}"""
    runs = {}
    for turn in range(given.rounds):
        for layout in LAYOUTS:
            say("  round %d, row groups %d, files %d" % (turn + 1, *layout))
            for name, (found,) in case.rounds(1, lambda name: one(name, layout),
                                              is_turned=turn % 2 == 1).items():
                for a, p in cells(name):
                    runs.setdefault((name, *layout, a, p), []).append(found["%d-%d" % (a, p)])
    return runs


def advised(name, layout):
    """What advise's rules allocation-size and partition-size recommend, or the nearest to it that
    was measured: (allocation, partition)."""
    group = layout[0]
    share = max(given.megabytes / (TASKS_A_CORE * given.slots),
                min(PARTITION_DEFAULT, given.megabytes / given.slots))
    partition = min(max(PARTITION_DEFAULT, group), ROW_GROUP_MOST, max(share, group))
    allocation = min(ALLOCATION_BEST, PARTITION_DEFAULT)
    while allocation > ALLOCATION_DEFAULT and allocation * given.slots > HEAP_MIB * BUFFER_SHARE:
        allocation //= 2
    return (nearest(given.allocations, allocation) if name == "classic" else ALLOCATION_DEFAULT,
            nearest(given.partitions, partition))


def nearest(sizes, wanted):
    return min(sizes, key=lambda size: abs(size - wanted))


def table(runs, name):
    lines = [["row groups", "files", "allocation",
              *("%d MiB a task" % size for size in given.partitions)]]
    for layout in LAYOUTS:
        for a in sorted({a for a, _ in cells(name)}):
            row = ["%d MiB" % size for size in (*layout, a)]
            for p in given.partitions:
                ran = runs[name, *layout, a, p]
                row.append("%s%.2f s %4d" % ("* " if (a, p) == advised(name, layout) else "",
                                             bench.middle(ran), ran[-1]["requests"]))
            lines.append(row)
    return harness.table(lines)


def distances(runs, name):
    """How much slower the advised cell is than the best of its layout."""
    found = []
    for layout in LAYOUTS:
        times = {cell: bench.middle(runs[name, *layout, *cell]) for cell in cells(name)}
        found.append(times[advised(name, layout)] / min(times.values()))
    return found


def run():
    with case.shaped_store(make):
        runs = measure()
    bench.check_same({cell: [{"grid": run} for run in ran] for cell, ran in runs.items()})
    case.save(runs=[{"cell": cell, "runs": ran} for cell, ran in runs.items()])
    case.head("3 of 8 columns of %d MiB, medians of %d rounds, seconds and requests" % (
        given.megabytes, given.rounds))
    reached = True
    for name in given.variants:
        far = distances(runs, name)
        reached &= median(far) <= 1.15
        print("%s\n%s\n" % (case.title(name), table(runs, name)))
        print("*: what advise recommends. Over the best cell of its layout: %s\n" % (
            ", ".join("%.2f" % value for value in far)))
    return harness.goal(
        given, "what is advised takes at most 1.15 times the best of its layout, median", reached)


case.main(run)
