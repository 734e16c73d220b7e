# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast are the commands of "hadoop fs"?

The same commands through Penstock and through S3A, each with its defaults, in turn, on the same
server, whose connections carry a limited number of bytes a second. Each runs in a JVM that is warm:
starting one takes longer than most commands.
"""

import shutil

import bench
import harness
import variants
from bench import Bench
from harness import number

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

case = Bench(__doc__, variants.some("penstock", "s3a"))
case.shaped_options()
case.option("--megabytes", 512, "of the large file", "MIB")
case.option("--directories", 10, "in the directory")
case.option("--files", 20, "in each of them, of 1 MiB")
case.option("--rounds", 3)
case.parser.set_defaults(latency="30ms", slots=1)
given = case.parse()
SOURCE, TARGET = harness.RUN / "source", harness.RUN / "target"


def make_local():
    """The files to put, on the local disk."""
    block = bytes(range(256)) * 4096
    with open(harness.made(SOURCE) / "large", "wb") as large:
        for _ in range(given.megabytes):
            large.write(block)
    for d in range(given.directories):
        directory = harness.made(SOURCE / "many" / ("d%03d" % d))
        for f in range(given.files):
            (directory / ("f%03d" % f)).write_bytes(block)


def one(name):
    shutil.rmtree(TARGET, ignore_errors=True)
    harness.made(TARGET)
    return case.counted("hadoop_fs.py", {
        "source": str(SOURCE), "target": str(TARGET), "commands": list(COMMANDS),
        "files": given.directories * given.files, "megabytes": given.megabytes}, name,
        more_jars=[harness.fetched("distcp", DISTCP)])


def table(runs):
    heads = [head for name in runs for head in (case.title(name), "requests", "CPU")]
    rows = [["hadoop fs", *heads, "times as fast"]]
    for command, title in COMMANDS.items():
        all_ran = [[run[command] for run in mine] for mine in runs.values()]
        rows.append([title, *(cell(ran) for ran in all_ran for cell in (
            bench.MEDIAN, bench.last_of("requests"), bench.CPU)),
            bench.ratio_to(all_ran[0])(all_ran[-1])])
    return harness.table(rows)


def run():
    make_local()
    with case.shaped_store(lambda: None):
        runs = case.rounds(given.rounds, one)
    case.save(runs=runs)
    case.head("A file of %s MiB; a directory of %d directories with %d files of 1 MiB each" % (
        number(given.megabytes), given.directories, given.files))
    print(table(runs) + "\n")
    return 0


case.main(run)
