# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the checkpoint of a streaming query cost, by batch?

A rate source, groupBy and count, 8 state partitions, and a sink that keeps nothing: all requests
are the checkpoint's. By Penstock, and by S3A with each of its two checkpoint managers, in turn, on
the same server, through the same counting proxy; each run is a Spark and a path of its own. The
first batches, in which classes are loaded and code is compiled, are left out. Other cases have
other state stores, a join of two streams, or a sink of files.
"""

import collections
import json
import pathlib
import time
import urllib.parse

import harness
import variants
from harness import Problem, median, number, say

MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
# name -> (title, settings)
VARIANTS = {
    "penstock": ("Penstock", variants.PLUGIN),
    "abortable": ("S3A abortable", {
        MANAGER: variants.CLOUD + "AbortableStreamBasedCheckpointFileManager"}),
    "default": ("S3A default", {}),
}
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = {PROVIDER: "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"}
CHANGELOG = {
    **ROCKSDB, "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true"}
# name -> (title, query, sink, settings)
CASES = {
    "count": ("groupBy and count", "count", "noop", {}),
    "rocksdb": ("groupBy and count, RocksDB", "count", "noop", ROCKSDB),
    "changelog": ("groupBy and count, RocksDB with changelog", "count", "noop", CHANGELOG),
    "join": ("join of two streams", "join", "noop", {}),
    "file": ("windows and count, Parquet sink", "windows", "parquet", {}),
    "map": ("no state", "map", "noop", {}),
    "async": ("no state, asyncProgressTracking", "async", "noop", {}),
}
# Of the case that the goal is about.
GOAL_CASE = "count"
EXTRA_REQUESTS = 2
FASTER_THAN_ABORTABLE = 3.0
PUTS_OF_LATENCY = 3.0


def options():
    parser = harness.parser(__doc__, "cases:\n" + "\n".join(
        "  %-10s %s" % (name, case[0]) for name, case in CASES.items()))
    harness.common_options(parser)
    parser.set_defaults(latency="30ms")
    parser.add_argument("--repetitions", type=int, default=3, metavar="N",
                        help="of each variant (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME,…",
                        help="of the variants %s only these" % ", ".join(VARIANTS))
    parser.add_argument("--cases", default=GOAL_CASE, metavar="NAME,…",
                        help="see below; 'all' for all (default: %(default)s)")
    parser.add_argument("--batches", type=int, default=12, metavar="N",
                        help="that count (default: %(default)s)")
    parser.add_argument("--warm-up", type=int, default=3, metavar="N",
                        help="first batches that are left out (default: %(default)s)")
    parser.add_argument("--partitions", type=int, default=8, metavar="N",
                        help="of the state (default: %(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="a setting of Spark for all rows; may be repeated")
    parser.add_argument("--budget", type=int, metavar="N",
                        help="exit 1 when any batch of Penstock makes more than N requests above"
                        " the files it writes")
    harness.goal_options(parser)
    parser.add_argument("--json", type=pathlib.Path,
                        default=harness.WORK / "checkpoint-requests.json", metavar="FILE",
                        help="where the raw runs go (default: bench/.work/checkpoint-requests.json)")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    given.cases = list(CASES) if given.cases == "all" else given.cases.split(",")
    for name, known in [(v, VARIANTS) for v in given.variants] + [(c, CASES) for c in given.cases]:
        if name not in known:
            parser.error("no %s; there are %s" % (name, ", ".join(known)))
    if min(given.repetitions, given.batches, given.partitions) < 1 or given.warm_up < 0:
        parser.error("need one repetition, one batch and one partition at least")
    return given


# ---- counting

Line = collections.namedtuple("Line", "operation key status millis text")


def lines(access_log):
    with open(access_log, encoding="utf-8") as log:
        for text in log:
            fields = text.split(" ", 9)
            status, _, _, _, millis = text.split('" ', 1)[1].split(" ", 5)[:5]
            yield Line(fields[7], urllib.parse.unquote(fields[8]), status, int(millis), text)


WRITES = {"PUT", "COPY", "POST"}


def is_write(line):
    return harness.kind(line.operation) in WRITES and line.status.startswith("2")


class Batch:
    """The requests from the write of one batch's offsets to that of the next."""

    def __init__(self):
        self.requests = harness.Requests()
        self.files = set()

    def add(self, line, path):
        self.requests.add(line.text)
        name = line.key.rsplit("/", 1)[-1]
        # A name that is written and renamed is not one that stays; "" is a directory's marker.
        is_file = name and not (name.startswith(".") and name.endswith(".tmp"))
        if is_write(line) and line.key.startswith(path) and is_file:
            self.files.add(line.key)

    def as_json(self):
        return {**self.requests.as_json(), "files": len(self.files)}


def batches(access_log, path):
    """The log of one query cut into its batches, by number."""
    start = path + "/checkpoint/offsets/"
    found, here = {}, None
    for line in lines(access_log):
        name = line.key[len(start):]
        if is_write(line) and line.key.startswith(start) and name.isdigit():
            here = found.setdefault(int(name), Batch())
        if here is not None:
            here.add(line, path)
    return found


def put_millis(access_log, path):
    """What the store took for the PUTs of this query's logs: the least a write of one can take."""
    times = [line.millis for line in lines(access_log)
             if line.operation == "REST.PUT.OBJECT" and line.key.startswith(path)
             and line.status.startswith("2")]
    return median(times) if times else 0


def trial(given, store, python, ours, s3a, variant, case):
    title, query, sink, settings = CASES[case]
    section = "%s-%s-%d" % (variant, case, int(time.time() * 1000))
    last = given.warm_up + given.batches
    job = {"path": "s3a://%s/%s" % (store.bucket, section), "query": query, "sink": sink,
           "batches": last}
    said, = harness.run_spark(
        python, "checkpoint.py", [json.dumps(job)], store,
        variants.class_path(variant, ours, s3a),
        {**VARIANTS[variant][1], **settings, "spark.sql.shuffle.partitions": given.partitions,
         **dict(text.split("=", 1) for text in given.set)}, section, given.timeout)
    found = batches(store.access_log, section)
    numbers = range(given.warm_up, last)
    missing = [n for n in numbers if n not in found]
    if missing:
        raise Problem("the log has no offsets of batch %s of %s" % (missing, section))
    progress = {p["batch"]: p["millis"] for p in said["progress"]}
    return {
        "variant": variant, "case": case,
        "batches": [{"batch": n, **found[n].as_json(), "millis": progress[n]} for n in numbers],
        "putMillis": put_millis(store.access_log, section)}


def measure(given, store, python, ours, s3a, keep):
    runs = []
    cells = [(v, c) for c in given.cases for v in given.variants]
    for repetition in range(given.repetitions):
        shift = repetition % len(given.variants)
        for variant, case in cells[shift:] + cells[:shift]:
            run = trial(given, store, python, ours, s3a, variant, case)
            runs.append({"repetition": repetition, **run})
            keep(runs)
            say("  %3d/%d  %-14s %-10s %5.1f requests a batch  %5.0f ms" % (
                len(runs), given.repetitions * len(cells), VARIANTS[variant][0], case,
                mean(of(run["batches"], "total")), median(millis([run], "triggerExecution"))))
    return runs


# ---- saying it

def of(those, name):
    return [batch[name] for batch in those]


def mean(values):
    return sum(values) / len(values)


def some(runs, variant, case):
    return [run for run in runs if run["variant"] == variant and run["case"] == case]


def all_batches(runs):
    return [batch for run in runs for batch in run["batches"]]


def millis(runs, *steps):
    """By batch; a step that a batch does not have took no time."""
    return [sum(batch["millis"].get(step, 0) for step in steps) for batch in all_batches(runs)]


LOGS = ("walCommit", "commitOffsets")


def requests_table(given, runs, case):
    rows = [["", "files", "all", *(k if k != "DELETE" else "DEL" for k in harness.KINDS), "worst"]]
    for name in given.variants:
        mine = all_batches(some(runs, name, case))
        kinds = [mean([b["kinds"].get(kind, 0) for b in mine]) for kind in harness.KINDS]
        rows.append([VARIANTS[name][0], decimal(mean(of(mine, "files"))),
                     decimal(mean(of(mine, "total"))), *(decimal(n) for n in kinds),
                     number(max(of(mine, "total")))])
    return harness.table(rows)


def decimal(value):
    return ("%.1f" % value).removesuffix(".0")


def times_table(given, runs, case):
    rows = [["", "batch", "worst", "ratio", "add", "wal", "commit", "both", "a PUT"]]
    base = median(millis(some(runs, given.variants[0], case), "triggerExecution"))
    for name in given.variants:
        mine = some(runs, name, case)
        whole = millis(mine, "triggerExecution")
        cells = [median(whole), max(whole)]
        steps = [median(millis(mine, step)) for step in ("addBatch", *LOGS)]
        rows.append([VARIANTS[name][0], *("%s ms" % number(round(n)) for n in cells),
                     "%.2f" % (median(whole) / base), *("%.0f" % n for n in steps),
                     "%.0f" % median(millis(mine, *LOGS)), "%.0f ms" % put(mine)])
    return harness.table(rows)


def put(runs):
    return median([run["putMillis"] for run in runs])


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    with harness.counted_store(given, ours) as store:
        where = "Spark %s, local[2], %s, latency %s" % (version, store.name, given.latency)
        say("%d batches after %d; %s" % (given.batches, given.warm_up, where))
        runs = measure(given, store, python, ours, s3a, lambda all: keep(given, where, all))
    print("\n%d batches, after %d that are left out; %d state partitions; %d runs each\n%s\n%s"
          % (given.batches, given.warm_up, given.partitions, given.repetitions, where,
             harness.machine()))
    for case in given.cases:
        print("\n%s: requests by batch, mean\n\n%s\n\n%s" % (
            CASES[case][0], requests_table(given, runs, case), times_table(given, runs, case)))
    print("\nfiles: those that stay. worst: batch of all runs. Times: medians of all batches, in ms;"
          "\nadd, wal, commit: addBatch, walCommit, commitOffsets; both: the last two of one batch."
          "\na PUT: as the proxy saw it.\n")
    return verdict(given, runs)


def keep(given, where, runs):
    """Writes the raw runs, after each: those before an interruption are not lost."""
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "where": where, "batches": given.batches,
        "partitions": given.partitions, "runs": runs}, indent=1) + "\n")


def verdict(given, runs):
    if "penstock" not in given.variants:
        return 0
    codes = [0]
    ours = [b for run in runs if run["variant"] == "penstock" for b in run["batches"]]
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
        slow = median(millis(some(runs, "abortable", GOAL_CASE), "triggerExecution"))
        times = slow / median(millis(mine, "triggerExecution"))
        codes.append(harness.goal(
            given, "a batch %.0f times as fast as with S3A abortable (%.2f)"
            % (FASTER_THAN_ABORTABLE, times), times >= FASTER_THAN_ABORTABLE))
    puts = median(millis(mine, *LOGS)) / max(put(mine), 1)
    codes.append(harness.goal(
        given, "walCommit and commitOffsets together within %.0f PUTs (%.2f)"
        % (PUTS_OF_LATENCY, puts), puts <= PUTS_OF_LATENCY))
    return max(codes)


harness.main(run)
