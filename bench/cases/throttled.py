# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How long does a write take that the store throttles, with nothing set?

Spark writes many small files into one prefix that takes 60 writes a second, and a quarter of a
second's worth at once, and answers 503 SlowDown beyond that. No write can be faster than its
requests divided by 60: the ideal. Each variant is also run without throttling.
"""


import harness
import trials
import variants
from harness import median, number, say

NAMES = ("penstock", "penstock-backoff", "penstock-aimd", "staging", "magic-memory")
RATIO_GOAL = 1.15
THROTTLED_GOAL = 0.03


def options():
    parser = trials.parser(__doc__, NAMES, runs=3, files=400, rows=40_000,
                           runs_help="of each variant in each weather")
    parser.add_argument("--rate", type=float, default=60, metavar="N",
                        help="writes a second that the prefix takes (default: %(default)s)")
    parser.add_argument("--no-calm", action="store_true", help="leave the unthrottled runs out")
    return trials.options(parser)


def measure(given, setup):
    # With a depth of one the output's directory is a partition, and every run has its own.
    throttling = ["--throttle", "%g,5500" % given.rate, "--partition-depth", "1"]
    cells = [(name, "throttled", throttling) for name in given.variants]
    if not given.no_calm:
        cells += [(name, "calm", []) for name in given.variants]
    runs = trials.Runs(setup, given.runs * len(cells))
    for turn in range(given.runs):
        for name, weather, arguments in trials.rotated(cells, turn):
            runs.run(name, arguments, weather, read=turn == 0)
    return runs


def writes(run):
    return run["write"]["requests"]["writes"]


def numbers(given, runs, name):
    """Of the median run, whose figures belong together; None when none went well."""
    mine = sorted(trials.right(runs.of(name, "throttled")), key=lambda r: r["write"]["seconds"])
    if not mine:
        return None
    middle = mine[len(mine) // 2]
    done, throttled = writes(middle)["done"], writes(middle)["throttled"]
    seconds, ideal = middle["write"]["seconds"], done / given.rate
    return {"needed": done, "ideal": ideal, "seconds": seconds, "ratio": seconds / ideal,
            "throttled": throttled, "share": throttled / writes(middle)["all"]}


def table(given, runs):
    rows = [["", "writes needed", "ideal", "time", "ratio", "throttled", "%", "calm", "all runs"]]
    for name in given.variants:
        n = numbers(given, runs, name)
        cells = ["-"] * 6 if n is None else [
            number(n["needed"]), "%.1f s" % n["ideal"], "%.1f s" % n["seconds"],
            "%.2f" % n["ratio"], number(n["throttled"]), "%.1f" % (100 * n["share"])]
        rows.append([variants.ALL[name][0], *cells, trials.seconds(runs.of(name, "calm"), median),
                     trials.spread(runs.of(name, "throttled"))])
    return harness.table(rows)


def run():
    given = options()
    with trials.ready(given) as setup:
        say("%d files, %g writes a second; %s" % (given.files, given.rate, setup.where))
        runs = measure(given, setup)
    print("\nWrite of %d small files at %g writes a second; %d runs each, median run\n%s\n%s\n"
          % (given.files, given.rate, given.runs, setup.where, harness.machine()))
    print(table(given, runs))
    print("writes needed: those that the store did. ideal: them at %g a second. %%: of all write"
          "\nrequests. calm: the same write without throttling, median.\n" % given.rate)
    if "penstock" not in given.variants:
        return 0
    ours = numbers(given, runs, "penstock")
    return trials.goal(
        given, "Penstock at most %.2f of ideal and %.0f %% throttled"
        % (RATIO_GOAL, 100 * THROTTLED_GOAL),
        ours is not None and ours["ratio"] <= RATIO_GOAL and ours["share"] <= THROTTLED_GOAL,
        runs.of("penstock", "throttled", "calm"))


harness.main(run)
