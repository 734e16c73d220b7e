# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Do several drivers that append to one Delta or Iceberg table lose or double a commit?

Each driver appends one row a commit, all at the same time, with what the formats have by themselves:
Delta's log store for one driver and no DynamoDB, Iceberg's Hadoop catalog. Both rely on a file that
only one writer can create: Penstock creates it under a condition, and renames exclusively. A share of
the answers to writes is lost after the store has acted. Each row must be there once; a version more
or less would be a commit that nobody reported, or a lost one. With --only penstock,s3a the same is
done through S3A, which is not made for it.

Exit code 0 when every row is there once with Penstock.
"""

import collections
import contextlib
import itertools
import types

import bench
import drivers
import harness
import variants
from bench import Bench
from harness import Problem, number, say
from soaking import stores
from soaking.session import SHORT_LIVED, Session

DELTA = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
CATALOG = "spark.sql.catalog.lake"
# Tables of some rows: what is made for large ones takes most of the time.
SMALL = {
    "spark.master": "local[1]",
    "spark.sql.shuffle.partitions": "1",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.databricks.delta.stats.collect": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
# name -> (kind, version of Spark, jars)
LINES = {
    "delta-4.4": ("delta", harness.SPARK, ["delta-spark_4.1_2.13:4.4.0", "delta-storage:4.4.0"]),
    "delta-4.0": ("delta", "4.0.1", ["delta-spark_2.13:4.0.0", "delta-storage:4.0.0"]),
    "delta-3.3": ("delta", "3.5.9", ["delta-spark_2.12:3.3.2", "delta-storage:3.3.2"]),
    "iceberg-1.12": ("iceberg", harness.SPARK, ["iceberg-spark-runtime-4.1_2.13:1.12.0"]),
}
GROUPS = {"delta": "io.delta:", "iceberg": "org.apache.iceberg:"}
# What a version of the table is: of Delta a commit, of Iceberg's catalog the metadata.
LOG = {"delta": "/_delta_log/", "iceberg": "/metadata/v"}
FAULTS = ("PutObject@0.05=reset-after,CompleteMultipartUpload@0.05=reset-after,"
          "CopyObject@0.05=reset-after,DeleteObject@0.05=reset-after")


case = Bench(__doc__, variants.some("penstock", "s3a"), ["penstock"], has_store=False)
case.option("--commits", 200, "of all drivers")
case.option("--drivers", 3, least=2)
case.option("--bucket", "tables")
case.names("--formats", LINES)
case.choice("--server", ["minio", "versitygw", "embedded"])
case.option("--latency", "5ms", "of each request, so that they overlap", "TIME")
case.faults_option(FAULTS)
case.server_programs("minio", "versitygw")
case.option("--timeout", 1200, "seconds for a format")
case.spark_options()
given = case.parse()
given.faults = given.faults or FAULTS


def python_of(version):
    """The Python that was given, if it has this line of Spark."""
    line = version.rpartition(".")[0] + "."
    if given.spark_python and harness.spark_version(given.spark_python).startswith(line):
        return harness.spark_python(given.spark_python)
    return harness.spark_python(None, version)


@contextlib.contextmanager
def server():
    if given.server == "embedded":
        yield harness.Server("Penstock's embedded S3", None, harness.ACCESS_KEY,
                             harness.SECRET_KEY)
        return
    with stores.server(case, given.server, [given.bucket]) as started:
        yield harness.Server(given.server, started.endpoint, harness.ACCESS_KEY,
                             harness.SECRET_KEY)


def settings(variant, kind, path, jars):
    catalog = DELTA if kind == "delta" else {
        CATALOG: "org.apache.iceberg.spark.SparkCatalog", CATALOG + ".type": "hadoop",
        CATALOG + ".warehouse": path}
    return {**case.variants[variant][1], **catalog,
            "spark.driver.extraClassPath": ":".join(map(str, [*case.class_path(variant), *jars]))}


class Trial:
    """All drivers on one table of a format."""

    def __init__(self, name, variant, store):
        self.name, self.variant, self.store = name, variant, store
        self.kind, version, artifacts = LINES[name]
        if variant == "s3a" and version != harness.SPARK:
            raise Problem("S3A is played with Spark %s only, not with %s" % (harness.SPARK, name))
        self.python = python_of(version)
        self.jars = [harness.fetched("formats", GROUPS[self.kind] + one) for one in artifacts]
        self.path = "s3a://%s/%s-%s" % (store.bucket, variant, name)
        self.table = {"kind": self.kind, "path": self.path}

    def run(self):
        setup = types.SimpleNamespace(jars=case.jars, python=self.python)
        tail = drivers.Tail(self.store.access_log)
        tail.lines()
        with contextlib.ExitStack() as stack:
            # All begin to start before the first is waited for.
            chosen = settings(self.variant, self.kind, self.path, self.jars)
            started = [Session(setup, self.store, chosen, job="appends.py", base=SMALL,
                               java=SHORT_LIVED)
                       for _ in range(given.drivers)]
            for one in started:
                stack.enter_context(one)
            started[0].result("create", **self.table)
            each = [given.commits // given.drivers + (i < given.commits % given.drivers)
                    for i in range(given.drivers)]
            asked = [one.begin("append", writer=i, commits=each[i], **self.table)
                     for i, one in enumerate(started)]
            for one in asked:
                if not one.wait(given.timeout):
                    raise Problem("%s: a driver was not done after %d s" % (
                        self.name, given.timeout))
                if one.error:
                    raise Problem("%s: %s" % (self.name, one.error))
            failed = {(i, int(row)): cause for i, one in enumerate(asked)
                      for row, cause in one.result.items()}
            found = started[0].result("found", **self.table)
        return self.judged(each, failed, found, tail.lines())

    def judged(self, each, failed, found, lines):
        there = {(writer, row): count for writer, row, count in found["rows"]}
        reported = {(i, row) for i, commits in enumerate(each) for row in range(commits)
                    if (i, row) not in failed}
        writes = [line for line in lines if line.is_write]
        races = collections.Counter(
            line.status for line in writes if LOG[self.kind] in line.key)
        return {
            "commits": sum(each), "failed": {"%d-%d" % key: failed[key] for key in failed},
            "lost": sorted(reported - set(there)),
            "doubled": sorted(key for key, count in there.items() if count > 1),
            "unreported": sorted(set(there) - reported),
            "versions": found["versions"],
            "refused": races["412"] + races["409"],
            "answersLost": sum(line.status == "-" for line in writes)}


def is_right(run):
    """A commit that was reported as failed may be there: its writer cannot know."""
    whole = run["commits"] - len(run["failed"]) + len(run["unreported"])
    return not run["lost"] and not run["doubled"] and run["versions"] == whole


def told(run):
    problems = [what for what in ("lost", "doubled") if run[what]]
    if not problems and not is_right(run):
        problems = ["versions"]
    return ", ".join(problems) or "right"


def run():
    case.jars, case.s3a  # built and fetched before a server starts
    runs = {}
    with server() as started, harness.weather(
            given, started, case.jars, "--faults", given.faults, may_miss_lines=True) as store:
        for name, variant in itertools.product(given.formats, given.variants):
            title = name if variant == "penstock" else "%s, %s" % (name, case.title(variant))
            say("  %s, %d drivers" % (title, given.drivers))
            runs[title] = {**Trial(name, variant, store).run(), "variant": variant}
            for cause in sorted(set(runs[title]["failed"].values())):
                say("    failed: %s" % cause.splitlines()[0][:200])
    case.save(runs=runs, faults=given.faults)
    case.head("%d appends by %d drivers to one table, on %s, answers lost" % (
        given.commits, given.drivers, given.server))
    print(bench.table_of("", runs, {
        "commits": lambda run: number(run["commits"]),
        "refused": lambda run: number(run["refused"]),
        "answers lost": lambda run: number(run["answersLost"]),
        "failed": lambda run: number(len(run["failed"])),
        "lost": lambda run: number(len(run["lost"])),
        "doubled": lambda run: number(len(run["doubled"])),
        "versions": lambda run: number(run["versions"]),
        "": told}))
    print("refused: writes of the table's log that another driver's was before, 409 or 412."
          " failed: commits\nthat the driver reported as failed. versions: of the table; there must"
          " be one a commit.")
    ours = [run for run in runs.values() if run["variant"] == "penstock"]
    return 0 if all(map(is_right, ours)) else 1


case.main(run)
