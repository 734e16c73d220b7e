# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does a table stay right when executors die or stand still while a job writes it?

A standalone cluster of two workers writes to MinIO. In the middle of a job one executor is killed;
or it stands still, speculative copies of its tasks overtake it, and it goes on before the job ends
or just after: a slow twin that still holds open files. The rows are compared with those of the job,
as is what _SUCCESS says of them, and nothing may be pending.
"""

import contextlib
import json
import os
import random
import signal
import time

import attacks
import cluster
import harness
from bench import Bench
from harness import Problem, say
from soaking import stores
from soaking.session import INLINE, SHORT_LIVED, Session

BUCKET = "cluster"
WORKERS, CORES = 2, 2
PATIENCE = 300
OLD = {"start": 0, "rows": 40, "tasks": 4}
# Twelve seconds of sleep on four slots, so that a strike within three seconds meets all tasks.
NEW = {"start": 1000, "rows": 480, "tasks": 24, "step": 1}
SLEEP = "25L"
STRIKES = ("killed", "twin goes on in the job", "twin goes on after it")
SPECULATION = {
    # Here the files are inline; where executors are killed, they are uploads.
    INLINE: "1m",
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.multiplier": "1.5",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.minTaskRuntime": "500ms",
    # An attempt that may commit and stands still keeps its copies from it until it is lost.
    "spark.network.timeout": "20s",
    "spark.network.timeoutInterval": "2s",
    "spark.executor.heartbeatInterval": "2s",
}


case = Bench(__doc__, has_store=False)
case.option("--rounds", 2, "of each strike and kind of job")
case.attack_options()
given = case.parse()


class Trial:
    """One table, one job, one strike."""

    def __init__(self, number, strike, mode, dice):
        self.number, self.strike, self.mode = number, strike, mode
        self.path = "s3a://%s/table-%d" % (BUCKET, number)
        self.at_seconds = dice.uniform(0.5, 2.5)
        self.after_seconds = dice.uniform(0, 1)
        self.problems, self.seconds = [], 0

    def run(self, session, server):
        session.result("write", path=self.path, mode="overwrite", partitioned=True, **OLD)
        job = session.begin("write", path=self.path, partitioned=True, sleep=SLEEP,
                            **attacks.KINDS[self.mode], **NEW)
        job.wait(self.at_seconds)
        victim, pid = max(cluster.executors(session.application).items())
        if job.done.is_set():
            raise Problem("the job was over before executor %s was struck" % victim)
        if self.strike == "killed":
            os.kill(pid, signal.SIGKILL)
            job.wait(PATIENCE)
        else:
            self.stand_still(job, pid)
        self.seconds = job.seconds
        if job.error:
            self.problems.append("the job failed: %s" % job.error)
        self.pending(server)
        self.check(session)

    def stand_still(self, job, pid):
        with attacks.paused(pid):
            if self.strike == STRIKES[1]:
                job.wait(4 + self.after_seconds)
            else:
                job.wait(PATIENCE)
                time.sleep(self.after_seconds)
        job.wait(PATIENCE)

    def pending(self, server):
        pending = server.settled()
        if pending[0]:
            self.problems.append("%d uploads are pending, %d of them with data" % pending)

    def check(self, session):
        old, new = (session.result("expect", parts=True, **rows) for rows in (OLD, NEW))
        # Both write to all partitions.
        wanted = attacks.after(old, new, self.mode)
        found = session.result("read", path=self.path, parts=True)
        if found != wanted:
            self.problems.append("read %s; expected %s" % (found, wanted))
        marker = json.loads(session.result("text_of", path=self.path + "/_SUCCESS"))
        if (marker["rows"], marker["files"]) != (NEW["rows"], 4 * NEW["tasks"]):
            self.problems.append("_SUCCESS says %s" % marker)

    def row(self):
        return [self.strike, self.mode, "%.1f" % self.at_seconds, "%.1f" % self.seconds]


def settings(master, more):
    return {
        **cluster.executor_settings(case, master, CORES),
        # Killed executors are part of the trial, and the last one has done nothing wrong.
        "spark.deploy.maxExecutorRetries": "-1",
        **more,
    }


def with_all_executors(session):
    """Waits until the master has replaced what was killed."""
    if not harness.until(lambda: len(cluster.executors(session.application)) >= WORKERS, 60):
        raise Problem("only %d executors came back" % len(cluster.executors(session.application)))


def run():
    case.prepare()
    dice = random.Random("commit cluster %d" % given.seed)
    kinds = [(strike, mode) for strike in STRIKES for mode in attacks.KINDS
             for _ in range(given.rounds)]
    trials = [Trial(i, strike, mode, dice) for i, (strike, mode) in enumerate(kinds)]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(stores.server(case, "minio", [BUCKET]))
        master = stack.enter_context(cluster.standalone(case.python, WORKERS, CORES))
        for more, mine in (({}, [t for t in trials if t.strike == "killed"]),
                           (SPECULATION, [t for t in trials if t.strike != "killed"])):
            with Session(case, server.endpoint, settings(master, more),
                         java=SHORT_LIVED) as session:
                session.result("write", path="s3a://%s/warm-up-%d" % (BUCKET, len(more)), **OLD)
                for trial in mine:
                    with_all_executors(session)
                    attacks.settled(trial, trial.run, session, server)
                    say("  %d of %d: %s" % (trial.number + 1, len(trials), ", ".join(trial.row())))
    return attacks.verdict(case, "Seed %d, %d workers" % (given.seed, WORKERS),
                           ["", "executor", "mode", "struck at s", "job s"], trials, 3)


case.main(run)
