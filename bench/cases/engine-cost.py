# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the request engine cost when there is nothing for it to do?

First, with JMH: CPU time of one request through all layers to a store that answers at once, and
without any layer, from one thread and from eight. Then, with Spark: the same write and read by
turns into two buckets of one server, one with the engine and one without, in one JVM and without
a proxy between, for which its own work would hide the engine's. At last, in one JVM, the same requests
with the sums for the tab in Spark's UI and without them, by turns.

--without says what "without" is, in Spark and as a third line of JMH's.
"""

import contextlib
import json
import statistics

import harness
from bench import Bench
from harness import median, number, say

COST_GOAL_NANOS = 2_000
BARE, DEFAULT, COUNTED = "bare", "default", "counted"
SIDES = ("with", "without")


case = Bench(__doc__)
case.parser.add_argument("--only", choices=("jmh", "spark", "tab"), help="one of the three parts")
case.settings("--with", "a setting of Penstock, without its prefix, for what is measured")
case.settings("--without", "the same for what it is compared with, rate.policy=none without any")
case.numbers("--threads", "1,8", "of JMH")
case.option("--operations", "get,put,uploadPart", "of JMH", "NAME,…")
case.option("--jmh", "-f 2 -wi 4 -w 1 -i 4 -r 1", "more options of JMH", "OPTIONS")
case.option("--runs", 15, "of Spark, each with and without", least=2)
case.option("--files", 64)
case.option("--rows", 640_000)
case.option("--tab-requests", 25_000, "of each run for the tab", least=2)
case.option("--tab-runs", 20, "of them, each with and without", least=2)
case.goals()
given = case.parse()
# side -> settings of Penstock
SETTINGS = {"with": getattr(given, "with"), "without": given.without or {"rate.policy": "none"}}
TOLD = {side: " ".join("%s=%s" % pair for pair in SETTINGS[side].items()) for side in SIDES}


# ---- JMH

def jmh():
    """{(operation, settings, threads): nanoseconds of CPU a request}"""
    cases = [BARE, *dict.fromkeys(TOLD[side] or DEFAULT for side in SIDES), COUNTED]
    found = {}
    for threads in given.threads:
        result = harness.made(harness.RUN) / ("jmh-%d.json" % threads)
        harness.step("JMH with %d threads" % threads, harness.bench_java(
            "org.openjdk.jmh.Main",
            "EngineCost.(%s)$" % given.operations.replace(",", "|"), *given.jmh.split(),
            "-t", threads, "-p", "settings=" + ",".join(cases),
            "-prof", "io.penstock.bench.CpuTime", "-jvmArgs", "-Xmx512m",
            "-foe", "true", "-rf", "json", "-rff", result), "jmh-%d.log" % threads)
        for each in json.loads(result.read_text()):
            operation = each["benchmark"].rsplit(".", 1)[1]
            # The median of all iterations: a compilation falls into the first of them.
            cpu = [nanos for fork in each["secondaryMetrics"]["cpu"]["rawData"] for nanos in fork]
            found[operation, each["params"]["settings"], threads] = median(cpu)
    return found


def jmh_table(found):
    operations, cases, threads = (list(dict.fromkeys(each)) for each in zip(*found))
    rows = [["CPU a request, ns", "threads", *operations]]
    for case in cases:
        for count in threads:
            rows.append([case, str(count),
                         *(number(round(found[operation, case, count]))
                           for operation in operations)])
    return harness.table(rows)


def dearest(found):
    """The most that the engine costs, in nanoseconds, over operations and threads."""
    return max(cost - found[operation, BARE, threads]
               for (operation, settings, threads), cost in found.items()
               if settings == (TOLD["with"] or DEFAULT))


# ---- Spark

@contextlib.contextmanager
def stores():
    """The server without a proxy before it, and a bucket for each side."""
    buckets = {side: "%s-%s" % (given.bucket, side) for side in SIDES}
    with harness.server(given) as server:
        if server.upstream is None:
            made = [word for name in buckets.values() for word in ("--bucket", name)]
            with harness.weather(given, server, case.jars, *made) as store:
                yield store, buckets
        else:
            keys = (server.access_key, server.secret_key)
            for name in buckets.values():
                harness.make_bucket(server.upstream, name, keys)
            yield harness.Store(server.name, server.upstream, given.bucket, *keys, None), buckets


def spark():
    """A list of {side: {step: {seconds, cpu}}}."""
    with stores() as (store, buckets):
        case.told_where(store, case.master, "calm")
        say("  Spark, %d times with and without" % given.runs)
        return case.spark(
            "throughput.py", {"buckets": buckets, "rows": given.rows, "files": given.files,
                              "runs": given.runs, "warmUps": min(3, given.runs)}, "throughput",
            settings={"spark.hadoop.penstock.bucket.%s.%s" % (name, key): value
                      for side, name in buckets.items() for key, value in SETTINGS[side].items()},
            store=store)


def ratios(runs, step, what):
    return [run["with"][step][what] / max(run["without"][step][what], 1e-9) for run in runs]


def spark_table(runs):
    rows = [["", "with", "without", "ratio", "middle half", "CPU with", "without", "ratio"]]
    for step in ("write", "read"):
        row = [step]
        for what in ("seconds", "cpu"):
            row += ["%.2f s" % median([run[side][step][what] for run in runs]) for side in SIDES]
            quarters = statistics.quantiles(ratios(runs, step, what), n=4, method="inclusive")
            row.append("%.3f" % quarters[1])
            if what == "seconds":
                row.append("%.3f-%.3f" % (quarters[0], quarters[2]))
        rows.append(row)
    return harness.table(rows)


def is_measurable(runs):
    """Whether three runs in four were slower with the engine than the one beside them without."""
    return any(statistics.quantiles(ratios(runs, step, "seconds"), n=4, method="inclusive")[0] > 1
               for step in ("write", "read"))


# ---- the tab

def tab():
    """A list of {side: {seconds, cpu}}."""
    with stores() as (store, buckets):
        case.told_where(store, case.master, "calm")
        say("  %s requests, %d times with and without the tab's sums" % (
            number(given.tab_requests), given.tab_runs))
        return case.spark(
            "tab_cost.py", {"bucket": buckets["with"], "requests": given.tab_requests,
                            "runs": given.tab_runs, "warmUps": min(3, given.tab_runs)},
            "tab-cost", store=store)


def tab_share(runs):
    """The CPU time of all runs with the sums to that of those without."""
    return sum(run["with"]["cpu"] for run in runs) / sum(run["without"]["cpu"] for run in runs)


def tab_table(runs):
    shares = [run["with"]["cpu"] / max(run["without"]["cpu"], 1e-9) for run in runs]
    quarters = statistics.quantiles(shares, n=4, method="inclusive")
    return harness.table([
        ["CPU of %s requests" % number(given.tab_requests), "without", "ratio", "middle half", "all"],
        [*("%.2f s" % median([run[side]["cpu"] for run in runs]) for side in SIDES),
         "%.3f" % quarters[1], "%.3f-%.3f" % (quarters[0], quarters[2]),
         "%.3f" % tab_share(runs)]])


def run():
    # Also what makes JMH's classes, when they are missing or old.
    case.jars
    results, goals = {"sides": SETTINGS}, []
    if given.only in (None, "jmh"):
        found = jmh()
        results["jmh"] = [{"operation": o, "settings": s, "threads": t, "cpuNanos": cost}
                          for (o, s, t), cost in found.items()]
        cost = dearest(found)
        goals.append(("at most %s ns of CPU a request, and it is %s"
                      % (number(COST_GOAL_NANOS), number(round(cost))), cost <= COST_GOAL_NANOS))
        case.head("A request through all layers to a store that answers at once")
        print(jmh_table(found))
    if given.only in (None, "spark"):
        results["spark"] = runs = spark()
        goals.append(("no loss in three of four runs", not is_measurable(runs)))
        case.head("Write and read of %s rows in %d files, %d times\n%s" % (
            number(given.rows), given.files, given.runs, "; ".join(
                "%s: %s" % (side, TOLD[side] or "nothing set") for side in SIDES)))
        print(spark_table(runs))
        print("Times: medians. ratio: with to without of neighbours, median; and its middle half.")
    if given.only in (None, "tab"):
        results["tab"] = runs = tab()
        goals.append(("less than 1 % of CPU for the tab", tab_share(runs) < 1.01))
        case.head("The same requests with and without the sums for the tab, %d times each"
                  % given.tab_runs)
        print(tab_table(runs))
        print("ratio: with to without of neighbours, median; its middle half; all runs together.")
    case.save(**results)
    print()
    return max(harness.goal(given, *each) for each in goals)


case.main(run)
