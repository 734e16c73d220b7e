# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests does each call of Hadoop's FileSystem cost?

Makes the calls through Penstock, S3A, and S3A with its performance flags (create,mkdir), on the
same server, and counts them through the same proxy. A count that differs between repetitions is
shown as a range.
"""

import json
import pathlib
import time

import harness
from harness import Problem, say

# name -> (title, settings)
VARIANTS = {
    "penstock": ("Penstock", {"spark.plugins": "io.penstock.spark.PenstockPlugin"}),
    "s3a": ("S3A", {}),
    "s3a-flags": ("S3A flags", {"spark.hadoop.fs.s3a.performance.flags": "create,mkdir"}),
}

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


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.add_argument("--repetitions", type=int, default=3, metavar="N",
                        help="of each call (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME,…",
                        help="of the variants %s only these" % ", ".join(VARIANTS))
    parser.add_argument("--assert-budgets", action="store_true",
                        help="exit 1 when Penstock makes more requests than it may")
    parser.add_argument("--json", type=pathlib.Path,
                        default=harness.WORK / "filesystem-requests.json", metavar="FILE",
                        help="where the counts go (default: bench/.work/filesystem-requests.json)")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    unknown = [name for name in given.variants if name not in VARIANTS]
    if unknown:
        parser.error("no variant %s; there are %s" % (", ".join(unknown), ", ".join(VARIANTS)))
    if given.repetitions < 1:
        parser.error("need one repetition at least")
    return given


def measure(given, store, python, ours, s3a):
    """Two maps by variant: {operation: [requests of each repetition]}, and what the job said."""
    counts, facts = {}, {}
    for name in given.variants:
        run_name = "%s-%d" % (name, int(time.time() * 1000))
        jars = ([ours / "penstock-spark.jar"] if name == "penstock"
                else [jar for part, jar in s3a.items() if part != "spark-hadoop-cloud"])
        said = harness.run_spark(
            python, "filesystem.py",
            [store.endpoint, store.bucket, run_name, str(given.repetitions)],
            store, jars, VARIANTS[name][1], name, given.timeout)
        if set(said[0]["operations"]) != set(OPERATIONS):
            raise Problem("jobs/filesystem.py and OPERATIONS name different operations: %s"
                          % sorted(set(said[0]["operations"]) ^ set(OPERATIONS)))
        facts[name] = said[0]
        sections = harness.sections(store.access_log)
        counts[name] = {"first-use": [sections["%s/first-use" % run_name]]}
        for operation in OPERATIONS:
            counts[name][operation] = [
                sections["%s/%s/%d" % (run_name, operation, i)] for i in range(given.repetitions)]
        say("  %-10s %s: %d operations counted, %d requests"
            % (VARIANTS[name][0], said[0]["fs"].rsplit(".", 1)[1], len(OPERATIONS),
               sum(r.total for each in counts[name].values() for r in each)))
    return counts, facts


SHORT = {"COPY": "C", "DELETE": "D", "GET": "G", "HEAD": "H", "LIST": "L", "POST": "O", "PUT": "P"}


def cell(requests):
    totals = sorted({r.total for r in requests})
    total = str(totals[0]) if len(totals) == 1 else "%d-%d" % (totals[0], totals[-1])
    kinds = requests[0].kinds
    letters = "".join(
        "%s%s" % ("" if kinds[k] == 1 else kinds[k], SHORT[k]) for k in SHORT if kinds[k])
    return "%s %s" % (total, letters)


def counts_table(given, counts):
    rows = [["", "max", *(VARIANTS[name][0] for name in given.variants)]]
    for operation, (title, budget) in OPERATIONS.items():
        rows.append([title, "" if budget is None else str(budget),
                     *(cell(counts[name][operation]) for name in given.variants)])
    return harness.table(rows, left=len(rows[0]))


def over_budget(counts):
    broken = []
    for operation, (title, budget) in OPERATIONS.items():
        most = max(counts["penstock"][operation], key=lambda r: r.total)
        if budget is not None and most.total > budget:
            broken.append("%s: %d requests, %d are allowed: %s"
                          % (title, most.total, budget, dict(most.operations)))
    return broken


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    with harness.counted_store(given, ours) as store:
        where = "Spark %s, %s" % (version, store.name)
        say("each call %d times; %s" % (given.repetitions, where))
        counts, facts = measure(given, store, python, ours, s3a)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "where": where,
        "counts": {name: {operation: [r.as_json() for r in each]
                          for operation, each in by_operation.items()}
                   for name, by_operation in counts.items()}}, indent=1) + "\n")
    print("\nRequests of one call; %s\n" % where)
    print(counts_table(given, counts) + "\n")
    print("max: what Penstock may make. C copy, D delete, G get, H head, L list, O post,"
          "\nP put. \"7\" stands for every name that does not look like a file's.")
    print("first use of a file system, with a create: %s" % "; ".join(
        "%s %s" % (VARIANTS[name][0], cell(counts[name]["first-use"])) for name in given.variants))
    outlives = {True: "yes", False: "no"}
    print("a directory outlives its last file: %s" % "; ".join(
        "%s %s" % (VARIANTS[name][0], outlives[facts[name]["directoryOutlivesItsLastFile"]])
        for name in given.variants))
    broken = over_budget(counts) if "penstock" in counts else []
    for line in broken:
        say("over budget: " + line)
    return 1 if broken and given.assert_budgets else 0


harness.main(run)
