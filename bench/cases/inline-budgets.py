# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How large may a file be that the driver writes, and how much of them does a driver's heap hold?

Each task writes one file. It goes to the driver in the task's message, or it is uploaded by the
task. The first table has the times of both ways by the size of the files; the second shows with
how much content in all messages of a job a driver of a small heap still commits. The executors are
processes of their own, so that the messages travel through sockets.
"""

import bench
import cluster
import harness
from bench import Bench
from harness import number, say

INLINE = "spark.hadoop.penstock.commit.inline."
UNBOUNDED = {
    INLINE + "file.max": "64m",
    "spark.task.maxDirectResultSize": "96m",
    "spark.driver.maxResultSize": "0",
}
UPLOADS = {INLINE + "file.max": "0"}
WORKERS = 2
CORES = 4


case = Bench(__doc__)
case.shaped_options("60M")
case.numbers("--sizes", "16,64,256,768,2048", "of a file", "KIB,…")
case.option("--files", 64)
case.option("--jobs", 5, "measured in each Spark, after one that is not")
case.option("--heaps", "512m,1g", "of the driver; empty for none", "SIZE,…")
case.numbers("--contents", "64,128,192,256", "of a job, in files of 1 MiB; Penstock sends at most"
             " 256 MiB so", "MIB,…")
case.parser.set_defaults(latency="30ms")
given = case.parse()


def measured(master, name, files, size, jobs, settings, environment=None):
    """Returns what the jobs took, and their requests."""
    section = bench.section_name(name)
    said, = case.spark("lines.py", {
        "section": section, "files": files, "lines": 1, "width": size, "jobs": jobs}, name,
        settings={"spark.master": master, "spark.executor.memory": "1g",
                  "spark.executor.extraClassPath": case.jars / "penstock-spark.jar", **settings},
        environment=environment)
    return said["seconds"], case.requests(section)


def by_size(master):
    found = {}
    for kib in given.sizes:
        ran = {}
        for way, settings in (("inline", UNBOUNDED), ("uploads", UPLOADS)):
            seconds, requests = measured(master, "%s-%d" % (way, kib), given.files, kib << 10,
                                         given.jobs, settings)
            ran[way] = (harness.median(seconds), requests.total / given.files / len(seconds))
            say("  %6d KiB  %-8s  %.2f s, %.2f requests a file" % (kib, way, *ran[way]))
        found["%s KiB" % number(kib)] = ran
    case.save(sizes=found)
    return bench.table_of("size of a file", found, {
        "inline": lambda ran: "%.2f s" % ran["inline"][0],
        "uploads": lambda ran: "%.2f s" % ran["uploads"][0],
        "ratio": lambda ran: "%.2f" % (ran["inline"][0] / ran["uploads"][0]),
        "requests a file": lambda ran: "%.2f" % ran["inline"][1],
        "": lambda ran: "%.2f" % ran["uploads"][1]})


def outcome(master, heap, content):
    name = "heap-%s-%d" % (heap, content)
    try:
        # Penstock keeps to a part of the heap that Spark is set to; so the JVM is told of less.
        _, requests = measured(
            master, name, content, 1 << 20, 1, {**UNBOUNDED, "spark.driver.memory": "64g"},
            {"_JAVA_OPTIONS": "-Xmx%s -XX:+ExitOnOutOfMemoryError" % heap})
        found = "commits" if requests.total < 2 * content else "uploads"
    except harness.TooSlow:
        found = "too slow"
    except harness.Problem:
        log = (harness.LOGS / (name + ".log")).read_text(errors="replace")
        found = "no heap" if "OutOfMemoryError" in log else "fails"
    say("  heap %-5s %4d MiB of content: %s" % (heap, content, found))
    return found


def by_heap(master, heaps):
    rows = {heap: {content: outcome(master, heap, content) for content in given.contents}
            for heap in heaps}
    return bench.table_of("driver's heap", rows, {
        "%d MiB" % content: lambda row, content=content: row[content]
        for content in given.contents})


def run():
    heaps = [heap for heap in given.heaps.split(",") if heap]
    with case.counted_store(*case.shape) as store, \
            cluster.standalone(case.python, WORKERS, CORES) as master:
        case.told_where(store, "%d executors of %d cores" % (WORKERS, CORES))
        say(case.where)
        tables = ["%d files, one a task; medians of %d jobs\n\n%s" % (
            given.files, given.jobs, by_size(master))]
        if heaps:
            tables.append("Content in the messages of one job\n\n" + by_heap(master, heaps))
    case.head("")
    print("\n\n".join(tables))
    return 0


case.main(run)
