# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What do two drivers leave that commit to one table at once?

Two drivers of real Spark write to one table on MinIO behind a proxy that adds a latency: appends,
static and dynamic overwrites, against each other. They begin together, or one a little later. Each
must succeed or fail with an error that names the other job, and the rows must be those that some
order of the jobs that succeeded leaves. Nothing may be pending, and no intent may be left.
"""

import contextlib
import itertools
import random
import time

import attacks
from bench import Bench
from harness import say
from soaking import stores
from soaking.session import INLINE, SHORT_LIVED, Session

BUCKET = "race"
PATIENCE = 300
PAIRS = [("append", "append"), ("overwrite", "overwrite"), ("overwrite", "append"),
         ("dynamic", "dynamic"), ("dynamic", "append"), ("overwrite", "dynamic")]

case = Bench(__doc__, has_store=False)
case.option("--races", 30)
case.attack_options("100ms")
given = case.parse()


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
                                          **attacks.KINDS[kind], **self.rows[i]))
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
                table = attacks.after(table, parts[1 + i], self.kinds[i])
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
        return [*self.kinds, "%.1f" % self.later,
                *("failed" if job.error else "%.1f" % job.seconds for job in self.jobs),
                self.found or "-"]


def run():
    case.prepare()
    dice = random.Random("commit race %d" % given.seed)
    races = [Race(i, dice) for i in range(given.races)]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(stores.server(case, "minio", [BUCKET]))
        weather = stack.enter_context(stores.Weather(case.jars, server.endpoint, [
            "--latency", given.latency, "--seed", str(given.seed)]))
        calm = stack.enter_context(Session(case, server.endpoint, java=SHORT_LIVED))
        # One puts its files inline, the other uploads them.
        pair = [stack.enter_context(
            Session(case, weather.endpoint, {INLINE: limit}, java=SHORT_LIVED))
                for limit in ("1m", "0")]
        for race in races:
            race.run(pair, calm)
            say("  race %d of %d: %s" % (race.number + 1, given.races, ", ".join(race.row())))
        pending = server.settled()
        left = server.intents(BUCKET, strays=(".decision",))
    return attacks.verdict(
        case, "Seed %d, %s a request" % (given.seed, given.latency),
        ["", "a", "b", "b later s", "a s", "b s", "as after"], races, 3,
        "; uploads pending: %d; intents left: %d" % (pending[0], len(left)),
        not pending[0] and not left, pending=pending, intents=left)


case.main(run)
