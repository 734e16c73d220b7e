# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How much longer does a write take when one request in a hundred takes 5 to 60 seconds?

Spark writes files and reads them back, once with stragglers and once without. A straggler is any
request: nothing happens for its time, then all goes well. All variants have the same seeds, so
the same share of their requests is struck; which ones these are depends on their order.
"""


import harness
import trials
import variants
from harness import median, number, say

NAMES = ("penstock", "staging", "magic-memory")
# One percent of all requests; short stalls are likelier than long ones, as S3 has them.
RULE = "*@0.01=stall:5s-60s"
RATIO_GOAL = 2.0


def options():
    parser = trials.parser(__doc__, NAMES, runs=3, files=100, rows=400_000,
                           runs_help="seeds of each variant, 1 and up")
    parser.add_argument("--no-calm", action="store_true", help="leave the runs without out")
    parser.add_argument("--rule", default=RULE, help="as in 'penstock weather --faults'")
    return trials.options(parser)


def measure(given, setup):
    weathers = ("stragglers",) if given.no_calm else ("calm", "stragglers")
    cells = [(name, weather) for name in given.variants for weather in weathers]
    runs = trials.Runs(setup, given.runs * len(cells))
    for turn in range(given.runs):
        for name, weather in trials.rotated(cells, turn):
            struck = ["--faults", given.rule, "--seed", str(turn + 1)]
            runs.run(name, struck if weather == "stragglers" else [], weather, read=True)
    return runs


def ratio(runs, name, of, step):
    """Of a time with stragglers to the median without; None when none went well."""
    calm = [run[step]["seconds"] for run in trials.right(runs.of(name, "calm"))]
    struck = [run[step]["seconds"] for run in trials.right(runs.of(name, "stragglers"))]
    return of(struck) / median(calm) if calm and struck else None


def table(given, runs, step):
    rows = [[step, "calm", "median", "ratio", "worst", "ratio", "requests", "slow", "all seeds"]]
    for name in given.variants:
        struck = runs.of(name, "stragglers")
        requests = [run[step]["requests"] for run in trials.right(struck)]
        row = [variants.ALL[name][0], trials.seconds(runs.of(name, "calm"), median, step)]
        for of in (median, max):
            found = ratio(runs, name, of, step)
            row += [trials.seconds(struck, of, step), "-" if found is None else "%.2f" % found]
        row += [number(round(median([r["total"] for r in requests]))) if requests else "-",
                number(round(median([r["slow"] for r in requests]))) if requests else "-",
                trials.spread(struck, step)]
        rows.append(row)
    return harness.table(rows)


def run():
    given = options()
    with trials.ready(given) as setup:
        say("%d files, %s; %s" % (given.files, given.rule, setup.where))
        runs = measure(given, setup)
    print("\nWrite of %s rows in %d files, and reading them; %d seeds\n%s\n%s\n"
          % (number(given.rows), given.files, given.runs, setup.where, harness.machine()))
    for step in ("write", "read"):
        print(table(given, runs, step) + "\n")
    print("calm: without stragglers, median. ratio: to calm. requests: with stragglers. slow: those"
          "\nthat took 5 s or more and were answered while the step lasted.\n")
    if "penstock" not in given.variants:
        return 0
    worst = ratio(runs, "penstock", max, "write")
    return trials.goal(
        given, "Penstock's write with stragglers at most %.0f times as long as without, at worst"
        % RATIO_GOAL, worst is not None and worst <= RATIO_GOAL,
        runs.of("penstock", "calm", "stragglers"))


harness.main(run)
