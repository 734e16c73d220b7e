# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The four steps to the CPU and memory of an executor's pod, on a worker in a control group.

A job runs on a standalone worker whose control group is limited as a pod is. Step 1 measures it under
its CPU limit, step 2 without one, step 3 calculates the request from that, step 4 runs it with the
memory limit that follows and no CPU limit. The first and the last are compared by 'penstock compare',
and 'penstock advise' says what it would set from the event log of step 2. Needs root on Linux.
"""

import json
import pathlib
import subprocess
import threading
import time

import cgroups
import cluster
import harness
import variants
from harness import number, say

MIB = 1 << 20
BUFFER = 1.15


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.set_defaults(latency="30ms")
    parser.add_argument("--limit", type=float, default=0.75, metavar="CPUS",
                        help="of step 1 (default: %(default)s)")
    parser.add_argument("--slots", type=int, default=4, metavar="N",
                        help="tasks at once (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=600_000, help="of a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=6, metavar="N", help="default: %(default)s")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "pods.json",
                        metavar="FILE", help="default: bench/.work/pods.json")
    return parser.parse_args()


class Peak(threading.Thread):
    """The most memory that a group had."""

    def __init__(self, group):
        super().__init__(daemon=True)
        self.group, self.bytes, self.ends = group, 0, threading.Event()

    def run(self):
        while not self.ends.wait(0.1):
            self.bytes = max(self.bytes, self.group.peak_bytes())


def one(given, store, python, ours, step, cpus, memory_bytes):
    events = harness.RUN / "events" / step
    events.mkdir(parents=True)
    group = cgroups.Group("penstock-bench-%s" % step)
    with group.made(cpus, memory_bytes), cluster.standalone(
            python, 1, given.slots, group.words_before()) as master:
        before, start = group.cpu_seconds(), time.monotonic()
        peak = Peak(group)
        peak.start()
        said, = harness.run_spark(
            python, "pods.py", ["s3a://%s/pods-%s" % (store.bucket, step), str(given.rows),
                                str(given.rounds)], store, [ours / "penstock-spark.jar"],
            {**variants.PLUGIN, "spark.master": master, "spark.executor.memory": "900m",
             "spark.executor.extraClassPath": ours / "penstock-spark.jar",
             "spark.eventLog.enabled": "true", "spark.eventLog.dir": events.as_uri(),
             "spark.eventLog.logStageExecutorMetrics": "true",
             "spark.executor.processTreeMetrics.enabled": "true"}, step, given.timeout)
        elapsed = time.monotonic() - start
        peak.ends.set()
        seconds, periods = group.throttled()
        run = {"step": step, "cpus": cpus, "memory": memory_bytes, "elapsed": elapsed,
               "busy": (group.cpu_seconds() - before) / elapsed, "throttled": seconds,
               "periods": periods, "peak": peak.bytes, "log": str(events), **said}
    say("  %-10s %5.1f s, %.2f CPUs busy, threads stopped for %.1f s, at most %s MiB" % (
        step, run["seconds"], run["busy"], seconds, number(peak.bytes // MIB)))
    return run


def penstock(ours, *arguments):
    return subprocess.run([harness.java(), "-jar", str(ours / "penstock-cli.jar"), *arguments],
                          capture_output=True, text=True, check=True).stdout


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    harness.spark_version(python)
    ours = harness.penstock_jars(given.penstock_jars)
    with harness.counted_store(given, ours) as store:
        limited = one(given, store, python, ours, "1-limited", given.limit, None)
        free = one(given, store, python, ours, "2-free", None, None)
        memory = round(free["peak"] * BUFFER)
        say("  3-set      request %.2f CPUs, no limit; memory %s MiB" % (
            free["busy"], number(memory // MIB)))
        final = one(given, store, python, ours, "4-set", None, memory)
    runs = [limited, free, final]
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"machine": harness.machine(), "runs": runs}, indent=1) + "\n")
    lines = [["step", "CPU limit", "memory limit", "time", "CPUs busy", "stopped", "periods", "peak"]]
    for r in runs:
        lines.append([
            r["step"], "none" if r["cpus"] is None else "%.2f" % r["cpus"],
            "none" if r["memory"] is None else "%s MiB" % number(r["memory"] // MIB),
            "%.1f s" % r["seconds"], "%.2f" % r["busy"], "%.1f s" % r["throttled"],
            "%.0f %%" % (100 * r["periods"]), "%s MiB" % number(r["peak"] // MIB)])
    print("\n%d slots, %s\n\n%s\n" % (given.slots, harness.machine(), harness.table(lines)))
    print("stopped: time for which threads were stopped by the limit, of all of them; periods: share"
          "\nof the periods of 0.1 s in which that happened.\n")
    print(penstock(ours, "compare", limited["log"], final["log"], "--no-cache"))
    print(penstock(ours, "advise", free["log"], "--no-cache", "--rule", "cpu-request,executor-memory"))
    same = len({json.dumps(r["found"]) for r in runs}) == 1
    return 0 if same and final["throttled"] == 0 else 1


harness.main(run)
