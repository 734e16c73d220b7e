# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does the cost of 'penstock analyze' grow in proportion to the logs, on both engines?

Generates access logs of several sizes, gzipped, and runs the real command on each: on this machine
alone (DuckDB), and on a standalone Spark of two workers that reads the same logs from s3:// in
MinIO, through Penstock, and keeps its work there. The tables of both are compared cell by cell.
Then 'penstock compare' on Spark with the two smallest sizes, compared as well; then CloudTrail.

CPU is that of the command on one machine; with Spark that of the whole machine, so with MinIO.
Memory is the largest resident set of the command, and of an executor.
"""

import contextlib
import json
import os
import pathlib
import shutil
import threading

import celldiff
import cluster
import harness
import variants
from bench import Bench
from harness import number, say

# How much dearer a further request of the largest log may be than one of the smallest.
LINEAR = 1.3
SHOWN = 10


case = Bench(__doc__)
case.option("--requests", "3M,10M,30M", "of the logs, ascending", "N,…")
case.option("--cluster-requests", "3M,10M", "those to be read on Spark too", "N,…")
case.option("--trail-requests", 3_500_000, "in the CloudTrail files; 0 for none", least=0)
case.flag("--no-compare", "do not compare the two smallest sizes on Spark")
case.option("--executor-memory", "1g", "of each worker and executor", "SIZE")
case.goals()
given = case.parse()
given.requests = given.requests.split(",")
given.cluster_requests = [text for text in given.cluster_requests.split(",") if text]
if not set(given.cluster_requests) <= set(given.requests):
    case.error("--cluster-requests takes sizes of --requests")


def run(arguments, environment=None):
    return harness.timed([harness.HOME / "penstock", *arguments], environment)


def generate(requests, kind="access-log", seed=1):
    target = harness.RUN / ("logs-%s-%s" % (kind, requests))
    say("  generating %s requests" % requests)
    packing = ["--gzip"] if kind == "access-log" else []
    run(["logs", "generate", target, "--requests", requests, "--format", kind, "--seed", seed,
         *packing])
    return target


def machine_cpu():
    """CPU seconds that this machine has spent for programs and for itself."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()
    user, nice, system = map(int, fields[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


class Memory(threading.Thread):
    """The largest resident set of an executor, looked at each second."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak, self.executors, self.ended = 0, set(), threading.Event()

    def run(self):
        while not self.ended.wait(1):
            for status in pathlib.Path("/proc").glob("[0-9]*/status"):
                try:
                    command = (status.parent / "cmdline").read_bytes()
                    if b"CoarseGrainedExecutorBackend" in command and b"java\0" in command:
                        high = next(line for line in status.read_text().splitlines()
                                    if line.startswith("VmHWM"))
                        self.peak = max(self.peak, int(high.split()[1]) * 1024)
                        self.executors.add(status.parent.name)
                except (OSError, StopIteration):
                    pass  # it ended meanwhile


class Spark:
    """The command on a standalone Spark of two workers, with logs and work in S3."""

    def __init__(self, store, master):
        self.store, self.master = store, master

    def run(self, *arguments):
        keys = {"spark.hadoop.fs.s3a.access.key": self.store.access_key,
                "spark.hadoop.fs.s3a.secret.key": self.store.secret_key}
        ours = {"spark.jars": case.jars / "penstock-spark.jar", **variants.PLUGIN,
                "spark.executor.memory": given.executor_memory,
                "spark.hadoop.fs.s3a.endpoint": self.store.endpoint,
                "spark.hadoop.fs.s3a.path.style.access": "true", **keys}
        options = ["--engine", "spark", "--spark-home", cluster.spark_home(case.python),
                   "--master", self.master, "--work-dir", "s3a://%s/work" % given.bucket,
                   "--endpoint", self.store.endpoint]
        for name, value in ours.items():
            options += ["--spark-conf", "%s=%s" % (name, value)]
        for name, value in keys.items():
            options += ["--conf", "%s=%s" % (name, value)]
        memory, cpu = Memory(), machine_cpu()
        memory.start()
        try:
            done = run([*arguments, *options],
                       {"AWS_ACCESS_KEY_ID": self.store.access_key,
                        "AWS_SECRET_ACCESS_KEY": self.store.secret_key})
        finally:
            memory.ended.set()
        return {**done, "cpu": machine_cpu() - cpu, "peak": memory.peak,
                "executors": len(memory.executors)}

    def upload(self, directory, target):
        case.spark("upload.py", {"from": str(directory), "to": "s3a://%s/%s" % (
            given.bucket, target)}, "upload", store=self.store, timeout=3600)


@contextlib.contextmanager
def s3():
    """The server itself: a counter before it would take part of the processors."""
    if given.server == "embedded":
        with harness.counted_store(given, case.jars) as store:
            yield store
        return
    with harness.server(given) as server:
        yield harness.Store(server.name, server.upstream, given.bucket, server.access_key,
                            server.secret_key, None)


def tables(printed):
    """Without the files: their names say on which side they were read."""
    found = {table["name"]: table["rows"] for table in json.loads(printed)}
    found.pop("files", None)
    return found


def differ(one, two):
    found = list(celldiff.differences(one, two))
    for line in found[:SHOWN]:
        say("    " + line)
    return len(found)


def at_size(spark, requests, result):
    # Another seed for each size: compare has something to say.
    logs = generate(requests, seed=len(result["sizes"]) + 1)
    say("  on this machine")
    duck = run(["analyze", logs / "access-log", "--no-cache", "--tables", "--format", "json"])
    row = {"requests": requests, "duckdb": {k: duck[k] for k in ("seconds", "cpu", "peak")}}
    found = tables(duck["printed"])
    row["count"] = found["summary"][0]["requests"]
    result["sizes"].append(row)
    if requests in given.cluster_requests:
        say("  to S3")
        spark.upload(logs / "access-log", requests)
        say("  on Spark")
        done = spark.run("analyze", "s3://%s/%s/" % (given.bucket, requests), "--tables",
                         "--format", "json")
        row["spark"] = {k: done[k] for k in ("seconds", "cpu", "peak", "executors")}
        theirs = tables(done["printed"])
        row["cells"], row["differ"] = celldiff.cells(found), differ(found, theirs)
    return logs


def compare(spark, logs, result):
    one, two = given.cluster_requests[:2]
    say("  compare on Spark")
    ours = run(["compare", logs[one] / "access-log", logs[two] / "access-log", "--no-cache",
                "--format", "json"])
    theirs = spark.run("compare", "s3://%s/%s/" % (given.bucket, one),
                       "s3://%s/%s/" % (given.bucket, two), "--format", "json")
    result["compare"] = {"seconds": theirs["seconds"], "cpu": theirs["cpu"], "peak": theirs["peak"],
                         "differ": differ(tables(ours["printed"]), tables(theirs["printed"]))}


def trail(result):
    logs = generate(given.trail_requests, "cloudtrail")
    unpacked = harness.unpacked_bytes(logs)
    done = run(["analyze", logs, "--no-cache", "--tables", "summary", "--format", "json"])
    count = tables(done["printed"])["summary"][0]["requests"]
    result["trail"] = {"bytes": unpacked, "requests": count, "seconds": done["seconds"],
                       "cpu": done["cpu"], "peak": done["peak"]}
    shutil.rmtree(logs)


def a_million(row, engine, before=None):
    """CPU seconds for a million requests: of those beyond a smaller log, if one is given."""
    cpu, count = row[engine]["cpu"], row["count"]
    if before:
        cpu, count = cpu - before[engine]["cpu"], count - before["count"]
    return cpu / (count / 1e6)


def tell(result):
    rows = [("requests", "engine", "s", "CPU s", "a million", "memory", "cells", "differ")]
    for row in result["sizes"]:
        for engine in ("duckdb", "spark"):
            if engine in row:
                mine = row[engine]
                rows.append((number(row["count"]), engine, "%.1f" % mine["seconds"],
                             "%.1f" % mine["cpu"], "%.2f" % a_million(row, engine),
                             harness.megabytes(mine["peak"]),
                             number(row["cells"]) if engine == "spark" else "",
                             str(row["differ"]) if engine == "spark" else ""))
    print()
    print(harness.table(rows))
    code = 0
    for engine in ("duckdb", "spark"):
        rows = [row for row in result["sizes"] if engine in row]
        steps = [a_million(row, engine, before) for before, row in zip(rows, rows[1:])]
        for before, row, step in zip(rows, rows[1:], steps):
            print("%s: a million requests more, from %s to %s: %.2f CPU s." % (
                engine, before["requests"], row["requests"], step))
        if len(steps) > 1:
            code |= harness.goal(given, "the cost of %s grows in proportion" % engine,
                                 steps[-1] <= LINEAR * steps[0])
    wrong = sum(row.get("differ", 0) for row in result["sizes"])
    if "compare" in result:
        mine = result["compare"]
        wrong += mine["differ"]
        print("compare on Spark: %.0f s, %.0f CPU s, %d cells differ." % (
            mine["seconds"], mine["cpu"], mine["differ"]))
    if "trail" in result:
        mine = result["trail"]
        print("CloudTrail: %s of JSON, %s requests in %.1f s, %.1f CPU s (%.0f MB/s each), %s." % (
            harness.megabytes(mine["bytes"]), number(mine["requests"]), mine["seconds"],
            mine["cpu"], mine["bytes"] / mine["cpu"] / 1e6, harness.megabytes(mine["peak"])))
    return 1 if wrong else code


def measure(result):
    logs, is_compared = {}, not given.no_compare and len(given.cluster_requests) > 1
    with s3() as store, cluster.standalone(
            case.python, 2, 1, memory=given.executor_memory) as master:
        case.told_where(store, "standalone, 2 workers with 1 core each")
        spark = Spark(store, master)
        for requests in given.requests:
            say("%s requests" % requests)
            logs[requests] = at_size(spark, requests, result)
            case.save(**result)
            if not is_compared or requests not in given.cluster_requests[:2]:
                shutil.rmtree(logs.pop(requests))
        if is_compared:
            compare(spark, logs, result)
    for left in logs.values():
        shutil.rmtree(left)
    if given.trail_requests:
        say("CloudTrail")
        trail(result)
    case.save(**result)


def main():
    case.prepare()
    harness.made(harness.RUN)
    result = {"sizes": []}
    measure(result)
    case.head("")
    return tell(result)


case.main(main)
