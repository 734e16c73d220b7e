# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Spark drivers that run stateful streaming queries and can be killed, paused and raced: what the
tests of the checkpoint share.

Three queries over the same input, each with a checkpoint and a sink of its own: an aggregation with
a watermark, an outer join of two streams, and rows told apart. What they must write is what a batch
makes of the same input.
"""

import collections
import json
import os
import random
import re
import shutil
import time
import urllib.parse

import attacks
import harness
import variants
from soaking.session import Session
from harness import say

QUERIES = ("aggregate", "distinct", "join")
STATE = "spark.sql.streaming.stateStore."
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
ROCKSDB = {
    STATE + "providerClass":
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"}
# name -> (title, settings)
PROVIDERS = {
    "hdfs": ("HDFS-backed", {}),
    "rocksdb": ("RocksDB", ROCKSDB),
    "changelog": ("RocksDB, changelog", {
        **ROCKSDB, STATE + "rocksdb.changelogCheckpointing.enabled": "true"}),
}
SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.streaming.metricsEnabled": "false",
    # What Spark does once in minutes or in many batches is done here within a driver's short life:
    # snapshots, compaction, and the deletion of what is not needed any more.
    STATE + "maintenanceInterval": "1s",
    STATE + "minDeltasForSnapshot": "3",
    "spark.sql.streaming.minBatchesToRetain": "3",
    "spark.sql.streaming.fileSource.log.compactInterval": "4",
    "spark.sql.streaming.fileSink.log.compactInterval": "4",
    "spark.sql.streaming.fileSource.log.cleanupDelay": "1s",
    "spark.sql.streaming.fileSink.log.cleanupDelay": "1s",
    # A driver lives for seconds: what is compiled well never pays.
    JAVA_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m",
    "spark.driver.memory": "900m",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def options(case):
    case.names("--providers", PROVIDERS, "of the state, taken in turn")
    case.names("--queries", list(QUERIES), "run side by side in each driver")
    case.option("--files", 24, "of input, one for each batch")
    case.seed_option()
    case.option("--manager", str, "another checkpoint manager than the plugin's, to compare",
                "CLASS")
    case.settings("--set", "a setting of Spark")


def settings(given, provider):
    found = {**variants.PLUGIN, **SETTINGS, **PROVIDERS[provider][1]}
    if given.manager:
        found["spark.sql.streaming.checkpointFileManagerClass"] = given.manager
    return {**found, **given.set}


# ---- input

ROWS_A_FILE = 30
SECONDS_A_FILE = 10
# Below the five seconds for which the queries wait.
LATE_SECONDS = 3
# Not 0: a watermark starts there, and drops what is not later.
START_SECONDS, END_SECONDS = 1_000, 1_000_000


def make_input(folder, files, seed):
    """Two streams in files of ten seconds each. Rows come late, but never too late: some a file
    later than the others of their time. Some of the left come twice, and most have one or two on
    the right that match. The last two files only let the time go on."""
    dice = random.Random("input %d" % seed)
    left, right = ([[] for _ in range(files)] for _ in range(2))
    for i in range(files):
        for j in range(ROWS_A_FILE):
            seconds = START_SECONDS + i * SECONDS_A_FILE + dice.randrange(
                -LATE_SECONDS, SECONDS_A_FILE)
            row = {"id": i * ROWS_A_FILE + j, "key": dice.randrange(5), "seconds": seconds,
                   "value": dice.randrange(1000)}
            for _ in range(dice.choice((1, 1, 1, 2))):
                left[file_of(dice, seconds, i, files)].append(row)
            for _ in range(dice.choice((0, 1, 1, 2))):
                later = seconds + dice.randrange(6)
                match = {**row, "seconds": later, "value": dice.randrange(1000)}
                right[file_of(dice, later, i, files)].append(match)
    end = [{"id": -1, "key": 0, "seconds": END_SECONDS, "value": 0}]
    for side, rows in (("left", left), ("right", right)):
        (folder / side).mkdir(parents=True)
        for i, some in enumerate(rows + [end, end]):
            write_input(folder / side / ("%05d.json" % i), some, i)


def file_of(dice, seconds, i, files):
    """The file of a row: the one at hand, or the next, when it would not be too late there."""
    next_start = START_SECONDS + (i + 1) * SECONDS_A_FILE
    is_next = seconds >= next_start or (
        seconds >= next_start - LATE_SECONDS and dice.random() < 0.5)
    return min(i + is_next, files - 1)


def write_input(file, rows, i):
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    # The source takes them by the time of their last change.
    os.utime(file, (1_600_000_000 + i, 1_600_000_000 + i))


# ---- drivers

class Drivers:
    """All that are alive, none of them outliving the block. One more is started ahead of need:
    the next begins at once, as a supervisor's would, and most of its start costs nobody time."""

    def __init__(self, case):
        self.case, self.patience = case, case.given.timeout
        self.alive = []
        self.spare = None
        self.archive = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for driver in list(self.alive):
            self.kill(driver)

    def archive_classes(self, store, settings, path, source):
        """Half of a short driver's work is to load classes. Here one runs every query and ends in
        peace, and leaves an archive of its classes that the others start with."""
        made = harness.RUN / "classes.jsa"
        say("  archiving Spark's classes, for drivers that start faster")
        driver = self.start(store, with_java(settings, "-XX:ArchiveClassesAtExit=%s" % made))
        driver.__enter__()
        for query in QUERIES:
            driver.ask("run", self.patience, query=query, path="%s/%s" % (path, query),
                       source=str(source))
        driver.process.stdin.close()
        harness.until(lambda: not attacks.is_running(driver.jvm), self.patience)
        self.kill(driver)
        self.archive = made if made.exists() else None

    def start(self, store, settings):
        if self.archive:
            settings = with_java(settings, "-XX:SharedArchiveFile=%s" % self.archive)
        driver = Session(self.case, store, settings, job="stream.py", base={})
        self.alive.append(driver)
        return driver

    def take(self, store, settings, and_next=False):
        """A driver that is ready; the next one with these settings begins to start if asked."""
        wanted = (store, settings)
        if self.spare is not None and self.spare[0] != wanted:
            self.kill(self.spare[1])
            self.spare = None
        driver = self.spare[1] if self.spare else self.start(store, settings)
        self.spare = None
        driver.__enter__()
        if and_next:
            self.spare = (wanted, self.start(store, settings))
        return driver

    def kill(self, driver):
        driver.close()
        self.alive.remove(driver)


def with_java(settings, option):
    return {**settings, JAVA_OPTIONS: "%s %s" % (settings[JAVA_OPTIONS], option)}


class Queries:
    """The queries on a path and an input of their own, and what they left there."""

    def __init__(self, given, kind, number, store):
        self.given, self.number, self.store = given, number, store
        self.dice = random.Random("%d-%d" % (given.seed, number))
        self.path = "%s-%d-%d-%d" % (kind, given.seed, number, int(time.time() * 1000))
        self.source = harness.RUN / ("input-%d" % number)
        self.compared = []
        make_input(self.source, given.files, given.seed * 1000 + number)

    def base(self, query):
        return "s3a://%s/%s/%s" % (self.store.bucket, self.path, query)

    def begin(self, driver, query, **more):
        return driver.begin("run", query=query, path=self.base(query), source=str(self.source),
                            **more)

    def compare(self, driver):
        """What is in each sink by its own log, beside a batch run of the same input."""
        for query in self.given.queries:
            asked = driver.ask("compare", self.given.timeout, query=query, path=self.base(query),
                               source=str(self.source))
            self.compared.append(asked.result or {
                "query": query, "rows": 0, "missing": 0, "extra": 0, "twice": 0,
                "error": asked.answer["error"]})

    @property
    def is_right(self):
        return len(self.compared) == len(self.given.queries) and all(
            "error" not in c and c["rows"] > 0 and c["missing"] == c["extra"] == 0
            for c in self.compared)

    def evidence(self, name, *files):
        """A folder with the input and these files, which stays."""
        folder = harness.LOGS / ("%s-%d-%d" % (name, self.given.seed, self.number))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.source, folder / "input")
        for file in files:
            shutil.copy2(file, folder)
        say("    WRONG; all of it is in %s" % folder)
        return folder


# ---- the log of the store

WRITES = {"PUT", "COPY", "POST"}


class Line(collections.namedtuple("Line", "bucket operation key status millis")):
    """A request as the store's log has it."""

    @property
    def is_write(self):
        return harness.kind(self.operation) in WRITES

    @property
    def is_done_write(self):
        return self.is_write and self.status.startswith("2")


def parse(text):
    fields = text.split(" ", 9)
    status, _, _, _, millis = text.split('" ', 1)[1].split(" ", 5)[:5]
    return Line(fields[1], fields[7], urllib.parse.unquote(fields[8]), status, int(millis))


class Tail:
    """The lines of a log that were not seen yet."""

    def __init__(self, log):
        self.file = open(log, encoding="utf-8")
        self.rest = ""

    def lines(self):
        text = self.rest + self.file.read()
        whole, _, self.rest = text.rpartition("\n")
        return [parse(line) for line in whole.splitlines()]

    def close(self):
        self.file.close()


# name -> what the key of a write of this phase looks like
PHASES = {
    "source log": re.compile(r"/checkpoint/sources/\d+/[\d.]"),
    "offsets": re.compile(r"/checkpoint/offsets/\d"),
    "state": re.compile(r"/checkpoint/state/"),
    "data": re.compile(r"/sink/part-"),
    "sink log": re.compile(r"/sink/_spark_metadata/\d"),
    "commits": re.compile(r"/checkpoint/commits/\d"),
}


def is_of(line, phase):
    return line.is_write and PHASES[phase].search("/" + line.key) is not None


def tool(jars, *arguments, heap="256m"):
    """One of Penstock's own commands."""
    limit = ["-Xmx" + heap] if heap else []
    return [harness.java(), *limit, "-jar", str(jars / "penstock-cli.jar"), *arguments]


def tool_environment(store=None):
    """What they need to find the store; one that was started here without one."""
    keys = (store.access_key, store.secret_key) if store else (
        harness.ACCESS_KEY, harness.SECRET_KEY)
    return {**os.environ, "AWS_ACCESS_KEY_ID": keys[0], "AWS_SECRET_ACCESS_KEY": keys[1],
            "AWS_REGION": harness.REGION}
