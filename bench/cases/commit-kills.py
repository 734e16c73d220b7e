# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Is a table whole after its driver was killed in the middle of a job commit?

A driver of real Spark appends to a table or overwrites it, on MinIO behind a proxy that adds a
latency. It is killed (SIGKILL) or told to end (SIGTERM) when a request of its commit has been
answered: the intent, the first, a middle or the last file, the decision, the deletion of the old
data, _SUCCESS. In half of the trials the files are inline, in the others they are uploads. Then
either the next job on the table or 'penstock recover --write' ends the commit, and the rows are
compared: those of the old data or those of the new, never some of both, and all those of the next
job. Nothing may be pending, and no _SUCCESS may vouch for a mix.
"""

import concurrent.futures
import contextlib
import random
import signal
import subprocess
import time

import attacks
import drivers
import harness
from bench import Bench
from harness import Problem, say
from soaking import stores
from soaking.session import INLINE, SHORT_LIVED, Session

FILES = 20
ROWS = 40
KILL_PATIENCE = 120
LEASE_SECONDS = 60  # penstock.commit.lease
# What makes a file visible: the PUT of an inline file, or the Complete of an upload.
VISIBLE = "REST.PUT.OBJECT REST.POST.UPLOAD"
# phase -> (operation's kind as the access log has it, part of the key, which of them)
PHASES = {
    "intent": ("REST.PUT.OBJECT", "_penstock_intent_", 1),
    "first file": (VISIBLE, "part-", 1),
    "middle file": (VISIBLE, "part-", FILES // 2),
    "last but one": (VISIBLE, "part-", FILES - 1),
    "last file": (VISIBLE, "part-", FILES),
    "decision": ("REST.PUT.OBJECT", ".decision", 1),
    "_SUCCESS": ("REST.PUT.OBJECT", "_SUCCESS", 1),
}


case = Bench(__doc__, has_store=False)
case.option("--kills", 60)
case.attack_options("30ms")
given = case.parse()


class Trial:
    """One table, one kill, and what comes after."""

    def __init__(self, number, dice):
        self.number = number
        self.bucket = "kills-%d" % number
        self.path = "s3a://%s/table" % self.bucket
        self.mode = ("append", "overwrite")[number % 2]
        self.phase = list(PHASES)[number // 2 % len(PHASES)]
        self.signal = dice.choice((signal.SIGKILL, signal.SIGTERM))
        self.ends_by = dice.choice(("next job", "recover"))
        self.way = dice.choice(("inline", "uploads"))
        self.problems, self.state, self.end, self.is_decided = [], None, None, False

    def rows(self, start):
        return {"start": start, "rows": ROWS, "tasks": FILES, "width": 64}

    def prepare(self, session):
        session.result("write", path=self.path, mode="overwrite", **self.rows(0))

    def kill(self, weather, server):
        more = {INLINE: "0" if self.way == "uploads" else "1m"}
        with Session(case, weather.endpoint, more, java=SHORT_LIVED) as driver, \
                contextlib.closing(drivers.Tail(weather.access_log)) as tail:
            tail.lines()
            asked = driver.begin("write", path=self.path, mode=self.mode, **self.rows(1000))
            self.wait_for(tail, asked)
            if driver.jvm and not driver.is_gone:
                attacks.send(driver.jvm, self.signal)
            if not harness.until(lambda: not attacks.is_running(driver.jvm), KILL_PATIENCE, 0.05):
                raise Problem("trial %d: the driver does not end" % self.number)
        self.look(server)

    def wait_for(self, tail, asked):
        operation, key, count = PHASES[self.phase]
        seen, until = 0, time.monotonic() + KILL_PATIENCE
        while seen < count and time.monotonic() < until and not asked.done.is_set():
            for line in tail.lines():
                # Other trials' commits are ended through the same proxy meanwhile.
                seen += (line.bucket == self.bucket and line.key.startswith("table/")
                         and key in line.key and line.operation in operation.split())
            time.sleep(0.002)
        if seen < count and not asked.done.is_set():
            self.problems.append("the request to kill after never came")

    def look(self, server):
        """What a reader finds before anybody has ended the commit."""
        visible = server.visible(self.bucket, "table")
        marker = (server.data / self.bucket / "table" / "_SUCCESS" / "xl.meta").exists()
        # The driver may have ended it, forward or back.
        whole = (FILES, 2 * FILES) if self.mode == "append" else (FILES,)
        self.state = "%d files%s" % (visible, ", _SUCCESS" if marker else "")
        if marker and visible not in whole:
            self.problems.append("_SUCCESS beside %d files" % visible)
        self.is_decided = any(
            name.endswith(".decision") for name in server.intents(self.bucket, strays=()))

    def recover(self, weather, session):
        if self.ends_by == "recover":
            done = subprocess.run(
                drivers.tool(case.jars, "recover", self.path, "--write", "--endpoint",
                             weather.endpoint),
                env=drivers.tool_environment(), capture_output=True, text=True)
            if done.returncode != 0:
                self.problems.append("recover: exit %d: %s" % (
                    done.returncode, (done.stdout + done.stderr)[-300:]))
        else:
            if self.is_decided and self.mode == "append":
                # An append waits for no decided append: it may live, and is in nobody's way. Only
                # a job that begins after the lease takes what is left of it away.
                time.sleep(LEASE_SECONDS + 5)
            session.result("write", path=self.path, mode="append", job="next-%d" % self.number,
                           **self.rows(2000))

    def check(self, session, server):
        old, new, more = (session.result("expect", **self.rows(start)) for start in (0, 1000, 2000))
        found = session.result("read", path=self.path)
        allowed = {"back": [old], "forward": [old, new] if self.mode == "append" else [new]}
        for end, parts in allowed.items():
            if self.ends_by == "next job":
                parts = parts + [more]
            if found[:2] == [sum(part[i] for part in parts) for i in (0, 1)]:
                self.end = end
        if self.end is None:
            self.problems.append("read %s; old %s, new %s" % (found, old, new))
        left = server.intents(self.bucket)
        if left:
            self.problems.append("left: %s" % left)

    def row(self):
        return [self.mode, self.way, self.phase, signal.Signals(self.signal).name,
                self.state or "-", self.ends_by, self.end or "-"]


def run():
    case.prepare()
    dice = random.Random("commit kills %d" % given.seed)
    trials = [Trial(i, dice) for i in range(given.kills)]
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(stores.server(case, "minio", [t.bucket for t in trials]))
        weather = stack.enter_context(stores.Weather(case.jars, server.endpoint, [
            "--latency", given.latency, "--seed", str(given.seed)], logs=True))
        calm = stack.enter_context(Session(case, server.endpoint, memory="2g"))
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(8))
        ends = []
        for trial in trials:
            trial.prepare(calm)
            trial.kill(weather, server)
            say("  %3.0f min  kill %d of %d: %s, after %s: %s" % (
                (time.monotonic() - start) / 60, trial.number + 1, given.kills, trial.mode,
                trial.phase, trial.state))
            # A dead driver is known as such after a minute.
            ends.append(pool.submit(trial.recover, weather, calm))
        for trial, end in zip(trials, ends):
            attacks.settled(trial, end.result)
            attacks.settled(trial, trial.check, calm, server)
        pending = server.settled()
    return attacks.verdict(
        case, "Seed %d, %s a request, %.0f minutes" % (
            given.seed, given.latency, (time.monotonic() - start) / 60),
        ["", "mode", "files", "killed after", "by", "found", "ended by", "end"], trials, 9,
        "; uploads pending: %d (%d with data)" % pending, not pending[0], pending=pending)


case.main(run)
