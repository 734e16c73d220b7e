# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How much longer does a write take when one request in a hundred takes 5 to 60 seconds?

Spark writes files and reads them back, once with stragglers and once without. A straggler is any
request: nothing happens for its time, then all goes well. All variants have the same seeds, so
the same share of their requests is struck; which ones these are depends on their order.
"""

import bench
import harness
import trials
from harness import median, number

# One percent of all requests; short stalls are likelier than long ones, as S3 has them.
RULE = "*@0.01=stall:5s-60s"
RATIO_GOAL = 2.0

case = trials.bench(__doc__, ("penstock", "staging", "staging-engine", "magic-memory",
                            "magic-engine", "iceberg", "iceberg-engine"), runs=3, files=100,
                    rows=400_000, runs_help="seeds of each variant, 1 and up")
case.flag("--no-calm", "leave the runs without out")
case.option("--rule", RULE, "as in 'penstock weather --faults'")
given = case.parse()


def cells():
    for name in given.variants:
        if not given.no_calm:
            yield name, "calm", lambda turn: []
        yield name, "stragglers", lambda turn: ["--faults", given.rule, "--seed", str(turn + 1)]


def times(runs, name, weather, step):
    return [run[step]["seconds"] for run in trials.right(runs.of(name, weather))]


def ratio(runs, name, of, step):
    """Of a time with stragglers to the median without; None when none went well."""
    calm, struck = times(runs, name, "calm", step), times(runs, name, "stragglers", step)
    return of(struck) / median(calm) if calm and struck else None


def table(runs, step):
    def requests(what):
        def cell(name):
            counts = [run[step]["requests"][what]
                      for run in trials.right(runs.of(name, "stragglers"))]
            return number(round(median(counts))) if counts else "-"
        return cell

    def time(of):
        return lambda name: trials.seconds(runs.of(name, "stragglers"), of, step)

    def told_ratio(of):
        def cell(name):
            found = ratio(runs, name, of, step)
            return "-" if found is None else "%.2f" % found
        return cell

    return bench.columns_of(given.variants, [
        (step, case.title),
        ("calm", lambda name: trials.seconds(runs.of(name, "calm"), median, step)),
        ("CPU", lambda name: trials.seconds(runs.of(name, "calm"), median, step, "cpu")),
        ("median", time(median)), ("ratio", told_ratio(median)), ("worst", time(max)),
        ("ratio", told_ratio(max)), ("requests", requests("total")), ("slow", requests("slow")),
        ("all seeds", lambda name: trials.spread(runs.of(name, "stragglers"), step))])


def run():
    case.prepare()
    with harness.server(given) as server:
        runs = trials.Runs(case, server).take(list(cells()))
    case.head("Write of %s rows in %d files, and reading them; %d seeds; %s" % (
        number(given.rows), given.files, given.runs, given.rule))
    for step in ("write", "read"):
        print(table(runs, step) + "\n")
    print("calm: without stragglers, median; CPU of Spark then. ratio: to calm. requests: with stragglers. slow: those"
          "\nthat took 5 s or more and were answered while the step lasted.\n")
    if "penstock" not in given.variants:
        return 0
    worst = ratio(runs, "penstock", max, "write")
    return runs.goal(
        "Penstock's write with stragglers at most %.0f times as long as without, at worst"
        % RATIO_GOAL, worst is not None and worst <= RATIO_GOAL)


case.main(run)
