# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How does a job fare whose files become smaller and smaller, until S3 throttles it?

The job of the published AIMD table, scaled: Spark reads a table and writes it again into one
prefix, in five shapes of maxRecordsPerFile, from 21,568 files to 579,158. The published cluster has
1,600 threads, and S3 takes 3,500 writes and 5,500 reads a second: --scale says what share of them
is here. Each thread writes the share --length of its published files, which lasts that share of the
time. A file has one row where the published one has 100 (--density), and a thread sleeps for the
time in which the published ones computed the others.

Two rows of the table are EMRFS's strategies, exponential backoff and AIMD as they are documented,
in Penstock's client, with three requests for each file as EMRFS sends them.
"""
import shutil
import subprocess
import time

import harness
import variants
from bench import Bench
from harness import number, say

UPLOADS = variants.ALL["penstock-uploads"][1]
VARIANTS = {
    "emrfs-backoff": ("EMRFS's backoff", {**UPLOADS, variants.POLICY: "backoff"}),
    "emrfs-aimd": ("EMRFS's AIMD", {**UPLOADS, variants.POLICY: "aimd"}),
    **variants.some("staging", "magic-memory", "penstock-uploads", "penstock"),
}
# rows of the published table -> (records a file, files, published seconds and throttled writes of
# backoff, the same of AIMD); the first has no limit of records but 128 MiB of input a task.
SHAPES = {
    "1-2": (None, 21_568, (285, 0.0), (293, 0.0)),
    "3-4": (1_000_000, 59_024, (325, 0.0104), (374, 0.0018)),
    "5-6": (500_000, 116_658, (366, 0.0662), (472, 0.0098)),
    "7-8": (250_000, 232_594, (558, 0.1462), (616, 0.0067)),
    "9-10": (100_000, 579_158, (1287, 0.2346), (1138, 0.0056)),
}
THREADS, TASKS, INPUT_FILES, ROWS = 1_600, 2_800, 1_486, 57_600_000_000
WRITES, READS = 3_500, 5_500
# Of 2.7 TiB, and of what the rows here take in Parquet.
PUBLISHED_BYTES_A_ROW, BYTES_A_ROW = 51.5, 75
MIB = 1 << 20
PUBLISHED = {"emrfs-backoff": 2, "emrfs-aimd": 3}


case = Bench(__doc__, VARIANTS, latency="s3", timeout=3600)
case.option("--scale", 0.01, "of the published threads, files and limits", "SHARE")
case.option("--length", 0.25, "of the published work of each thread", "SHARE")
case.option("--compute", 8.7, "a second of a thread, of published bytes, as 'penstock simulate"
            " published' has it; 0: as fast as this machine", "MIB")
case.option("--density", 0.01, "of the published rows in each file", "SHARE")
case.names("--shapes", list(SHAPES), "rows of the published table")
case.parser.add_argument("--html", type=harness.pathlib.Path, metavar="DIR",
                         help="write the report of 'penstock analyze' of each run there")
given = case.parse()
if not all(0 < share <= 1 for share in (given.scale, given.length, given.density)):
    case.error("--scale, --length and --density are above 0, and at most 1")
COPIED_ROWS = round(ROWS * given.scale * given.length * given.density)
# For 100 rows here, which are 100 / density published ones.
SLEEP_MILLIS = round(100 / given.density * PUBLISHED_BYTES_A_ROW / (given.compute * MIB) * 1000
                     if given.compute else 0)


def scaled(count):
    return max(1, round(count * given.scale))


def files(shape):
    return scaled(SHAPES[shape][1] * given.length)


def splitting(shape):
    """Settings of Spark that give as many tasks, and files of as many records, as the published."""
    records = SHAPES[shape][0]
    tasks = scaled(TASKS) if records else files(shape)
    settings = {
        "spark.master": "local[%d]" % scaled(THREADS),
        "spark.sql.files.maxPartitionBytes": str(COPIED_ROWS * BYTES_A_ROW // tasks),
        "spark.sql.files.openCostInBytes": "0",
    }
    if records:
        settings["spark.sql.files.maxRecordsPerFile"] = str(max(1, round(records * given.density)))
    return settings


def make_input(server):
    """In calm; the row groups are small enough for the tasks of the first shape."""
    with harness.weather(given, server, case.jars, latency="none") as case.store:
        say("  making %s rows" % number(COPIED_ROWS))
        found, = case.spark("file_shapes.py", {
            "do": "make", "rows": COPIED_ROWS, "files": scaled(INPUT_FILES),
            "row_group": COPIED_ROWS * BYTES_A_ROW // files("1-2") // 2,
            "path": "s3a://%s/input" % given.bucket}, "make")
        return found


def one(server, name, shape):
    section = "%s-%s-%d" % (shape, name, int(time.time()))
    throttling = ["--throttle", "%g,%g" % (WRITES * given.scale, READS * given.scale),
                  "--partition-depth", "1"]
    run = {"variant": name, "shape": shape, "path": "s3a://%s/%s" % (given.bucket, section)}
    with harness.weather(given, server, case.jars, *throttling) as case.store:
        access_log = case.store.access_log
        try:
            said, = case.spark("file_shapes.py", {
                "do": "copy", "input": "s3a://%s/input" % given.bucket, "path": run["path"],
                "sleep_millis": SLEEP_MILLIS, "log": str(access_log)}, section, name,
                splitting(shape))
            run.update(said)
            run["writes"] = harness.stretch(access_log, *run["log"]).as_json()["writes"]
        except harness.TooSlow as e:
            run["error"] = str(e)
        log = harness.LOGS / (section + ".access.log")
        shutil.copy2(access_log, log)
    if given.html:
        subprocess.run([harness.java(), "-jar", str(case.jars / "penstock-cli.jar"), "analyze",
                        str(log), "--html", str(harness.made(given.html) / (section + ".html"))],
                       stdout=subprocess.DEVNULL, check=True)
    say("  %-5s %-18s %s" % (
        shape, case.title(name), run["error"] or "%6.1f s  %s writes, %s throttled" % (
            run["seconds"], number(run["writes"]["all"]), number(run["writes"]["throttled"]))))
    return run


def check(server, runs, expected):
    """In calm, after all: each run that ended well must have written what it read."""
    paths = [run["path"] for run in runs if not run["error"]]
    with harness.weather(given, server, case.jars, latency="none") as case.store:
        found, = case.spark("file_shapes.py", {"do": "read", "paths": paths}, "check")
    for run in runs:
        if not run["error"] and found[run["path"]] != expected:
            run["error"] = "wrote %s, read %s" % (found[run["path"]], expected)
            say("  %s: %s" % (run["path"], run["error"]))


def percent(share):
    return "-" if share is None else "%.2f" % (100 * share)


def table(runs):
    lines = [["rows", "", "files", "time", "/ backoff", "writes", "thr. %", "published", "/ backoff",
              "thr. %"]]
    for shape in given.shapes:
        backoff = next((run.get("seconds") for run in runs
                        if run["shape"] == shape and run["variant"] == "emrfs-backoff"
                        and not run.get("error")), None)
        for run in (run for run in runs if run["shape"] == shape):
            at = PUBLISHED.get(run["variant"])
            told = ["-"] * 3 if at is None else [
                "%d s" % SHAPES[shape][at][0],
                "%.2f" % (SHAPES[shape][at][0] / SHAPES[shape][2][0]), percent(SHAPES[shape][at][1])]
            mine = ["FAILED", "-", "-", "-"] if run["error"] else [
                "%.1f s" % run["seconds"],
                "%.2f" % (run["seconds"] / backoff) if backoff else "-", number(run["writes"]["all"]),
                percent(run["writes"]["throttled"] / run["writes"]["all"])]
            lines.append([shape, case.title(run["variant"]), number(files(shape)),
                          *mine, *told])
    return harness.table(lines, left=2)


def run():
    case.prepare()
    runs = []
    with harness.server(given) as server:
        case.told_where(server, "local[%d]" % scaled(THREADS), "%g writes and %g reads a second" % (
            WRITES * given.scale, READS * given.scale))
        say(case.where)
        expected = make_input(server)
        for shape in given.shapes:
            for name in given.variants:
                runs.append(one(server, name, shape))
                case.save(runs=runs)
        check(server, runs, expected)
    case.head("The published job: %g of its cluster, %g of the work of a thread" % (
        given.scale, given.length))
    print(table(runs))
    print("\n/ backoff: time over that of EMRFS's backoff, here and as published. thr. %: throttled"
          "\nshare of the writes.\n")
    return 1 if any(run["error"] for run in runs
                    if variants.is_ours(run["variant"], VARIANTS)) else 0


case.main(run)
