# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast are the commands of "hadoop fs"?

The same commands through Penstock and through S3A, each with its defaults, in turn, on the same
server, whose connections carry a limited number of bytes a second. Each runs in a JVM that is warm:
starting one takes longer than most commands.
"""

import json
import pathlib
import shutil
import time

import harness
import shaped
import variants
from harness import median, number, say

VARIANTS = variants.some("penstock", "s3a")
DISTCP = "org.apache.hadoop:hadoop-distcp:3.4.2"
COMMANDS = {
    "put": "-put, one large file",
    "get": "-get, one large file",
    "cp": "-cp, one large file",
    "put-many": "-put, a directory",
    "put-many-t": "-put -t 16, a directory",
    "ls": "-ls -R",
    "count": "-count",
    "du": "-du -s",
    "get-many": "-get, a directory",
    "get-many-t": "-get -t 16, a directory",
    "cp-many": "-cp, a directory",
    "cp-many-t": "-cp -t 16, a directory",
    "distcp": "distcp, a directory",
    "rm": "-rm -r, a directory",
}


def options():
    parser = harness.parser(__doc__, "commands:\n" + "\n".join(
        "  %-11s %s" % item for item in COMMANDS.items()))
    harness.common_options(parser)
    shaped.options(parser)
    parser.set_defaults(latency="30ms", bandwidth="30M")
    parser.add_argument("--megabytes", type=int, default=512, metavar="MIB",
                        help="of the large file (default: %(default)s)")
    parser.add_argument("--directories", type=int, default=10, metavar="N",
                        help="in the directory (default: %(default)s)")
    parser.add_argument("--files", type=int, default=20, metavar="N",
                        help="in each of them, of 1 MiB (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "hadoop-fs.json",
                        metavar="FILE", help="default: bench/.work/hadoop-fs.json")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    if given.rounds < 1 or not set(given.variants) <= set(VARIANTS):
        parser.error("need a round, and variants of %s" % ", ".join(VARIANTS))
    return given


def make_local(given):
    """The files to put, on the local disk."""
    source = harness.RUN / "source"
    block = bytes(range(256)) * 4096
    (source / "many").mkdir(parents=True)
    with open(source / "large", "wb") as large:
        for _ in range(given.megabytes):
            large.write(block)
    for d in range(given.directories):
        directory = source / "many" / ("d%03d" % d)
        directory.mkdir()
        for f in range(given.files):
            (directory / ("f%03d" % f)).write_bytes(block)
    return source


def one(given, store, python, path, name, source):
    section = "%s-%d" % (name, int(time.time() * 1000))
    target = harness.RUN / "target"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    job = {"endpoint": store.endpoint, "bucket": store.bucket, "section": section,
           "source": str(source), "target": str(target), "commands": list(COMMANDS),
           "files": given.directories * given.files, "megabytes": given.megabytes}
    said = harness.run_spark(
        python, "hadoop_fs.py", [json.dumps(job)], store, path,
        {"spark.master": "local[1]", **VARIANTS[name][1]}, name, given.timeout)
    logged = harness.sections(store.access_log)
    for command in said:
        command["requests"] = logged["%s-%s" % (section, command["command"])].total
    return {command["command"]: command for command in said}


def table(given, runs):
    rows = [["hadoop fs"] + [cell for name in runs for cell in (VARIANTS[name][0], "requests", "CPU")]
            + ["times as fast"]]
    for command, title in COMMANDS.items():
        row, seconds = [title], []
        for mine in runs.values():
            ran = [r[command] for r in mine]
            seconds.append(median([r["seconds"] for r in ran]))
            row += ["%.2f s" % seconds[-1], number(ran[-1]["requests"]),
                    "%.1f s" % median([r["cpu"] for r in ran])]
        rows.append(row + ["%.2f" % (seconds[-1] / seconds[0])])
    return harness.table(rows)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = harness.s3a_jars(version) if "s3a" in given.variants else {}
    ours = harness.penstock_jars(given.penstock_jars)
    distcp = harness.fetched("distcp", DISTCP)
    source = make_local(given)
    runs = {name: [] for name in given.variants}
    with shaped.store(given, ours, lambda store: None) as store:
        for turn in range(given.rounds):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                ran = one(given, store, python, [*variants.class_path(name, ours, s3a), distcp],
                          name, source)
                runs[name].append(ran)
                say("  %-10s %s" % (name, ", ".join(
                    "%s %.1f s" % (command, r["seconds"]) for command, r in ran.items())))
        where = "Hadoop of Spark %s, %s, latency %s, bandwidth %s a connection" % (
            version, store.name, given.latency, given.bandwidth)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(
        {"machine": harness.machine(), "where": where, "runs": runs}, indent=1) + "\n")
    print("\nA file of %s MiB; a directory of %d directories with %d files of 1 MiB each\n%s\n%s\n" % (
        number(given.megabytes), given.directories, given.files, where, harness.machine()))
    print(table(given, runs) + "\n")
    return 0


harness.main(run)
