# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests does a Spark write cost, and how long does it take?

The job is spark.range(0, 4_000_000, 1, 100).write.mode("overwrite").parquet(NEW PATH), or with
--statement insert the statement of the published comparison, INSERT OVERWRITE DIRECTORY … SELECT *
FROM range(0, 4e9, 1, 100) with fewer --rows, or with --statement scan the same from a table of as many
files, by Penstock and by every committer of S3A, in turn, on the same server, through the same counting proxy. Each
run is a Spark of its own and a path of its own; the order rotates from one round to the next.
With --partitions N each task writes a file into each of N partitions; with --dynamic the job
overwrites half of the N partitions of a table dynamically.
"""

import json
import pathlib
import time

import harness
import variants
from harness import median, number, say

VARIANTS = variants.some("penstock", "penstock-uploads", "staging", "magic-tuned", "magic-memory", "magic",
                         "rename-v2", "rename-v1", "disk")
# The flags of magic-tuned change nothing on the magic committer's paths; the disk shows how long
# Spark itself takes.
ON_DEMAND = {"penstock-uploads", "magic-tuned", "disk"}


def options():
    parser = harness.parser(__doc__, "variants:\n" + "\n".join(
        "  %-14s %s" % (name, title) for name, (title, _) in VARIANTS.items()))
    harness.common_options(parser)
    parser.add_argument("--repetitions", type=int, default=3, metavar="N",
                        help="of each variant (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME,…", help="of the variants, only these")
    parser.add_argument("--rows", type=int, default=4_000_000, help="default: %(default)s")
    parser.add_argument("--files", type=int, default=100, help="default: %(default)s")
    parser.add_argument("--statement", choices=("dataframe", "insert", "scan"), default="dataframe",
                        help="how Spark is told to write (default: %(default)s)")
    parser.add_argument("--warm", action="store_true",
                        help="measure the second such job of each Spark: classes are loaded then")
    parser.add_argument("--slots", type=int, default=2, metavar="N",
                        help="tasks at once (default: %(default)s)")
    parser.add_argument("--partitions", type=int, default=0, metavar="N",
                        help="of the table; the files are a multiple of it (default: none)")
    parser.add_argument("--dynamic", action="store_true",
                        help="overwrite half of the partitions, in mode dynamic")
    parser.add_argument("--budget", type=int, metavar="N",
                        help="exit 1 when Penstock makes more requests than this in any run")
    parser.add_argument("--json", type=pathlib.Path,
                        default=harness.WORK / "commit-requests.json", metavar="FILE",
                        help="where the raw runs go (default: bench/.work/commit-requests.json)")
    given = parser.parse_args()
    given.variants = (
        given.only.split(",") if given.only else [v for v in VARIANTS if v not in ON_DEMAND])
    unknown = [name for name in given.variants if name not in VARIANTS]
    if unknown:
        parser.error("no variant %s; there are %s" % (", ".join(unknown), ", ".join(VARIANTS)))
    if given.statement != "dataframe" and given.partitions:
        parser.error("INSERT OVERWRITE DIRECTORY has no partitions: leave --partitions out")
    if given.partitions and given.files % given.partitions:
        parser.error("--files must be a multiple of --partitions")
    if given.dynamic and given.partitions % 2 + (given.partitions == 0):
        parser.error("--dynamic needs an even number of --partitions")
    if given.repetitions < 1 or given.files < 1 or given.rows < given.files:
        parser.error("need one repetition, one file, and one row a file at least")
    return given


def root(name, store):
    return (harness.RUN / "scratch").as_uri() if name == "disk" else "s3a://" + store.bucket


def measure(given, store, python, ours, s3a, keep):
    runs = []
    count = given.repetitions * len(given.variants)
    for repetition in range(given.repetitions):
        shift = repetition % len(given.variants)
        for name in given.variants[shift:] + given.variants[:shift]:
            section = "%s-%d-%d" % (name, repetition, int(time.time() * 1000))
            # Rows are read back once for each variant, and files are counted every time.
            check = "check" if repetition == 0 else "no"
            said = harness.run_spark(
                python, "commit.py",
                [store.endpoint, store.bucket, root(name, store), section, str(given.rows), str(given.files), check,
                 str(given.partitions), "dynamic" if given.dynamic else "new",
                 "warm" if given.warm else "cold", given.statement],
                store, variants.class_path(name, ours, s3a),
                {**VARIANTS[name][1], "spark.master": "local[%d]" % given.slots}, name,
                given.timeout)
            run = {"variant": name, "repetition": repetition, **said[0]}
            requests = harness.sections(store.access_log)[section]
            run["requests"] = requests.as_json()
            run["dollars"] = requests.dollars
            run["failed"] = requests.failed
            runs.append(run)
            keep(runs)
            say("  %3d/%d  %-18s %7s requests  %6.1f s%s%s" % (
                len(runs), count, VARIANTS[name][0], number(requests.total), run["seconds"],
                "  %.1f s CPU" % run["cpuSeconds"] if run["cpuSeconds"] is not None else "",
                "  (%d failed)" % requests.failed if requests.failed else ""))
    return runs


def what(given):
    if given.dynamic:
        return "dynamic overwrite of %d of %d partitions" % (
            given.partitions // 2, given.partitions)
    where = ", %d partitions" % given.partitions if given.partitions else ""
    how = {"dataframe": "overwrite", "insert": "INSERT OVERWRITE DIRECTORY",
           "scan": "INSERT OVERWRITE DIRECTORY from a table"}[given.statement]
    return how + ", new path" + where + (", second job" if given.warm else "")


def of_variant(runs, name):
    return [run for run in runs if run["variant"] == name]


def span(values):
    low, high = min(values), max(values)
    return number(low) if low == high else "%s-%s" % (number(low), number(high))


def requests_table(given, runs):
    rows = [["", "all", *(k if k != "DELETE" else "DEL" for k in harness.KINDS), "median", "ratio"]]
    base = median([r["seconds"] for r in of_variant(runs, given.variants[0])])
    for name in given.variants:
        mine = of_variant(runs, name)
        # The median run as a whole, so that the kinds add up to the sum.
        middle = sorted(mine, key=lambda r: r["requests"]["total"])[len(mine) // 2]["requests"]
        seconds = median([r["seconds"] for r in mine])
        rows.append([VARIANTS[name][0], number(middle["total"]),
                     *(number(middle["kinds"].get(k, 0)) for k in harness.KINDS),
                     "%.1f s" % seconds, "%.2f" % (seconds / base)])
    return harness.table(rows)


def spread_table(given, runs):
    rows = [["", "requests", "a file", "ratio", "$/1,000", "CPU", "elapsed, all runs"]]
    base = max(1, median([r["requests"]["total"] for r in of_variant(runs, given.variants[0])]))
    for name in given.variants:
        mine = of_variant(runs, name)
        totals = [r["requests"]["total"] for r in mine]
        rows.append([
            VARIANTS[name][0], span(totals), "%.2f" % (median(totals) / given.files),
            "%.2f" % (median(totals) / base),
            "%.2f" % (1000 * median([r["dollars"] for r in mine])), cpu(mine),
            " ".join("%.1f" % s for s in sorted(r["seconds"] for r in mine)) + " s"])
    return harness.table(rows)


def cpu(runs):
    values = [r["cpuSeconds"] for r in runs]
    return "-" if None in values else "%.1f s" % median(values)


def sizes(ours, s3a):
    own = (ours / "penstock-spark.jar").stat().st_size
    text = "penstock-spark.jar %s" % harness.megabytes(own)
    if s3a:
        theirs = s3a["hadoop-aws"].stat().st_size + s3a["bundle"].stat().st_size
        text += "; hadoop-aws + SDK bundle %s, %.0f times as much" % (
            harness.megabytes(theirs), theirs / own)
    return text


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if set(given.variants) <= {"penstock", "penstock-uploads", "disk"} else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    with harness.counted_store(given, ours) as store:
        where = "Spark %s, local[%d], %s, latency %s" % (
            version, given.slots, store.name, given.latency)
        say("%s rows in %d files; %s" % (number(given.rows), given.files, where))
        runs = measure(given, store, python, ours, s3a, lambda some: keep(given, where, some))
    print("\nWrite of %s rows in %d files, %s; %d runs each\n%s\n%s\n"
          % (number(given.rows), given.files, what(given), given.repetitions, where,
             harness.machine()))
    print(requests_table(given, runs) + "\n")
    print(spread_table(given, runs))
    print("$/1,000: price of the requests of 1,000 such jobs on S3 Standard, us-east-1."
          "\nCPU: of Spark's JVM during the job, median.\n")
    print(sizes(ours, s3a))
    return verdict(given, runs)


def keep(given, where, runs):
    """Writes the raw runs, after each: those before an interruption are not lost."""
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "where": where, "rows": given.rows, "files": given.files,
        "runs": runs}, indent=1) + "\n")


def verdict(given, runs):
    most = max((r["requests"]["total"] for r in of_variant(runs, "penstock")), default=0)
    if given.budget is not None and most > given.budget:
        worst = max(of_variant(runs, "penstock"), key=lambda r: r["requests"]["total"])
        say("\nFAILED: Penstock made %d requests, %d are allowed: %s"
            % (most, given.budget, worst["requests"]["operations"]))
        return 1
    return 0


harness.main(run)
