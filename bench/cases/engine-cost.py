# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does the request engine cost when there is nothing for it to do?

First, with JMH: CPU time of one request through all layers to a store that answers at once, and
without any layer, from one thread and from eight. Then, with Spark: the same write and read by
turns into two buckets of one server, one with the engine and one without, in one JVM and without
a proxy between, for which its own work would hide the engine's.

--without says what "without" is, in Spark and as a third line of JMH's.
"""

import contextlib
import json
import os
import pathlib
import statistics

import harness
import variants
from harness import Problem, median, number, say

COST_GOAL_NANOS = 2_000
BARE, DEFAULT = "bare", "default"
SIDES = ("with", "without")


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.add_argument("--only", choices=("jmh", "spark"), help="one of the two halves")
    parser.add_argument("--with", action="append", default=[], metavar="NAME=VALUE",
                        help="a setting of Penstock, without its prefix, for the engine that is"
                        " measured; may be repeated")
    parser.add_argument("--without", action="append", metavar="NAME=VALUE",
                        help="the same for what it is compared with (default: rate.policy=none)")
    parser.add_argument("--threads", default="1,8", metavar="N,…",
                        help="of JMH (default: %(default)s)")
    parser.add_argument("--operations", default="get,put,uploadPart", metavar="NAME,…",
                        help="of JMH (default: %(default)s)")
    parser.add_argument("--jmh", default="-f 2 -wi 4 -w 1 -i 4 -r 1", metavar="OPTIONS",
                        help="more options of JMH (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=15, metavar="N",
                        help="of Spark, each with and without (default: %(default)s)")
    parser.add_argument("--files", type=int, default=64, help="default: %(default)s")
    parser.add_argument("--rows", type=int, default=640_000, help="default: %(default)s")
    harness.goal_options(parser)
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "engine-cost.json",
                        metavar="FILE",
                        help="where the results go (default: bench/.work/engine-cost.json)")
    given = parser.parse_args()
    given.sides = {"with": getattr(given, "with"),
                   "without": ["rate.policy=none"] if given.without is None else given.without}
    if any("=" not in text for side in given.sides.values() for text in side):
        parser.error("--with and --without take NAME=VALUE")
    if given.runs < 2 or given.files < 1 or given.rows < given.files:
        parser.error("need two runs, one file, and one row a file at least")
    return given


# ---- JMH

def jmh(given):
    """{(operation, settings, threads): nanoseconds of CPU a request}"""
    class_path = harness.BENCH / "target" / "bench.classpath"
    if not class_path.is_file():
        raise Problem("no %s; run ./mvnw -DskipTests package" % class_path)
    cases = [BARE, *dict.fromkeys(" ".join(given.sides[s]) or DEFAULT for s in SIDES)]
    found = {}
    for threads in given.threads.split(","):
        result = harness.RUN / ("jmh-%s.json" % threads)
        result.parent.mkdir(parents=True, exist_ok=True)
        command = [harness.java(), "-cp",
                   os.pathsep.join([str(harness.BENCH / "target" / "classes"),
                                    class_path.read_text().strip()]),
                   "org.openjdk.jmh.Main",
                   "EngineCost.(%s)$" % given.operations.replace(",", "|"), *given.jmh.split(),
                   "-t", threads, "-p", "settings=" + ",".join(cases),
                   "-prof", "io.penstock.bench.CpuTime", "-jvmArgs", "-Xmx512m",
                   "-foe", "true", "-rf", "json", "-rff", str(result)]
        harness.step("JMH with %s threads" % threads, command, "jmh-%s.log" % threads)
        for each in json.loads(result.read_text()):
            operation = each["benchmark"].rsplit(".", 1)[1]
            # The median of all iterations: a compilation falls into the first of them.
            cpu = [nanos for fork in each["secondaryMetrics"]["cpu"]["rawData"] for nanos in fork]
            found[operation, each["params"]["settings"], int(threads)] = median(cpu)
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


def dearest(given, found):
    """The most that the engine costs, in nanoseconds, over operations and threads."""
    engine = " ".join(given.sides["with"]) or DEFAULT
    return max(cost - found[operation, BARE, threads]
               for (operation, case, threads), cost in found.items() if case == engine)


# ---- Spark

@contextlib.contextmanager
def stores(given, jars):
    """The server without a proxy before it, and a bucket for each side."""
    buckets = {side: "%s-%s" % (given.bucket, side) for side in SIDES}
    with harness.server(given) as server:
        if server.upstream is None:
            made = [word for name in buckets.values() for word in ("--bucket", name)]
            with harness.weather(given, server, jars, *made) as store:
                yield store, buckets
        else:
            keys = (server.access_key, server.secret_key)
            for name in buckets.values():
                harness.make_bucket(server.upstream, name, keys)
            yield harness.Store(server.name, server.upstream, given.bucket, *keys, None), buckets


def spark(given, python, jars):
    """A list of {side: {step: {seconds, cpu}}}, and where it was measured."""
    with stores(given, jars) as (store, buckets):
        settings = dict(variants.PLUGIN)
        for side, name in buckets.items():
            for text in given.sides[side]:
                key, value = text.split("=", 1)
                settings["spark.hadoop.penstock.bucket.%s.%s" % (name, key)] = value
        job = {"buckets": buckets, "rows": given.rows, "files": given.files, "runs": given.runs,
               "warmUps": min(3, given.runs)}
        say("  Spark, %d times with and without" % given.runs)
        said = harness.run_spark(python, "throughput.py", [json.dumps(job)], store,
                                 [jars / "penstock-spark.jar"], settings, "throughput",
                                 given.timeout)
        return said, store.name


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


def run():
    given = options()
    # Also what makes JMH's classes, when they are missing or old.
    jars = harness.penstock_jars(given.penstock_jars)
    results, goals = {"machine": harness.machine(), "sides": given.sides}, []
    sides = "; ".join("%s: %s" % (side, " ".join(given.sides[side]) or "nothing set")
                      for side in SIDES)
    if given.only != "spark":
        found = jmh(given)
        results["jmh"] = [{"operation": o, "settings": s, "threads": t, "cpuNanos": cost}
                          for (o, s, t), cost in found.items()]
        cost = dearest(given, found)
        goals.append(("at most %s ns of CPU a request, and it is %s"
                      % (number(COST_GOAL_NANOS), number(round(cost))), cost <= COST_GOAL_NANOS))
        print("\nA request through all layers to a store that answers at once\n%s\n\n%s"
              % (harness.machine(), jmh_table(found)))
    if given.only != "jmh":
        python = harness.spark_python(given.spark_python)
        version = harness.spark_version(python)
        runs, server = spark(given, python, jars)
        results["spark"] = runs
        goals.append(("no loss in three of four runs", not is_measurable(runs)))
        print("\nWrite and read of %s rows in %d files, %d times; Spark %s, local[2], %s, calm\n"
              "%s\n%s\n\n%s" % (number(given.rows), given.files, given.runs, version, server, sides,
                                harness.machine(), spark_table(runs)))
        print("Times: medians. ratio: with to without of neighbours, median; and its middle half.")
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(results, indent=1) + "\n")
    print()
    return max(harness.goal(given, *each) for each in goals)


harness.main(run)
