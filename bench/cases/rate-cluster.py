# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What do several executors do to a prefix that takes few writes a second?

A real Spark with three executors on this machine writes many small files at once, three requests
each: with the rates shared out by the driver, with plain backoff, with an executor killed in the
middle, and with a limit of our own at half of what the prefix takes, without and with a kill. The
store is Penstock's embedded S3, which throttles as S3 does.
"""

import contextlib
import csv
import re
import shutil

import bench
import cluster
import harness
import variants
from bench import Bench
from harness import number, say

CLUSTER_MAX = "spark.hadoop.penstock.rate.cluster.max"
# The executors write: the driver alone needs no share of a rate.
UPLOADS = variants.ALL["penstock-uploads"][1]
# name -> (title, settings, whether an executor is killed)
VARIANTS = {
    "coordinated": ("coordinated", UPLOADS, False),
    "backoff": ("backoff", {variants.POLICY: "backoff", **UPLOADS}, False),
    "kill": ("coordinated, one killed", UPLOADS, True),
    "limited": ("limited by rate.cluster.max", UPLOADS, False),
    "limited-kill": ("limited, one killed", UPLOADS, True),
}
EXECUTORS = 3
REQUESTS_A_FILE = 3
# Finding the rate costs 20 to 60 throttles, much of a short run; backoff has 40 %.
SMOKE_THROTTLED_MAX = 0.3
# Short-lived processes on few cores: starting fast counts more than running fast.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
PLUGIN = r"\.(?P<who>driver|\d+)\.plugin\.io\.penstock\.spark\.PenstockPlugin\.(?P<what>.+)\.csv$"
WRITES = ("put", "create_upload", "upload_part", "complete_upload", "abort_upload", "delete_all")


case = Bench(__doc__, VARIANTS, server="embedded", latency="20ms")
case.flag("--standalone", "a standalone master and three workers instead of local-cluster")
case.flag("--smoke", "only 'coordinated', with few files and half the rate, which a busy machine"
          " can reach; exit 1 when more than 30 %% are throttled")
case.option("--files", int, "default: 400, 120 with --smoke", "N")
case.option("--writes", int, "a second that a prefix takes; default: 60, 30 with --smoke", "N")
case.option("--cores", 2, "an executor")
given = case.parse()
given.files = given.files or (120 if given.smoke else 400)
given.writes = given.writes or (30 if given.smoke else 60)
if given.smoke and given.variants == list(VARIANTS):
    given.variants = ["coordinated"]


# ---- one run

def keep_logs(home, application, name):
    """Executors leave them where their worker runs, and that of local-cluster in Spark's home."""
    own = home / "work" / application
    for work in (own, *harness.RUN.glob("worker-*/" + application)):
        for log in work.glob("*/stderr"):
            shutil.copy2(log, harness.LOGS / ("%s-executor-%s.log" % (name, log.parent.name)))
    shutil.rmtree(own, ignore_errors=True)


def is_limited(variant):
    return variant.startswith("limited")


def settings(variant, sink):
    limit = {CLUSTER_MAX: str(given.writes / 2)} if is_limited(variant) else {}
    executors = cluster.executor_settings(case, case.cluster, given.cores)
    # The jar comes to all processes as a user's does.
    del executors["spark.executor.extraClassPath"]
    return {
        **executors,
        "spark.jars": case.jars / "penstock-spark.jar",
        "spark.executor.memory": "900m",
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.driver.memory": "900m",
        # The kill is no fault of the task, and the throttling none of the job.
        "spark.task.maxFailures": "8",
        "spark.metrics.conf.*.sink.csv.class": "org.apache.spark.metrics.sink.CsvSink",
        "spark.metrics.conf.*.sink.csv.period": "1",
        "spark.metrics.conf.*.sink.csv.unit": "seconds",
        "spark.metrics.conf.*.sink.csv.directory": sink,
        **limit,
    }


def measure(variant):
    section = bench.section_name(variant)
    sink = harness.made(harness.RUN / ("metrics-" + section))
    allowed = given.writes / 2 if is_limited(variant) else given.writes
    ideal = REQUESTS_A_FILE * given.files / allowed
    said, = case.spark("rate_cluster.py", {
        "section": section, "files": given.files, "tasks": 4 * EXECUTORS * given.cores,
        "kill_after": ideal / 4 if VARIANTS[variant][2] else 0}, variant, variant,
        settings(variant, sink), class_path=[], environment={"SPARK_LOCAL_IP": "127.0.0.1"})
    run = {"variant": variant, "ideal": ideal, **said}
    keep_logs(cluster.spark_home(case.python), run["application"], variant)
    requests = case.requests(section)
    return {**run, "requests": requests.as_json(), "busiestSecond": requests.busiest_second,
            "throttledShare": requests.statuses["503"] / max(1, requests.total),
            "processes": processes(sink, given.bucket, run)}


def series(sink):
    """What the sink wrote: {who: {metric: [(second, value)]}}."""
    found = {}
    for file in sink.iterdir():
        match = re.search(PLUGIN, file.name)
        if match:
            with open(file, encoding="utf-8") as lines:
                points = [(int(row["t"]), float(row["value"])) for row in csv.DictReader(lines)]
            found.setdefault(match["who"], {})[match["what"]] = points
    return found


def processes(sink, bucket, run):
    """For each process: writes, throttled ones, waits, and what it was allowed at several times."""
    found = {}
    end = run["started"] + run["seconds"]
    for who, metrics in sorted(series(sink).items()):
        last = {name: points[-1][1] if points else 0 for name, points in metrics.items()}
        allowed = [(t - run["started"], value)
                   for t, value in metrics.get("rate.%s.write" % bucket, [])
                   if run["started"] <= t <= end + 1 and value >= 0]
        found[who] = {
            "writes": sum(last.get("requests." + name, 0) for name in WRITES),
            "throttled": last.get("throttled.writes", 0),
            "waitedSeconds": last.get("waits.millis", 0) / 1000,
            "allowed": allowed,
            "throttledSoFar": [(t - run["started"], value)
                               for t, value in metrics.get("throttled.writes", [])],
        }
    return found


# ---- saying it

def runs_table(runs):
    return bench.columns_of(runs, [
        ("", lambda run: case.title(run["variant"])),
        ("requests", lambda run: number(run["requests"]["total"])),
        ("throttled", lambda run: "%.1f %%" % (100 * run["throttledShare"])),
        ("time", lambda run: "%.1f s" % run["seconds"]),
        ("over ideal", lambda run: "%.2fx" % (run["seconds"] / run["ideal"])),
        ("most writes/s", lambda run: number(run["busiestSecond"]))])


def processes_table(run):
    moments = [run["seconds"] * part for part in (0.15, 0.35, 0.55, 0.75, 0.95)]
    rows = [[VARIANTS[run["variant"]][0], "writes", "throttled", "waited",
             *("%.0f s" % moment for moment in moments)]]
    for who, process in run["processes"].items():
        name = who if who == "driver" else "executor " + who
        if run["killed"] and who == run["killed"]["executor"]:
            name += ", killed at %.0f s" % (run["killed"]["at"] - run["started"])
        rows.append([name, number(int(process["writes"])), number(int(process["throttled"])),
                     "%.0f s" % process["waitedSeconds"],
                     *(at(process["allowed"], moment) for moment in moments)])
    rows.append(["all: throttled so far", "", "", "",
                 *(number(throttled_until(run, moment)) for moment in moments)])
    return harness.table(rows)


def throttled_until(run, moment):
    return int(sum(max((value for second, value in process["throttledSoFar"] if second <= moment),
                       default=0)
                   for process in run["processes"].values()))


def at(allowed, moment):
    """The last value before the moment, unless it is old."""
    near = [value for second, value in allowed if moment - 2.5 <= second <= moment]
    return "%.1f" % near[-1] if near else "-"


def say_what_was_decided():
    for log in sorted(harness.LOGS.glob("coordinated*")):
        for line in log.read_text(errors="replace").splitlines():
            if re.search(r"paced|rates from the driver|assigns request rates", line):
                say("%s: %s" % (log.stem, line))


def verdict(runs):
    worst = max((r["throttledShare"] for r in runs if r["variant"] == "coordinated"), default=0)
    if given.smoke and worst > SMOKE_THROTTLED_MAX:
        say("\nFAILED: %.1f %% of the requests were throttled, %.0f %% are allowed"
            % (100 * worst, 100 * SMOKE_THROTTLED_MAX))
        say_what_was_decided()
        return 1
    return 0


def run():
    weather = ["--throttle", "%d,5500" % given.writes, "--partition-depth", "1"]
    local = "local-cluster[%d,%d,1024]" % (EXECUTORS, given.cores)
    runs = []
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(case.counted_store(*weather))
        case.told_where(store, "standalone" if given.standalone else local)
        say("%d files at %d writes/s; %s" % (given.files, given.writes, case.where))
        case.cluster = (stack.enter_context(cluster.standalone(case.python, EXECUTORS, given.cores))
                        if given.standalone else local)
        for variant in given.variants:
            runs.append(measure(variant))
            say("  %-12s %6.1f s, %.1f %% throttled" % (
                variant, runs[-1]["seconds"], 100 * runs[-1]["throttledShare"]))
    case.save(files=given.files, writesPerSecond=given.writes, runs=runs)
    case.head("%d files of three requests into a prefix that takes %d writes a second" % (
        given.files, given.writes))
    print(runs_table(runs) + "\n")
    for one in runs:
        print(processes_table(one) + "\n")
    print("Right of the waits: writes a second that a process was allowed, at these times; - without a"
          " cap.\nIdeal: the writes needed divided by what the prefix takes, or by the limit.")
    return verdict(runs)


case.main(run)
