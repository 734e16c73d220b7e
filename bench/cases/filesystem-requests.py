# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests does each call of Hadoop's FileSystem cost?

Makes the calls through Penstock, S3A, and S3A with its performance flags (create,mkdir), on the
same server, and counts them through the same proxy. A count that differs between repetitions is
shown as a range.
"""

import bench
import harness
import variants
from bench import Bench
from harness import Problem, say

# operation -> (title, budget of Penstock or None); "7" stands for names without an extension.
OPERATIONS = {
    "create-overwrite": ("create + close x.parquet, overwrite", 1),
    "create-no-overwrite": ("create + close x.parquet, if absent", 1),
    "create-plain-overwrite": ('create + close "7", overwrite', None),
    "create-plain-no-overwrite": ('create + close "7", if absent', None),
    "status-file": ("getFileStatus, file x.parquet", 1),
    "status-plain-file": ('getFileStatus, file "7"', 1),
    "status-directory": ("getFileStatus, directory", 2),
    "status-missing": ("getFileStatus, missing x.parquet", 2),
    "status-plain-missing": ('getFileStatus, missing "none"', 2),
    "open-unknown": ("open + read", 1),
    "open-known": ("openFile with status + read", 1),
    "mkdirs-existing": ("mkdirs, exists", 2),
    "mkdirs-new": ("mkdirs, parent exists", 2),
    "mkdirs-deep": ("mkdirs, three levels", 2),
    "delete-file": ("delete a file", 2),
    "delete-last-file": ("delete a directory's last file", 2),
    "delete-directory": ("delete a directory of 10 files", None),
    "rename-own-file": ("rename a file just written", 4),
    "rename-file": ("rename another's file, same directory", 5),
    "rename-file-away": ("rename another's file, away", 7),
    "rename-directory": ("rename a directory of 10 files", None),
    "list-directory": ("listStatus of 10 files", None),
    "list-recursive": ("listFiles recursive, 10 files in 5", None),
    "content-summary": ("getContentSummary of these", None),
    "copy-from-local": ("copyFromLocalFile to x.sst", 1),
    "copy-to-local": ("copyToLocalFile of x.sst", 2),
}


case = Bench(__doc__, variants.some("penstock", "s3a", "s3a-flags"))
case.option("--repetitions", 3, "of each call")
case.flag("--assert-budgets", "exit 1 when Penstock makes more requests than it may")
given = case.parse()


def measure():
    """Two maps by variant: {operation: [requests of each repetition]}, and what the job said."""
    counts, facts = {}, {}
    for name in given.variants:
        run_name = bench.section_name(name)
        said, = case.spark("filesystem.py", {"run": run_name, "repetitions": given.repetitions},
                           name, name)
        if set(said["operations"]) != set(OPERATIONS):
            raise Problem("jobs/filesystem.py and OPERATIONS name different operations: %s"
                          % sorted(set(said["operations"]) ^ set(OPERATIONS)))
        facts[name] = said
        sections = harness.sections(case.store.access_log)
        counts[name] = {"first-use": [sections["%s/first-use" % run_name]], **{
            operation: [sections["%s/%s/%d" % (run_name, operation, i)]
                        for i in range(given.repetitions)] for operation in OPERATIONS}}
        say("  %-10s %s: %d operations counted, %d requests"
            % (case.title(name), said["fs"].rsplit(".", 1)[1], len(OPERATIONS),
               sum(r.total for each in counts[name].values() for r in each)))
    return counts, facts


def cell(requests):
    totals = sorted({r.total for r in requests})
    total = str(totals[0]) if len(totals) == 1 else "%d-%d" % (totals[0], totals[-1])
    return "%s %s" % (total, harness.letters(requests[0].kinds, one=""))


def counts_table(counts):
    rows = [["", "max", *(case.title(name) for name in given.variants)]]
    for operation, (title, budget) in OPERATIONS.items():
        rows.append([title, "" if budget is None else str(budget),
                     *(cell(counts[name][operation]) for name in given.variants)])
    return harness.table(rows, left=len(rows[0]))


def over_budget(counts):
    for operation, (title, budget) in OPERATIONS.items():
        most = max(counts["penstock"][operation], key=lambda r: r.total)
        if budget is not None and most.total > budget:
            yield "%s: %d requests, %d are allowed: %s" % (
                title, most.total, budget, dict(most.operations))


def of_each(text):
    return "; ".join("%s %s" % (case.title(name), text(name)) for name in given.variants)


def run():
    with case.counted_store():
        counts, facts = measure()
    case.save(counts={name: {operation: [r.as_json() for r in each]
                             for operation, each in by_operation.items()}
                      for name, by_operation in counts.items()})
    case.head("Requests of one call, %d times" % given.repetitions)
    print(counts_table(counts) + "\n")
    print("max: what Penstock may make. C copy, D delete, G get, H head, L list, O post,"
          "\nP put. \"7\" stands for every name that does not look like a file's.")
    print("first use of a file system, with a create: "
          + of_each(lambda name: cell(counts[name]["first-use"])))
    print("a directory outlives its last file: " + of_each(
        lambda name: "yes" if facts[name]["directoryOutlivesItsLastFile"] else "no"))
    return case.over_budget(list(over_budget(counts)) if "penstock" in counts else [])


case.main(run)
