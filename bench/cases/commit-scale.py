# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the commit of a huge job cost its driver?

A job of so many files commits through the engine of production to a store in the same process that
keeps nothing and throttles above a limit, as a partition of S3 does. Measured are the heap in the
middle of the commit, with the messages of all tasks in it, which hold the content of inline files
of 256 bytes; the CPU time a file; which share of the limit is used; and the CPU time of a rollback,
from the refusal of the last file on.
"""

import json
import subprocess

import harness
from bench import Bench
from harness import Problem, number, say

HEAP_GOAL, RATE_GOAL, ROLLBACK_GOAL_SECONDS, LINEAR_GOAL = 200, 0.9, 1.0, 1.25

case = Bench(__doc__, has_store=False)
case.numbers("--files", "75000,150000,300000,600000", "of each job, ascending")
case.option("--rollback-files", 40_000, least=100)
case.option("--limit", 3500, "requests a second that the store serves", least=100)
case.option("--latency", 0, "of each request that makes a file visible", "MS")
case.option("--heap", "2g", "of the JVM at most", "SIZE")
case.goals()
given = case.parse()
if min(given.files) < 100:
    case.error("need 100 files at least")


def commit(what, files, limit):
    say("  %s of %s files" % (what, number(files)))
    done = subprocess.run(harness.bench_java(
        "io.penstock.bench.CommitScale", what, files, limit, given.latency,
        jvm=["-Xmx" + given.heap]), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Problem("the commit of %d files failed:\n%s" % (files, done.stderr[-3000:]))
    return json.loads(done.stdout)


def run():
    appends = [commit("append", files, given.limit) for files in given.files]
    inlines = [commit("inline", files, given.limit) for files in given.files[-2:]]
    overwrite = commit("overwrite", given.files[-1], given.limit)
    rollback = commit("rollback", given.rollback_files, 10 ** 9)
    runs = appends + inlines + [overwrite, rollback]
    rows = [["", "files", "heap a file", "key", "without key", "CPU a file", "rate", "of limit"]]
    for each in runs:
        rows.append([each["what"], number(each["files"]), "%.0f B" % each["heapBytes"],
                     "%.0f B" % each["keyBytes"], "%.0f B" % (each["heapBytes"] - each["keyBytes"]),
                     "%.0f µs" % each["cpuMicros"], number(round(each["rate"])),
                     "" if each is rollback else "%.1f %%" % (100 * each["rate"] / given.limit)])
    case.head("The commit of a job, and its driver's heap and CPU time; at most %s requests/s"
              % number(given.limit))
    print(harness.table(rows))
    print("Rollback of %s files: %.2f s of CPU from the refusal of the last Complete to the end.\n"
          % (number(rollback["files"]), rollback["endCpuSeconds"]))
    case.save(runs=runs)
    largest = appends[-1]
    heap = largest["heapBytes"] - largest["keyBytes"]
    growth = largest["cpuMicros"] / appends[0]["cpuMicros"]
    rate, inline_rate = (each["rate"] / given.limit for each in (largest, inlines[-1]))
    return max(harness.goal(given, *each) for each in (
        ("less than %d bytes and the key of heap a file, and it is %.0f" % (HEAP_GOAL, heap),
         heap < HEAP_GOAL),
        ("at least %.0f %% of the limit used, and it is %.1f" % (100 * RATE_GOAL, 100 * rate),
         rate >= RATE_GOAL),
        ("the same with inline files, and it is %.1f %%" % (100 * inline_rate),
         inline_rate >= RATE_GOAL),
        ("CPU a file as for the smallest job (at most %.2f times), and it is %.2f times"
         % (LINEAR_GOAL, growth), growth <= LINEAR_GOAL),
        ("a rollback of %s files in less than %.0f s of CPU, and it is %.2f s"
         % (number(rollback["files"]), ROLLBACK_GOAL_SECONDS, rollback["endCpuSeconds"]),
         rollback["endCpuSeconds"] < ROLLBACK_GOAL_SECONDS)))


case.main(run)
