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
import pathlib
import random
import signal
import time

import cluster
import harness
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
MODES = ("append", "overwrite", "dynamic")
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


def options():
    parser = harness.parser(__doc__)
    parser.add_argument("--rounds", type=int, default=2, metavar="N",
                        help="of each strike and kind of job (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N",
                        help="of all chance (default: %(default)s)")
    parser.add_argument("--minio", metavar="PATH", help="its program; found or built otherwise")
    parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                        help="a Python that has pyspark")
    parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                        help="the jars in this directory; otherwise './penstock jar' builds them")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "commit-cluster.json",
                        metavar="FILE", help="(default: bench/.work/commit-cluster.json)")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("need one round at least")
    return given


class Setup:
    def __init__(self, given):
        self.python = harness.spark_python(given.spark_python)
        self.jars = harness.penstock_jars(given.penstock_jars)
        self.minio = given.minio or harness.minio()


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
        mode = {"mode": "overwrite", "dynamic": True} if self.mode == "dynamic" else {
            "mode": self.mode}
        job = session.begin("write", path=self.path, partitioned=True, sleep=SLEEP, **mode, **NEW)
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
        os.kill(pid, signal.SIGSTOP)
        try:
            if self.strike == STRIKES[1]:
                job.wait(4 + self.after_seconds)
            else:
                job.wait(PATIENCE)
                time.sleep(self.after_seconds)
        finally:
            os.kill(pid, signal.SIGCONT)
        job.wait(PATIENCE)

    def pending(self, server):
        pending = server.settled()
        if pending[0]:
            self.problems.append("%d uploads are pending, %d of them with data" % pending)

    def check(self, session):
        old, new = (session.result("expect", parts=True, **rows) for rows in (OLD, NEW))
        wanted = ({p: [a + b for a, b in zip(old[p][:2], new[p][:2])] + [old[p][2] ^ new[p][2]]
                   for p in new} if self.mode == "append" else new)
        found = session.result("read", path=self.path, parts=True)
        if found != wanted:
            self.problems.append("read %s; expected %s" % (found, wanted))
        marker = json.loads(session.result("text_of", path=self.path + "/_SUCCESS"))
        if (marker["rows"], marker["files"]) != (NEW["rows"], 4 * NEW["tasks"]):
            self.problems.append("_SUCCESS says %s" % marker)

    def row(self):
        return [str(self.number), self.strike, self.mode, "%.1f" % self.at_seconds,
                "%.1f" % self.seconds, "FAILED" if self.problems else "held"]


def settings(setup, master, more):
    return {
        "spark.master": master,
        "spark.executor.cores": CORES,
        "spark.executor.memory": "700m",
        "spark.executor.extraJavaOptions": SHORT_LIVED + " -XX:+UseSerialGC",
        "spark.executor.extraClassPath": setup.jars / "penstock-spark.jar",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "180s",
        # Killed executors are part of the trial, and the last one has done nothing wrong.
        "spark.deploy.maxExecutorRetries": "-1",
        **more,
    }


def with_all_executors(session):
    """Waits until the master has replaced what was killed."""
    until = time.monotonic() + 60
    while len(cluster.executors(session.application)) < WORKERS:
        if time.monotonic() > until:
            raise Problem("only %d executors came back" % len(
                cluster.executors(session.application)))
        time.sleep(0.2)


def run():
    given = options()
    setup, dice = Setup(given), random.Random("commit cluster %d" % given.seed)
    kinds = [(strike, mode) for strike in STRIKES for mode in MODES for _ in range(given.rounds)]
    trials = [Trial(i, strike, mode, dice) for i, (strike, mode) in enumerate(kinds)]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(stores.Minio([BUCKET], setup.minio))
        master = stack.enter_context(cluster.standalone(setup.python, WORKERS, CORES))
        for more, mine in (({}, [t for t in trials if t.strike == "killed"]),
                           (SPECULATION, [t for t in trials if t.strike != "killed"])):
            with Session(setup, server.endpoint, settings(setup, master, more),
                         java=SHORT_LIVED) as session:
                session.result("write", path="s3a://%s/warm-up-%d" % (BUCKET, len(more)), **OLD)
                for trial in mine:
                    with_all_executors(session)
                    try:
                        trial.run(session, server)
                    except Problem as e:
                        trial.problems.append(str(e))
                    say("  %d of %d: %s" % (trial.number + 1, len(trials),
                                            ", ".join(trial.row()[1:])))
    rows = [["", "executor", "mode", "struck at s", "job s", ""], *(t.row() for t in trials)]
    print("\n%s, seed %d, %d workers\n\n%s\n" % (
        harness.machine(), given.seed, WORKERS, harness.table(rows, left=3)))
    failed = [trial for trial in trials if trial.problems]
    for trial in failed:
        print("%d: %s" % (trial.number, "; ".join(trial.problems)))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "seed": given.seed,
        "trials": [trial.row() + trial.problems for trial in trials]}, indent=1))
    print("%d of %d held" % (len(trials) - len(failed), len(trials)))
    return 1 if failed else 0


harness.main(run)
