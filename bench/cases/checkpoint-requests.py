# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the checkpoint of a streaming query cost, by batch?

A rate source, groupBy and count, 8 state partitions, and a sink that keeps nothing: all requests
are the checkpoint's. By Penstock, and by S3A with each of its two checkpoint managers, in turn, on
the same server, through the same counting proxy; each run is a Spark and a path of its own. The
first batches, in which classes are loaded and code is compiled, are left out. Other cases have
other state stores, a join of two streams, or a sink of files.
"""

import bench
import harness
import variants
from bench import Bench
from drivers import parse, PROVIDERS
from harness import Problem, median, number, say

MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
# name -> (title, settings)
VARIANTS = {
    "penstock": ("Penstock", variants.PLUGIN),
    "abortable": ("S3A abortable", {
        MANAGER: variants.CLOUD + "AbortableStreamBasedCheckpointFileManager"}),
    "default": ("S3A default", {}),
}
# name -> (title, query, sink, settings)
CASES = {
    "count": ("groupBy and count", "count", "noop", {}),
    "rocksdb": ("groupBy and count, RocksDB", "count", "noop", PROVIDERS["rocksdb"][1]),
    "changelog": ("groupBy and count, RocksDB with changelog", "count", "noop",
                  PROVIDERS["changelog"][1]),
    "join": ("join of two streams", "join", "noop", {}),
    "file": ("windows and count, Parquet sink", "windows", "parquet", {}),
    "map": ("no state", "map", "noop", {}),
    "async": ("no state, asyncProgressTracking", "async", "noop", {}),
    "realtime": ("no state, real-time mode, a batch a second", "realtime", "console",
                 {"spark.sql.streaming.realTimeMode.minBatchDuration": "1000"}),
}
# Of the case that the goal is about.
GOAL_CASE = "count"
EXTRA_REQUESTS = 2
FASTER_THAN_ABORTABLE = 3.0
PUTS_OF_LATENCY = 3.0


case = Bench(__doc__, VARIANTS, latency="30ms")
case.option("--repetitions", 3, "of each variant")
case.names("--cases", CASES, default=[GOAL_CASE])
case.option("--batches", 12, "that count")
case.option("--warm-up", 3, "first batches that are left out", least=0)
case.option("--partitions", 8, "of the state")
case.settings("--set", "a setting of Spark for all rows")
case.option("--budget", int, "exit 1 when any batch of Penstock makes more than N requests above"
            " the files it writes", "N")
case.goals()
given = case.parse()


# ---- counting

class Batch:
    """The requests from the write of one batch's offsets to that of the next."""

    def __init__(self):
        self.requests = harness.Requests()
        self.files = set()

    def add(self, text, line, path):
        self.requests.add(text)
        name = line.key.rsplit("/", 1)[-1]
        # A name that is written and renamed is not one that stays; "" is a directory's marker.
        is_file = name and not (name.startswith(".") and name.endswith(".tmp"))
        if line.is_done_write and line.key.startswith(path) and is_file:
            self.files.add(line.key)

    def as_json(self):
        return {**self.requests.as_json(), "files": len(self.files)}


def batches(path):
    """The log of one query cut into its batches, by number; and what the store took for the PUTs
    of its logs: the least a write of one can take."""
    start = path + "/checkpoint/offsets/"
    found, here, put_millis = {}, None, []
    with open(case.store.access_log, encoding="utf-8") as log:
        for text in log:
            line = parse(text)
            name = line.key[len(start):]
            if line.is_done_write and line.key.startswith(start) and name.isdigit():
                here = found.setdefault(int(name), Batch())
            if here is not None:
                here.add(text, line, path)
            if line.operation == "REST.PUT.OBJECT" and line.key.startswith(path) and (
                    line.status.startswith("2")):
                put_millis.append(line.millis)
    return found, median(put_millis) if put_millis else 0


def trial(variant, name):
    title, query, sink, settings = CASES[name]
    section = bench.section_name("%s-%s" % (variant, name))
    last = given.warm_up + given.batches
    said, = case.spark("checkpoint.py", {
        "path": "s3a://%s/%s" % (given.bucket, section), "query": query, "sink": sink,
        "batches": last}, section, variant,
        {**settings, "spark.sql.shuffle.partitions": given.partitions, **given.set})
    found, put_millis = batches(section)
    numbers = range(given.warm_up, last)
    missing = [n for n in numbers if n not in found]
    if missing:
        raise Problem("the log has no offsets of batch %s of %s" % (missing, section))
    progress = {p["batch"]: p["millis"] for p in said["progress"]}
    return {
        "variant": variant, "case": name, "putMillis": put_millis,
        "batches": [{"batch": n, **found[n].as_json(), "millis": progress[n]} for n in numbers]}


def measure():
    runs = []
    cells = [(variant, name) for name in given.cases for variant in given.variants]
    for repetition in range(given.repetitions):
        for variant, name in harness.rotated(cells, repetition % len(given.variants)):
            run = trial(variant, name)
            runs.append({"repetition": repetition, **run})
            case.save(batches=given.batches, partitions=given.partitions, runs=runs)
            say("  %3d/%d  %-14s %-10s %5.1f requests a batch  %5.0f ms" % (
                len(runs), given.repetitions * len(cells), case.title(variant), name,
                mean(of(run["batches"], "total")), median(millis([run], "triggerExecution"))))
    return runs


# ---- saying it

def of(those, name):
    return [batch[name] for batch in those]


def mean(values):
    return sum(values) / len(values)


def some(runs, variant, name):
    return [run for run in runs if run["variant"] == variant and run["case"] == name]


def all_batches(runs):
    return [batch for run in runs for batch in run["batches"]]


def millis(runs, *steps):
    """By batch; a step that a batch does not have took no time."""
    return [sum(batch["millis"].get(step, 0) for step in steps) for batch in all_batches(runs)]


def median_millis(*steps, text="%.0f"):
    return lambda runs: text % median(millis(runs, *steps))


LOGS = ("walCommit", "commitOffsets")
WHOLE = "triggerExecution"


def tables(runs, name):
    rows = {case.title(variant): some(runs, variant, name) for variant in given.variants}
    yield bench.table_of("", rows, {
        "files": lambda mine: decimal(mean(of(all_batches(mine), "files"))),
        "all": lambda mine: decimal(mean(of(all_batches(mine), "total"))),
        **bench.kinds(lambda mine, kind: decimal(mean(
            [batch["kinds"].get(kind, 0) for batch in all_batches(mine)]))),
        "worst": lambda mine: number(max(of(all_batches(mine), "total")))})
    base = median(millis(some(runs, given.variants[0], name), WHOLE))
    yield bench.table_of("", rows, {
        "batch": lambda mine: "%s ms" % number(round(median(millis(mine, WHOLE)))),
        "worst": lambda mine: "%s ms" % number(round(max(millis(mine, WHOLE)))),
        "ratio": lambda mine: "%.2f" % (median(millis(mine, WHOLE)) / base),
        "add": median_millis("addBatch"), "wal": median_millis(LOGS[0]),
        "commit": median_millis(LOGS[1]), "both": median_millis(*LOGS),
        "a PUT": bench.median_of("putMillis", "%.0f ms")})


def decimal(value):
    return ("%.1f" % value).removesuffix(".0")


def run():
    with case.counted_store():
        say("%d batches after %d; %s" % (given.batches, given.warm_up, case.where))
        runs = measure()
    case.head("%d batches, after %d that are left out; %d state partitions; %d runs each" % (
        given.batches, given.warm_up, given.partitions, given.repetitions))
    for name in given.cases:
        print("%s: requests by batch, mean\n\n%s\n" % (
            CASES[name][0], "\n\n".join(tables(runs, name))))
    print("files: those that stay. worst: batch of all runs. Times: medians of all batches, in ms;"
          "\nadd, wal, commit: addBatch, walCommit, commitOffsets; both: the last two of one batch."
          "\na PUT: as the proxy saw it.\n")
    return verdict(runs) if "penstock" in given.variants else 0


def verdict(runs):
    codes = [0]
    ours = all_batches([run for run in runs if run["variant"] == "penstock"])
    worst = max(ours, key=lambda b: b["total"] - b["files"])
    if given.budget is not None and worst["total"] - worst["files"] > given.budget:
        say("\nFAILED: Penstock made %d requests for %d files, %d more are allowed: %s"
            % (worst["total"], worst["files"], given.budget, worst["operations"]))
        codes.append(1)
    if GOAL_CASE not in given.cases:
        return max(codes)
    mine = some(runs, "penstock", GOAL_CASE)
    more = max(b["total"] - b["files"] for b in all_batches(mine))
    codes.append(harness.goal(given, "at most %d requests a batch more than files, at worst (%d)"
                              % (EXTRA_REQUESTS, more), more <= EXTRA_REQUESTS))
    if "abortable" in given.variants:
        slow = median(millis(some(runs, "abortable", GOAL_CASE), WHOLE))
        times = slow / median(millis(mine, WHOLE))
        codes.append(harness.goal(
            given, "a batch %.0f times as fast as with S3A abortable (%.2f)"
            % (FASTER_THAN_ABORTABLE, times), times >= FASTER_THAN_ABORTABLE))
    puts = median(millis(mine, *LOGS)) / max(bench.middle(mine, "putMillis"), 1)
    codes.append(harness.goal(
        given, "walCommit and commitOffsets together within %.0f PUTs (%.2f)"
        % (PUTS_OF_LATENCY, puts), puts <= PUTS_OF_LATENCY))
    return max(codes)


case.main(run)
