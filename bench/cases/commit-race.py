# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What do two drivers leave that commit to one table at once?

Two drivers of real Spark write to one table on MinIO behind a proxy that adds a latency: appends,
static and dynamic overwrites, against each other. They begin together, or one a little later. Each
must succeed or fail with an error that names the other job, and the rows must be those that some
order of the jobs that succeeded leaves. Nothing may be pending, and no intent may be left.
"""

import contextlib
import itertools
import json
import pathlib
import random
import time

import harness
from harness import say
from soaking import stores
from soaking.session import INLINE, SHORT_LIVED, Session

BUCKET = "race"
PATIENCE = 300
# A key of each kind of job is the mode that Spark is told.
KINDS = {"append": {"mode": "append"}, "overwrite": {"mode": "overwrite"},
         "dynamic": {"mode": "overwrite", "dynamic": True}}
PAIRS = [("append", "append"), ("overwrite", "overwrite"), ("overwrite", "append"),
         ("dynamic", "dynamic"), ("dynamic", "append"), ("overwrite", "dynamic")]


def options():
    parser = harness.parser(__doc__)
    parser.add_argument("--races", type=int, default=30, metavar="N",
                        help="(default: %(default)s)")
    parser.add_argument("--latency", default="100ms", metavar="TIME",
                        help="of each request (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N",
                        help="of all chance (default: %(default)s)")
    parser.add_argument("--minio", metavar="PATH", help="its program; found or built otherwise")
    parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                        help="a Python that has pyspark")
    parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                        help="the jars in this directory; otherwise './penstock jar' builds them")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "commit-race.json",
                        metavar="FILE", help="(default: bench/.work/commit-race.json)")
    given = parser.parse_args()
    if given.races < 1:
        parser.error("need one race at least")
    return given


class Setup:
    def __init__(self, given):
        self.python = harness.spark_python(given.spark_python)
        self.jars = harness.penstock_jars(given.penstock_jars)
        self.minio = given.minio or harness.minio()


class Race:
    """One table, two jobs, and what they leave."""

    def __init__(self, number, dice):
        self.number = number
        self.path = "s3a://%s/table-%d" % (BUCKET, number)
        self.kinds = PAIRS[number % len(PAIRS)]
        self.later = dice.choice((0, 0, dice.uniform(0, 1.2)))
        self.problems, self.jobs, self.pids, self.found = [], [], [], "-"
        self.old = {"start": 0, "rows": 20, "tasks": 4}
        # Rows of other numbers, and so that both write to all partitions or to some of them.
        self.rows = [{"start": 1000, "rows": 40, "tasks": 8, "step": dice.choice((1, 2, 4))},
                     {"start": 2001, "rows": 60, "tasks": 12, "step": dice.choice((1, 2, 4))}]

    def run(self, pair, calm):
        self.pids = [driver.jvm for driver in pair]
        calm.result("write", path=self.path, mode="overwrite", partitioned=True, **self.old)
        for i, (driver, kind) in enumerate(zip(pair, self.kinds)):
            if i == 1:
                time.sleep(self.later)
            self.jobs.append(driver.begin("write", path=self.path, partitioned=True,
                                          **KINDS[kind], **self.rows[i]))
        for job in self.jobs:
            if not job.wait(PATIENCE):
                self.problems.append("a job was not done after %d s" % PATIENCE)
        self.check(calm)

    def check(self, calm):
        parts = [calm.result("expect", parts=True, **rows) for rows in [self.old, *self.rows]]
        done = [i for i, job in enumerate(self.jobs) if not job.error]
        ends = {}
        for order in itertools.permutations(done):
            table = dict(parts[0])
            for i in order:
                table = after(table, parts[1 + i], self.kinds[i])
            ends[" then ".join("ab"[i] for i in order) or "none"] = table
        read = calm.result("read", path=self.path, parts=True)
        self.found = next((name for name, table in ends.items() if table == read), None)
        if self.found is None:
            self.problems.append("read %s; allowed %s" % (read, ends))
        if not done or (len(done) < 2 and set(self.kinds) == {"append"}):
            self.problems.append("failed: %s" % [job.error for job in self.jobs])
        for i, job in enumerate(self.jobs):
            if job.error and "(pid %d)" % self.pids[1 - i] not in job.error:
                self.problems.append("an error that does not name the other: %s" % job.error)

    def row(self):
        return [str(self.number), *self.kinds, "%.1f" % self.later,
                *("failed" if job.error else "%.1f" % job.seconds for job in self.jobs),
                self.found or "-", "FAILED" if self.problems else "held"]


def after(table, rows, kind):
    """The table by partition, once a job of that kind has written its rows."""
    if kind == "overwrite":
        return dict(rows)
    if kind == "dynamic":
        return {**table, **rows}
    return {p: both(table.get(p), rows.get(p)) for p in {*table, *rows}}


def both(a, b):
    """The content of two sets of rows together: number, sum, exclusive or of hashes."""
    if a is None or b is None:
        return a or b
    return [a[0] + b[0], a[1] + b[1], a[2] ^ b[2]]


def run():
    given = options()
    setup, dice = Setup(given), random.Random("commit race %d" % given.seed)
    races = [Race(i, dice) for i in range(given.races)]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(stores.Minio([BUCKET], setup.minio))
        weather = stack.enter_context(stores.Weather(setup.jars, server.endpoint, [
            "--latency", given.latency, "--seed", str(given.seed)]))
        calm = stack.enter_context(Session(setup, server.endpoint, java=SHORT_LIVED))
        # One puts its files inline, the other uploads them.
        pair = [stack.enter_context(
            Session(setup, weather.endpoint, {INLINE: limit}, java=SHORT_LIVED))
                for limit in ("1m", "0")]
        for race in races:
            race.run(pair, calm)
            say("  race %d of %d: %s" % (race.number + 1, given.races, ", ".join(race.row()[1:])))
        pending = server.settled()
        left = [f.parent.name for f in stores.files(server.data / BUCKET)
                if f.name == "xl.meta" and "_penstock_intent_" in f.parent.name
                # These stay for a day, so that a job that was taken for dead knows them.
                and not f.parent.name.endswith(".decision")]
    rows = [["", "a", "b", "b later s", "a s", "b s", "as after", ""],
            *(race.row() for race in races)]
    print("\n%s, seed %d, %s a request\n\n%s\n" % (
        harness.machine(), given.seed, given.latency, harness.table(rows, left=3)))
    failed = [race for race in races if race.problems]
    for race in failed:
        print("%d: %s" % (race.number, "; ".join(race.problems)))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "seed": given.seed, "pending": pending, "intents": left,
        "races": [race.row() + race.problems for race in races]}, indent=1))
    print("%d of %d held; uploads pending: %d; intents left: %d" % (
        len(races) - len(failed), len(races), pending[0], len(left)))
    return 1 if failed or pending[0] or left else 0


harness.main(run)
