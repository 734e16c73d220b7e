# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The four steps to the CPU and memory of an executor's pod, on a worker in a control group.

A job runs on a standalone worker whose control group is limited as a pod is. Step 1 measures it
under its CPU limit, step 2 without one, step 3 calculates the request from that, step 4 runs it
with the memory limit that follows and no CPU limit. The first and the last are compared by
'penstock compare', and 'penstock advise' says what it would set from the event log of step 2. Needs
root on Linux.
"""

import json
import subprocess
import threading
import time

import bench
import cgroups
import cluster
import drivers
import harness
from bench import Bench
from harness import number, say

MIB = 1 << 20
BUFFER = 1.15


case = Bench(__doc__, latency="30ms")
case.option("--limit", 0.75, "of step 1", "CPUS")
case.option("--slots", 4, "tasks at once")
case.option("--rows", 600_000, "of a round")
case.option("--rounds", 6)
given = case.parse()


class Peak(threading.Thread):
    """The most memory that a group had."""

    def __init__(self, group):
        super().__init__(daemon=True)
        self.group, self.bytes, self.ends = group, 0, threading.Event()

    def run(self):
        while not self.ends.wait(0.1):
            self.bytes = max(self.bytes, self.group.peak_bytes())


def one(step, cpus, memory_bytes):
    events = harness.made(harness.RUN / "events" / step)
    group = cgroups.Group("penstock-bench-%s" % step)
    with group.made(cpus, memory_bytes), cluster.standalone(
            case.python, 1, given.slots, group.words_before()) as master:
        before, start = group.cpu_seconds(), time.monotonic()
        peak = Peak(group)
        peak.start()
        said, = case.spark("pods.py", {
            "path": "s3a://%s/pods-%s" % (given.bucket, step), "rows": given.rows,
            "rounds": given.rounds}, step, settings={
                "spark.master": master, "spark.executor.memory": "900m",
                "spark.executor.extraClassPath": case.jars / "penstock-spark.jar",
                "spark.eventLog.enabled": "true", "spark.eventLog.dir": events.as_uri(),
                "spark.eventLog.logStageExecutorMetrics": "true",
                "spark.executor.processTreeMetrics.enabled": "true"})
        elapsed = time.monotonic() - start
        peak.ends.set()
        seconds, periods = group.throttled()
        run = {"step": step, "cpus": cpus, "memory": memory_bytes, "elapsed": elapsed,
               "busy": (group.cpu_seconds() - before) / elapsed, "throttled": seconds,
               "periods": periods, "peak": peak.bytes, "log": str(events), **said}
    say("  %-10s %5.1f s, %.2f CPUs busy, threads stopped for %.1f s, at most %s MiB" % (
        step, run["seconds"], run["busy"], seconds, number(peak.bytes // MIB)))
    return run


def penstock(*arguments):
    return subprocess.run(drivers.tool(case.jars, *arguments),
                          capture_output=True, text=True, check=True).stdout


def mebibytes(size):
    return "none" if size is None else "%s MiB" % number(size // MIB)


def run():
    with case.counted_store():
        limited = one("1-limited", given.limit, None)
        free = one("2-free", None, None)
        memory = round(free["peak"] * BUFFER)
        say("  3-set      request %.2f CPUs, no limit; memory %s" % (
            free["busy"], mebibytes(memory)))
        final = one("4-set", None, memory)
    runs = [limited, free, final]
    case.save(runs=runs)
    case.head("%d slots" % given.slots)
    print(bench.columns_of(runs, [
        ("step", lambda run: run["step"]),
        ("CPU limit", lambda run: "none" if run["cpus"] is None else "%.2f" % run["cpus"]),
        ("memory limit", lambda run: mebibytes(run["memory"])),
        ("time", lambda run: "%.1f s" % run["seconds"]),
        ("CPUs busy", lambda run: "%.2f" % run["busy"]),
        ("stopped", lambda run: "%.1f s" % run["throttled"]),
        ("periods", lambda run: "%.0f %%" % (100 * run["periods"])),
        ("peak", lambda run: mebibytes(run["peak"]))]) + "\n")
    print("stopped: time for which threads were stopped by the limit, of all of them; periods: share"
          "\nof the periods of 0.1 s in which that happened.\n")
    print(penstock("compare", limited["log"], final["log"], "--no-cache"))
    print(penstock("advise", free["log"], "--no-cache", "--rule", "cpu-request,executor-memory"))
    same = len({json.dumps(r["found"]) for r in runs}) == 1
    return 0 if same and final["throttled"] == 0 else 1


case.main(run)
