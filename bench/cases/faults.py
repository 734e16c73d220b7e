# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Is what was written what is read, when requests fail in every way?

Of all requests 3 % each are answered 500 by a store that did nothing, lose their connection before
the store acted, and lose it after the store acted; of the reads another 3 % break off half way.
Spark writes files and reads them back in that weather, and what it read is compared with what it
wrote: the number of rows, their sum, and a hash over all of them.
"""

import harness
import trials
from harness import median, number

RULE = "*@0.03=500,*@0.03=reset-before,*@0.03=reset-after,GetObject@0.03=truncate"

case = trials.bench(__doc__, ("penstock", "staging", "staging-engine", "magic-memory", "magic-engine",
                            "iceberg", "iceberg-engine"), runs=3, files=100,
                    rows=400_000, runs_help="seeds of each variant, 1 and up")
case.option("--rule", RULE, "as in 'penstock weather --faults'")
given = case.parse()


def middle(runs, step, value):
    values = [value(run[step]) for run in runs if "requests" in run.get(step, {})]
    return median(values) if values else None


def table(runs):
    rows = [["", "wrote", "read", "equal", "write", "requests", "failed", "read", "requests",
             "failed"]]
    for name in given.variants:
        mine = [run for run in runs.all if run["variant"] == name]
        wrote = [run for run in mine if run["write"].get("error", True) is None]
        read = [run for run in wrote if run["read"]["error"] is None]
        row = [case.title(name)]
        row += ["%d/%d" % (len(some), len(mine)) for some in (wrote, read, trials.right(read))]
        for step in ("write", "read"):
            for text, value in (("%.1f s", lambda it: it["seconds"]),
                                ("%.0f", lambda it: it["requests"]["total"]),
                                ("%.0f", lambda it: it["requests"]["failed"])):
                found = middle(mine, step, value)
                row.append("-" if found is None else text % found)
        rows.append(row)
    return harness.table(rows)


def run():
    case.prepare()
    with harness.server(given) as server:
        runs = trials.Runs(case, server).take([
            (name, "faults", lambda turn: ["--faults", given.rule, "--seed", str(turn + 1)])
            for name in given.variants])
    case.head("Write of %s rows in %d files, and reading them; %d seeds; %s" % (
        number(given.rows), given.files, given.runs, given.rule))
    print(table(runs))
    print("wrote, read: jobs that succeeded. equal: what was read is what was written. Times and"
          "\nrequests: medians of all seeds, of failed jobs too; failed: requests answered 5xx or"
          "\nnot at all.\n")
    for i, failed in enumerate(runs.all):
        if failed["error"]:
            print("%s, seed %d: %s" % (case.title(failed["variant"]),
                                       i // len(given.variants) + 1, failed["error"]))
    if "penstock" not in given.variants:
        return 0
    return runs.goal("Penstock succeeds with equal content under every seed", True)


case.main(run)
