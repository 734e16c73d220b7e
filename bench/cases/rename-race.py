# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many of two processes rename a file of their own to one name?

Two JVMs write a file each and rename it to the same name at the same moment, many names in many
rounds, by FileSystem and by FileContext in turn, small files and larger ones: on MinIO, on
versitygw and on Penstock's own S3, also where answers are lost. Exactly one of the two must win,
and the name must have the winner's content.
"""

import contextlib
import itertools
import json
import os
import pathlib
import subprocess

import harness
from harness import Problem, say
from soaking import stores

BUCKET = "race"
SIZES = {"small": 20_000, "larger": 1_500_000}
FAULTS = "PutObject@0.1=reset-after,CompleteMultipartUpload@0.1=reset-after"


def options():
    parser = harness.parser(__doc__)
    parser.add_argument("--rounds", type=int, default=20, metavar="N",
                        help="(default: %(default)s)")
    parser.add_argument("--names", type=int, default=60, metavar="N",
                        help="of each round (default: %(default)s)")
    parser.add_argument("--latency", default="2ms", metavar="TIME",
                        help="of each request, so that they overlap (default: %(default)s)")
    parser.add_argument("--servers", default="minio,versitygw,embedded", metavar="NAMES",
                        help="(default: %(default)s)")
    parser.add_argument("--minio", metavar="PATH", help="its program; found or built otherwise")
    parser.add_argument("--versitygw", metavar="PATH", help="its program; found otherwise")
    parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                        help="a Python that has pyspark, whose Hadoop is used")
    parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                        help="the jars in this directory; otherwise './penstock jar' builds them")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "rename-race.json",
                        metavar="FILE", help="(default: bench/.work/rename-race.json)")
    given = parser.parse_args()
    given.servers = given.servers.split(",")
    unknown = set(given.servers) - {"minio", "versitygw", "embedded"}
    if unknown:
        parser.error("no server %s; there are minio, versitygw and embedded" % unknown.pop())
    return given


class Racer:
    """A process that renames what it is told to."""

    def __init__(self, stack, endpoint, classpath):
        settings = {
            "fs.s3.impl": "io.penstock.hadoop.BulkDeletingFileSystem",
            "fs.AbstractFileSystem.s3.impl": "io.penstock.hadoop.PenstockFs",
            "penstock.endpoint": endpoint, "penstock.region": harness.REGION}
        command = [harness.java(), "-Xmx512m", "-cp", classpath, harness.JOBS / "RenameRacer.java",
                   "s3://" + BUCKET, *itertools.chain(*settings.items())]
        self.process = stack.enter_context(harness.process(
            command, harness.LOGS / "rename-racer.log", text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=dict(os.environ, AWS_ACCESS_KEY_ID=harness.ACCESS_KEY,
                     AWS_SECRET_ACCESS_KEY=harness.SECRET_KEY)))
        self.answer("ready")

    def tell(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")

    def answer(self, *expected):
        line = self.process.stdout.readline().strip()
        if expected and line not in expected:
            raise Problem("a racer said '%s'; see %s" % (line, harness.LOGS / "rename-racer.log"))
        return line


def source(target, racer):
    return "%s.%d.tmp" % (target, racer)


def race(racers, names, prefix, size, how):
    """Winners by name, and what else was said."""
    winners, failed = [], []
    targets = ["s3://%s/%s/v%d.json" % (BUCKET, prefix, name) for name in range(names)]
    for i, racer in enumerate(racers):
        for target in targets:
            racer.tell("write", source(target, i), size)
    for racer in racers:
        for _ in targets:
            racer.answer("done")
    for target in targets:
        for i, racer in enumerate(racers):
            racer.tell(how, source(target, i), target)
        said = [racer.answer() for racer in racers]
        winners.append(said.count("won"))
        failed += [answer for answer in said if answer not in ("won", "lost")]
    return winners, failed


def spark_jars(python):
    """The directory of the jars of a Python's Spark, Hadoop's client among them."""
    code = "import pyspark, pathlib; print(pathlib.Path(pyspark.__file__).parent / 'jars')"
    return subprocess.run([str(python), "-c", code], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


@contextlib.contextmanager
def server(name, given, jars):
    if name == "minio":
        with stores.Minio([BUCKET], given.minio or harness.minio()) as started:
            yield started
    elif name == "versitygw":
        binary = given.versitygw or harness.program("versitygw")
        with stores.Versitygw([BUCKET], binary) as started:
            yield started
    else:
        with stores.Embedded(jars, [BUCKET]) as started:
            yield started


def run():
    given = options()
    jars = harness.penstock_jars(given.penstock_jars)
    python = harness.spark_python(given.spark_python)
    classpath = "%s:%s/*" % (jars / "penstock-spark.jar", spark_jars(python))
    rows = []
    for name in given.servers:
        for faults in ("", FAULTS):
            rows += raced(name, faults, given, jars, classpath)
    print("\n%s, %s a request, %d names in each of %d rounds\n\n%s\n" % (
        harness.machine(), given.latency, given.names, given.rounds, harness.table(
            [["server", "answers", "files", "names", "winners", "two", "none", "errors"],
             *([*row[:3], *map(str, row[3:])] for row in rows)], left=3)))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"machine": harness.machine(), "rows": rows}, indent=1))
    names = sum(row[3] for row in rows)
    right = names - sum(row[5] + row[6] for row in rows)
    print("%d of %d names have one winner" % (right, names))
    return 0 if right == names else 1


def raced(name, faults, given, jars, classpath):
    rows = []
    with contextlib.ExitStack() as stack:
        started = stack.enter_context(server(name, given, jars))
        weather = stack.enter_context(stores.Weather(
            jars, started.endpoint,
            ["--latency", given.latency, *(["--faults", faults] if faults else [])]))
        racers = [Racer(stack, weather.endpoint, classpath) for _ in range(2)]
        for label, size in SIZES.items():
            winners, failed = [], []
            for number in range(given.rounds):
                how = ("rename", "context")[number % 2]
                prefix = "%s-%d" % (label, number)
                won, errors = race(racers, given.names, prefix, size, how)
                winners += won
                failed += errors
            rows.append([name, "lost" if faults else "all", label, len(winners), sum(winners),
                         sum(n > 1 for n in winners), sum(n == 0 for n in winners), len(failed)])
            say("  %s: %d winners for %d names" % (", ".join(rows[-1][:3]), sum(winners),
                                                  len(winners)))
            for error in sorted(set(failed))[:3]:
                say("    " + error)
    return rows


harness.main(run)
