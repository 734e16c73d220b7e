# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the commit of a huge job cost its driver?

A job of so many files commits through the engine of production to a store in the same process that
keeps nothing and throttles above a limit, as a partition of S3 does. Measured are the heap in the
middle of the commit, with the messages of all tasks in it, which hold the content of inline files
of 256 bytes; the CPU time a file; which share of the limit is used; and the CPU time of a rollback,
from the refusal of the last file on.
"""

import json
import os
import pathlib
import subprocess

import harness
from harness import Problem, number, say

HEAP_GOAL, RATE_GOAL, ROLLBACK_GOAL_SECONDS, LINEAR_GOAL = 200, 0.9, 1.0, 1.25
ROLLBACK_FILES = 40_000


def options():
    parser = harness.parser(__doc__)
    parser.add_argument("--files", default="75000,150000,300000,600000", metavar="N,…",
                        help="default: %(default)s")
    parser.add_argument("--rollback-files", type=int, default=ROLLBACK_FILES, metavar="N",
                        help="default: %(default)s")
    parser.add_argument("--limit", type=int, default=3500, metavar="N",
                        help="requests a second that the store serves (default: %(default)s)")
    parser.add_argument("--latency", type=int, default=0, metavar="MS",
                        help="of each request that makes a file visible (default: %(default)s)")
    parser.add_argument("--heap", default="2g", metavar="SIZE",
                        help="of the JVM at most (default: %(default)s)")
    harness.goal_options(parser)
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "commit-scale.json",
                        metavar="FILE",
                        help="where the results go (default: bench/.work/commit-scale.json)")
    given = parser.parse_args()
    given.files = [int(text) for text in given.files.split(",")]
    if min(given.files + [given.rollback_files]) < 100 or given.limit < 100:
        parser.error("need 100 files and 100 requests a second at least")
    return given


def commit(given, what, files, limit):
    say("  %s of %s files" % (what, number(files)))
    class_path = harness.BENCH / "target" / "bench.classpath"
    if not class_path.is_file():
        raise Problem("no %s; run ./mvnw -DskipTests package" % class_path)
    command = [harness.java(), "-Xmx" + given.heap, "-cp",
               os.pathsep.join([str(harness.BENCH / "target" / "classes"),
                                class_path.read_text().strip()]),
               "io.penstock.bench.CommitScale", what, str(files), str(limit), str(given.latency)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Problem("the commit of %d files failed:\n%s" % (files, done.stderr[-3000:]))
    return json.loads(done.stdout)


def run():
    given = options()
    appends = [commit(given, "append", files, given.limit) for files in given.files]
    inlines = [commit(given, "inline", files, given.limit) for files in given.files[-2:]]
    overwrite = commit(given, "overwrite", given.files[-1], given.limit)
    rollback = commit(given, "rollback", given.rollback_files, 10 ** 9)
    rows = [["", "files", "heap a file", "key", "without key", "CPU a file", "rate", "of limit"]]
    for each in appends + inlines + [overwrite, rollback]:
        is_rollback = each is rollback
        rows.append([each["what"], number(each["files"]), "%.0f B" % each["heapBytes"],
                     "%.0f B" % each["keyBytes"], "%.0f B" % (each["heapBytes"] - each["keyBytes"]),
                     "%.0f µs" % each["cpuMicros"], number(round(each["rate"])),
                     "" if is_rollback else "%.1f %%" % (100 * each["rate"] / given.limit)])
    print("\nThe commit of a job, and its driver's heap and CPU time\n%s; at most %s requests/s\n\n%s"
          % (harness.machine(), number(given.limit), harness.table(rows)))
    print("Rollback of %s files: %.2f s of CPU from the refusal of the last Complete to the end.\n"
          % (number(rollback["files"]), rollback["endCpuSeconds"]))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(
        {"machine": harness.machine(), "runs": appends + inlines + [overwrite, rollback]}, indent=1) + "\n")
    largest = appends[-1]
    growth = largest["cpuMicros"] / appends[0]["cpuMicros"]
    goals = [
        ("less than %d bytes and the key of heap a file, and it is %.0f"
         % (HEAP_GOAL, largest["heapBytes"] - largest["keyBytes"]),
         largest["heapBytes"] - largest["keyBytes"] < HEAP_GOAL),
        ("at least %.0f %% of the limit used, and it is %.1f"
         % (100 * RATE_GOAL, 100 * largest["rate"] / given.limit),
         largest["rate"] / given.limit >= RATE_GOAL),
        ("the same with inline files, and it is %.1f %%" % (100 * inlines[-1]["rate"] / given.limit),
         inlines[-1]["rate"] / given.limit >= RATE_GOAL),
        ("CPU a file as for the smallest job (at most %.2f times), and it is %.2f times"
         % (LINEAR_GOAL, growth), growth <= LINEAR_GOAL),
        ("a rollback of %s files in less than %.0f s of CPU, and it is %.2f s"
         % (number(rollback["files"]), ROLLBACK_GOAL_SECONDS, rollback["endCpuSeconds"]),
         rollback["endCpuSeconds"] < ROLLBACK_GOAL_SECONDS)]
    return max(harness.goal(given, *each) for each in goals)


harness.main(run)
