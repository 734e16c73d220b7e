# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests does a Spark write cost, and how long does it take?

The job is spark.range(0, 4_000_000, 1, 100).write.mode("overwrite").parquet(NEW PATH), or with
--statement insert the statement of the published comparison, INSERT OVERWRITE DIRECTORY … SELECT *
FROM range(0, 4e9, 1, 100) with fewer --rows, or with --statement scan the same from a table of as
many files, by Penstock and by every committer of S3A, in turn, on the same server, through the same
counting proxy. Each run is a Spark of its own and a path of its own; the order rotates from one
round to the next. With --partitions N each task writes a file into each of N partitions; with
--dynamic the job overwrites half of the N partitions of a table dynamically.
"""

import bench
import harness
import variants
from bench import Bench
from harness import number, say

VARIANTS = variants.some("penstock", "penstock-uploads", "staging", "magic-tuned", "magic-memory",
                         "magic", "rename-v2", "rename-v1", "disk")
# The flags of magic-tuned change nothing on the magic committer's paths; the disk shows how long
# Spark itself takes.
ON_DEMAND = {"penstock-uploads", "magic-tuned", "disk"}

case = Bench(__doc__, VARIANTS, [name for name in VARIANTS if name not in ON_DEMAND])
case.option("--repetitions", 3, "of each variant")
case.option("--rows", 4_000_000)
case.option("--files", 100)
case.choice("--statement", ("dataframe", "insert", "scan"), "how Spark is told to write")
case.flag("--warm", "measure the second such job of each Spark: classes are loaded then")
case.option("--slots", 2, "tasks at once")
case.option("--partitions", 0, "of the table; the files are a multiple of it")
case.flag("--dynamic", "overwrite half of the partitions, in mode dynamic")
case.option("--budget", int, "exit 1 when Penstock makes more requests than this in any run")
given = case.parse()
if given.statement != "dataframe" and given.partitions:
    case.error("INSERT OVERWRITE DIRECTORY has no partitions: leave --partitions out")
if given.partitions and given.files % given.partitions:
    case.error("--files must be a multiple of --partitions")
if given.dynamic and given.partitions % 2 + (given.partitions == 0):
    case.error("--dynamic needs an even number of --partitions")
if given.rows < given.files:
    case.error("need one row a file at least")


def one(name, is_first):
    section = bench.section_name(name)
    root = (harness.RUN / "scratch").as_uri() if name == "disk" else "s3a://" + given.bucket
    said, = case.spark("commit.py", {
        "path": "%s/%s" % (root, section), "section": section, "rows": given.rows,
        "files": given.files, "partitions": given.partitions, "dynamic": given.dynamic,
        "warm": given.warm, "statement": given.statement,
        # Rows are read back once for each variant, and files are counted every time.
        "check": is_first}, name, name)
    requests = case.requests(section)
    return {**said, "requests": requests.as_json(), "total": requests.total,
            "dollars": requests.dollars, "failed": requests.failed}


def told(run):
    return "%7s requests  %6.1f s  %.1f s CPU%s" % (
        number(run["total"]), run["seconds"], run["cpu"],
        "  (%d failed)" % run["failed"] if run["failed"] else "")


def measure():
    runs = {name: [] for name in given.variants}
    for repetition in range(given.repetitions):
        for name in harness.rotated(given.variants, repetition):
            runs[name].append(one(name, repetition == 0))
            say("  %-18s %s" % (case.title(name), told(runs[name][-1])))
            case.save(rows=given.rows, files=given.files, runs=runs)
    return runs


def what():
    if given.dynamic:
        return "dynamic overwrite of %d of %d partitions" % (
            given.partitions // 2, given.partitions)
    where = ", %d partitions" % given.partitions if given.partitions else ""
    how = {"dataframe": "overwrite", "insert": "INSERT OVERWRITE DIRECTORY",
           "scan": "INSERT OVERWRITE DIRECTORY from a table"}[given.statement]
    return how + ", new path" + where + (", second job" if given.warm else "")


def span(values):
    low, high = min(values), max(values)
    return number(low) if low == high else "%s-%s" % (number(low), number(high))


def tables(runs):
    rows = {case.title(name): mine for name, mine in runs.items()}
    first = runs[given.variants[0]]
    yield bench.table_of("", rows, {
        "all": lambda mine: number(bench.typical(mine)["total"]),
        **bench.kinds(lambda mine, kind: number(
            bench.typical(mine)["requests"]["kinds"].get(kind, 0))),
        "median": bench.median_of("seconds", "%.1f s"), "ratio": bench.ratio_to(first)})
    yield bench.table_of("", rows, {
        "requests": lambda mine: span([run["total"] for run in mine]),
        "a file": bench.median_of("total", "%.2f", given.files),
        "ratio": lambda mine: "%.2f" % (
            bench.middle(mine, "total") / max(1, bench.middle(first, "total"))),
        "$/1,000": bench.median_of("dollars", "%.2f", 1 / 1000),
        "CPU": bench.CPU,
        "elapsed, all runs": lambda mine: " ".join(
            "%.1f" % seconds for seconds in sorted(run["seconds"] for run in mine)) + " s"})


def sizes():
    own = (case.jars / "penstock-spark.jar").stat().st_size
    text = "penstock-spark.jar %s" % harness.megabytes(own)
    if case.s3a:
        theirs = sum(case.s3a[part].stat().st_size for part in ("hadoop-aws", "bundle"))
        text += "; hadoop-aws + SDK bundle %s, %.0f times as much" % (
            harness.megabytes(theirs), theirs / own)
    return text


def run():
    with case.counted_store():
        say("%s rows in %d files; %s" % (number(given.rows), given.files, case.where))
        runs = measure()
    case.head("Write of %s rows in %d files, %s; %d runs each" % (
        number(given.rows), given.files, what(), given.repetitions))
    print("\n\n".join(tables(runs)))
    print("$/1,000: price of the requests of 1,000 such jobs on S3 Standard, us-east-1."
          "\nCPU: of Spark's JVM during the job, median.\n")
    print(sizes())
    worst = max(runs.get("penstock", []), key=lambda run: run["total"], default=None)
    if given.budget is not None and worst and worst["total"] > given.budget:
        say("\nFAILED: Penstock made %d requests, %d are allowed: %s"
            % (worst["total"], given.budget, worst["requests"]["operations"]))
        return 1
    return 0


case.main(run)
