# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many of two processes rename a file of their own to one name?

Two JVMs write a file each and rename it to the same name at the same moment, many names in many
rounds, by FileSystem and by FileContext in turn, small files and larger ones: on MinIO, on
versitygw and on Penstock's own S3, also where answers are lost. Exactly one of the two must win,
and the name must have the winner's content.
"""

import contextlib
import itertools
import subprocess

import bench
import cluster
import drivers
import harness
from bench import Bench
from harness import Problem, say
from soaking import stores

BUCKET = "race"
SIZES = {"small": 20_000, "larger": 1_500_000}
FAULTS = "PutObject@0.1=reset-after,CompleteMultipartUpload@0.1=reset-after"


case = Bench(__doc__, has_store=False)
case.option("--rounds", 20)
case.option("--names", 60, "of each round")
case.option("--latency", "2ms", "of each request, so that they overlap", "TIME")
case.names("--servers", ["minio", "versitygw", "embedded"])
case.server_programs("minio", "versitygw")
case.spark_options()
given = case.parse()


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
            env=drivers.tool_environment()))
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


def raced(name, faults, classpath):
    """A row for each size of files."""
    with contextlib.ExitStack() as stack:
        started = stack.enter_context(stores.server(case, name, [BUCKET]))
        weather = stack.enter_context(stores.Weather(
            case.jars, started.endpoint,
            ["--latency", given.latency, *(["--faults", faults] if faults else [])]))
        racers = [Racer(stack, weather.endpoint, classpath) for _ in range(2)]
        for label, size in SIZES.items():
            winners, failed = [], []
            for number in range(given.rounds):
                how = ("rename", "context")[number % 2]
                won, errors = race(racers, given.names, "%s-%d" % (label, number), size, how)
                winners += won
                failed += errors
            say("  %s, answers %s, %s: %d winners for %d names" % (
                name, "lost" if faults else "all", label, sum(winners), len(winners)))
            for error in sorted(set(failed))[:3]:
                say("    " + error)
            yield {"server": name, "answers": "lost" if faults else "all", "files": label,
                   "names": len(winners), "winners": sum(winners),
                   "two": sum(n > 1 for n in winners), "none": sum(n == 0 for n in winners),
                   "errors": len(failed)}


def run():
    classpath = "%s:%s/*" % (case.jars / "penstock-spark.jar",
                             cluster.spark_home(case.python) / "jars")
    rows = [row for name in given.servers for faults in ("", FAULTS)
            for row in raced(name, faults, classpath)]
    case.head("%s a request, %d names in each of %d rounds" % (
        given.latency, given.names, given.rounds))
    print(bench.columns_of(rows, [(what, lambda row, what=what: row[what]) for what in rows[0]],
                           left=3) + "\n")
    case.save(rows=rows)
    names = sum(row["names"] for row in rows)
    right = names - sum(row["two"] + row["none"] for row in rows)
    print("%d of %d names have one winner" % (right, names))
    return 0 if right == names else 1


case.main(run)
