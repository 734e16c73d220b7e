# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How long does a write take that the store throttles, with nothing set?

Spark writes many small files into one prefix that takes 60 writes a second, and a quarter of a
second's worth at once, and answers 503 SlowDown beyond that. No write can be faster than its
requests divided by 60: the ideal. Each variant is also run without throttling.
"""

import harness
import trials
from harness import median, number

RATIO_GOAL = 1.15
THROTTLED_GOAL = 0.03

case = trials.bench(
    __doc__, ("penstock", "penstock-backoff", "penstock-aimd", "staging", "staging-jar",
              "staging-engine", "magic-memory", "magic-jar", "magic-engine", "iceberg", "iceberg-jar",
              "iceberg-engine"), runs=3,
    files=400, rows=40_000, runs_help="of each variant in each weather")
case.option("--rate", 60.0, "writes a second that the prefix takes", "N")
case.flag("--no-calm", "leave the unthrottled runs out")
given = case.parse()
# With a depth of one the output's directory is a partition, and every run has its own.
THROTTLING = ["--throttle", "%g,5500" % given.rate, "--partition-depth", "1"]


def writes(run):
    return run["write"]["requests"]["writes"]


def numbers(runs, name):
    """Of the median run, whose figures belong together; None when none went well."""
    mine = sorted(trials.right(runs.of(name, "throttled")), key=lambda r: r["write"]["seconds"])
    if not mine:
        return None
    middle = mine[len(mine) // 2]
    done, throttled = writes(middle)["done"], writes(middle)["throttled"]
    seconds, ideal = middle["write"]["seconds"], done / given.rate
    return {"needed": done, "ideal": ideal, "seconds": seconds, "ratio": seconds / ideal,
            "throttled": throttled, "share": throttled / writes(middle)["all"]}


def table(runs):
    rows = [["", "writes needed", "ideal", "time", "ratio", "throttled", "%", "calm", "all runs"]]
    for name in given.variants:
        n = numbers(runs, name)
        cells = ["-"] * 6 if n is None else [
            number(n["needed"]), "%.1f s" % n["ideal"], "%.1f s" % n["seconds"],
            "%.2f" % n["ratio"], number(n["throttled"]), "%.1f" % (100 * n["share"])]
        rows.append([case.title(name), *cells, trials.seconds(runs.of(name, "calm"), median),
                     trials.spread(runs.of(name, "throttled"))])
    return harness.table(rows)


def run():
    case.prepare()
    weathers = {"throttled": THROTTLING, **({} if given.no_calm else {"calm": []})}
    with harness.server(given) as server:
        runs = trials.Runs(case, server).take([
            (name, weather, lambda turn, arguments=arguments: arguments)
            for weather, arguments in weathers.items() for name in given.variants],
            read=lambda turn: turn == 0)
    case.head("Write of %d small files at %g writes a second; %d runs each, median run" % (
        given.files, given.rate, given.runs))
    print(table(runs))
    print("writes needed: those that the store did. ideal: them at %g a second. %%: of all write"
          "\nrequests. calm: the same write without throttling, median.\n" % given.rate)
    if "penstock" not in given.variants:
        return 0
    ours = numbers(runs, "penstock")
    return runs.goal(
        "Penstock at most %.2f of ideal and %.0f %% throttled"
        % (RATIO_GOAL, 100 * THROTTLED_GOAL),
        ours is not None and ours["ratio"] <= RATIO_GOAL and ours["share"] <= THROTTLED_GOAL)


case.main(run)
