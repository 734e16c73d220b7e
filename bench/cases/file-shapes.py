# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How does a job fare whose files become smaller and smaller, until S3 throttles it?

The job of the published AIMD table, scaled: Spark reads a table and writes it again into one prefix,
in five shapes of maxRecordsPerFile, from 21,568 files to 579,158. The published cluster has 1,600
threads, and S3 takes 3,500 writes and 5,500 reads a second: --scale says what share of them is here.
Each thread writes the share --length of its published files, which lasts that share of the time. A
file has one row where the published one has 100 (--density), and a thread sleeps for the time in
which the published ones computed the others.

Two rows of the table are EMRFS's strategies, exponential backoff and AIMD as they are documented, in
Penstock's client, with three requests for each file as EMRFS sends them.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import time

import harness
import variants
from harness import number, say

UPLOADS = variants.ALL["penstock-uploads"][1]
VARIANTS = {
    "emrfs-backoff": ("EMRFS's backoff", {**UPLOADS, variants.POLICY: "backoff"}),
    "emrfs-aimd": ("EMRFS's AIMD", {**UPLOADS, variants.POLICY: "aimd"}),
    **variants.some("staging", "magic-memory", "penstock-uploads", "penstock"),
}
OURS = ("emrfs-backoff", "emrfs-aimd", "penstock-uploads", "penstock")
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


def options():
    parser = harness.parser(__doc__, "variants: " + ", ".join(VARIANTS))
    harness.common_options(parser)
    parser.set_defaults(latency="s3", timeout=3600)
    parser.add_argument("--scale", type=float, default=0.01, metavar="SHARE",
                        help="of the published threads, files and limits (default: %(default)s)")
    parser.add_argument("--length", type=float, default=0.25, metavar="SHARE",
                        help="of the published work of each thread (default: %(default)s)")
    parser.add_argument("--compute", type=float, default=8.7, metavar="MIB",
                        help="a second of a thread, of published bytes, as 'penstock simulate"
                             " published' has it; 0: as fast as this machine (default: %(default)s)")
    parser.add_argument("--density", type=float, default=0.01, metavar="SHARE",
                        help="of the published rows in each file (default: %(default)s)")
    parser.add_argument("--shapes", default=",".join(SHAPES), metavar="ROWS,…",
                        help="of the published table (default: %(default)s)")
    parser.add_argument("--only", default=",".join(VARIANTS), metavar="NAME,…",
                        help="of the variants, only these")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "file-shapes.json",
                        metavar="FILE", help="default: bench/.work/file-shapes.json")
    parser.add_argument("--html", type=pathlib.Path, metavar="DIR",
                        help="write the report of 'penstock analyze' of each run there")
    given = parser.parse_args()
    given.shapes, given.variants = given.shapes.split(","), given.only.split(",")
    if not set(given.shapes) <= set(SHAPES):
        parser.error("shapes are %s" % ", ".join(SHAPES))
    if not set(given.variants) <= set(VARIANTS):
        parser.error("variants are %s" % ", ".join(VARIANTS))
    if not all(0 < share <= 1 for share in (given.scale, given.length, given.density)):
        parser.error("--scale, --length and --density are above 0, and at most 1")
    return given


def scaled(given, count):
    return max(1, round(count * given.scale))


def rows(given):
    return round(ROWS * given.scale * given.length * given.density)


def files(given, shape):
    return scaled(given, SHAPES[shape][1] * given.length)


def sleep_millis(given):
    """For 100 rows here, which are 100 / density published ones."""
    return round(100 / given.density * PUBLISHED_BYTES_A_ROW / (given.compute * MIB) * 1000
                 if given.compute else 0)


def splitting(given, shape):
    """Settings of Spark that give as many tasks, and files of as many records, as the published."""
    records = SHAPES[shape][0]
    tasks = scaled(given, TASKS) if records else files(given, shape)
    settings = {
        "spark.master": "local[%d]" % scaled(given, THREADS),
        "spark.sql.files.maxPartitionBytes": str(rows(given) * BYTES_A_ROW // tasks),
        "spark.sql.files.openCostInBytes": "0",
    }
    if records:
        settings["spark.sql.files.maxRecordsPerFile"] = str(max(1, round(records * given.density)))
    return settings


def spark(given, python, job, store, name, path, settings):
    said, = harness.run_spark(python, "file_shapes.py", [json.dumps(job)], store, path, settings, name,
                              given.timeout)
    return said


def plain(ours):
    return [ours / "penstock-spark.jar"], variants.PLUGIN


def make_input(given, server, python, ours):
    """In calm; the row groups are small enough for the tasks of the first shape."""
    calm = argparse.Namespace(**{**vars(given), "latency": "none"})
    groups = files(given, "1-2")
    with harness.weather(calm, server, ours) as store:
        say("  making %s rows" % number(rows(given)))
        job = {"do": "make", "rows": rows(given), "files": scaled(given, INPUT_FILES),
               "row_group": rows(given) * BYTES_A_ROW // groups // 2,
               "path": "s3a://%s/input" % store.bucket}
        jars, settings = plain(ours)
        return spark(given, python, job, store, "make", jars, settings)


def one(given, server, python, ours, s3a, name, shape):
    section = "%s-%s-%d" % (shape, name, int(time.time()))
    throttling = ["--throttle", "%g,%g" % (WRITES * given.scale, READS * given.scale),
                  "--partition-depth", "1"]
    run = {"variant": name, "shape": shape}
    with harness.weather(given, server, ours, *throttling) as store:
        run["path"] = "s3a://%s/%s" % (store.bucket, section)
        job = {"do": "copy", "input": "s3a://%s/input" % store.bucket, "path": run["path"],
               "sleep_millis": sleep_millis(given), "log": str(store.access_log)}
        path = [ours / "penstock-spark.jar"] if name in OURS else variants.class_path(name, ours, s3a)
        try:
            run.update(spark(given, python, job, store, section, path,
                             {**VARIANTS[name][1], **splitting(given, shape)}))
            run["writes"] = harness.stretch(store.access_log, *run["log"]).as_json()["writes"]
        except harness.TooSlow as e:
            run["error"] = str(e)
        log = harness.LOGS / (section + ".access.log")
        shutil.copy2(store.access_log, log)
    if given.html:
        given.html.mkdir(parents=True, exist_ok=True)
        subprocess.run([harness.java(), "-jar", str(ours / "penstock-cli.jar"), "analyze", str(log),
                        "--html", str(given.html / (section + ".html"))],
                       stdout=subprocess.DEVNULL, check=True)
    say("  %-5s %-18s %s" % (shape, VARIANTS[name][0], run["error"] or "%6.1f s  %s writes, %s throttled"
                             % (run["seconds"], number(run["writes"]["all"]),
                                number(run["writes"]["throttled"]))))
    return run


def check(given, server, python, ours, runs, expected):
    """In calm, after all: each run that ended well must have written what it read."""
    calm = argparse.Namespace(**{**vars(given), "latency": "none"})
    with harness.weather(calm, server, ours) as store:
        jars, settings = plain(ours)
        paths = [run["path"] for run in runs if not run["error"]]
        found = spark(given, python, {"do": "read", "paths": paths}, store, "check", jars, settings)
    for run in runs:
        if not run["error"] and found[run["path"]] != expected:
            run["error"] = "wrote %s, read %s" % (found[run["path"]], expected)
            say("  %s: %s" % (run["path"], run["error"]))


def percent(share):
    return "-" if share is None else "%.2f" % (100 * share)


def table(given, runs):
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
            lines.append([shape, VARIANTS[run["variant"]][0], number(files(given, shape)),
                          *mine, *told])
    return harness.table(lines, left=2)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = harness.s3a_jars(version) if set(given.variants) - set(OURS) else {}
    ours = harness.penstock_jars(given.penstock_jars)
    runs = []
    with harness.server(given) as server:
        where = "Spark %s, local[%d], %s, latency %s, %g writes and %g reads a second" % (
            version, scaled(given, THREADS), server.name, given.latency, WRITES * given.scale,
            READS * given.scale)
        say(where)
        expected = make_input(given, server, python, ours)
        for shape in given.shapes:
            for name in given.variants:
                runs.append(one(given, server, python, ours, s3a, name, shape))
                given.json.parent.mkdir(parents=True, exist_ok=True)
                given.json.write_text(json.dumps({"machine": harness.machine(), "where": where,
                                                  "runs": runs}, indent=1) + "\n")
        check(given, server, python, ours, runs, expected)
    print("\nThe published job: %g of its cluster, %g of the work of a thread\n%s\n%s\n" % (
        given.scale, given.length, where, harness.machine()))
    print(table(given, runs))
    print("\n/ backoff: time over that of EMRFS's backoff, here and as published. thr. %: throttled"
          "\nshare of the writes.\n")
    return 1 if any(run["error"] for run in runs if run["variant"] in OURS) else 0


harness.main(run)
