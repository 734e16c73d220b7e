# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Is a table whole after its driver was killed in the middle of a job commit?

A driver of real Spark appends to a table or overwrites it, on MinIO behind a proxy that adds a
latency. It is killed (SIGKILL) or told to end (SIGTERM) when a request of its commit has been
answered: the intent, the first, a middle or the last file, the decision, the deletion of the
old data, _SUCCESS. In half of the trials the files are inline, in the others they are uploads. Then either the next job on the table or 'penstock recover --write' ends the
commit, and the rows are compared: those of the old data or those of the new, never some of both,
and all those of the next job. Nothing may be pending, and no _SUCCESS may vouch for a mix.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import time

import drivers
import harness
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


def options():
    parser = harness.parser(__doc__)
    parser.add_argument("--kills", type=int, default=60, metavar="N",
                        help="(default: %(default)s)")
    parser.add_argument("--latency", default="30ms", metavar="TIME",
                        help="of each request (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N",
                        help="of all chance (default: %(default)s)")
    parser.add_argument("--minio", metavar="PATH", help="its program; found or built otherwise")
    parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                        help="a Python that has pyspark")
    parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                        help="the jars in this directory; otherwise './penstock jar' builds them")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "commit-kills.json",
                        metavar="FILE", help="(default: bench/.work/commit-kills.json)")
    given = parser.parse_args()
    if given.kills < 1:
        parser.error("need one kill at least")
    return given


class Setup:
    def __init__(self, given):
        self.given = given
        self.python = harness.spark_python(given.spark_python)
        self.jars = harness.penstock_jars(given.penstock_jars)
        self.minio = given.minio or harness.minio()


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

    def kill(self, setup, weather, server):
        more = {INLINE: "0" if self.way == "uploads" else "1m"}
        with Session(setup, weather.endpoint, more, java=SHORT_LIVED) as driver, \
                contextlib.closing(drivers.Tail(weather.access_log)) as tail:
            tail.lines()
            asked = driver.begin("write", path=self.path, mode=self.mode, **self.rows(1000))
            self.wait_for(tail, asked)
            if driver.jvm and not driver.is_gone:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(driver.jvm, self.signal)
            until = time.monotonic() + KILL_PATIENCE
            while is_running(driver.jvm):
                if time.monotonic() > until:
                    raise Problem("trial %d: the driver does not end" % self.number)
                time.sleep(0.05)
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

        self.is_decided = any(name.endswith(".decision") for name in self.intents(server))

    def intents(self, server):
        return [f.parent.name for f in stores.files(server.data / self.bucket)
                if f.name == "xl.meta" and "_penstock_intent_" in f.parent.name]

    def recover(self, setup, weather, session):
        if self.ends_by == "recover":
            done = subprocess.run(
                [harness.java(), "-Xmx256m", "-jar", str(setup.jars / "penstock-cli.jar"),
                 "recover", self.path, "--write", "--endpoint", weather.endpoint],
                env=tool_environment(), capture_output=True, text=True)
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
            count = sum(part[0] for part in parts)
            total = sum(part[1] for part in parts)
            if found[0] == count and found[1] == total:
                self.end = end
        if self.end is None:
            self.problems.append("read %s; old %s, new %s" % (found, old, new))
        left = [name for name in self.intents(server)
                if not name.endswith((".decision", ".settling"))]
        if left:
            self.problems.append("left: %s" % left)

    def row(self):
        return [str(self.number), self.mode, self.way, self.phase, signal.Signals(self.signal).name,
                self.state or "-", self.ends_by, self.end or "-",
                "FAILED" if self.problems else "held"]


def is_running(pid):
    """Whether it is there and no zombie: its parent may not look after it."""
    try:
        return pathlib.Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def tool_environment():
    return {**os.environ, "AWS_ACCESS_KEY_ID": harness.ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": harness.SECRET_KEY, "AWS_REGION": harness.REGION}


def run():
    given = options()
    setup, dice = Setup(given), random.Random("commit kills %d" % given.seed)
    trials = [Trial(i, dice) for i in range(given.kills)]
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(stores.Minio([t.bucket for t in trials], setup.minio))
        weather = stack.enter_context(stores.Weather(setup.jars, server.endpoint, [
            "--latency", given.latency, "--seed", str(given.seed)], logs=True))
        calm = stack.enter_context(Session(setup, server.endpoint, memory="2g"))
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(8))
        ends = []
        for trial in trials:
            trial.prepare(calm)
            trial.kill(setup, weather, server)
            say("  %3.0f min  kill %d of %d: %s, after %s: %s" % (
                (time.monotonic() - start) / 60, trial.number + 1, given.kills, trial.mode,
                trial.phase, trial.state))
            # A dead driver is known as such after a minute.
            ends.append(pool.submit(trial.recover, setup, weather, calm))
        for trial, end in zip(trials, ends):
            try:
                end.result()
                trial.check(calm, server)
            except Problem as e:
                trial.problems.append(str(e))
        pending = server.settled()
    rows = [["", "mode", "files", "killed after", "by", "found", "ended by", "end", ""],
            *(trial.row() for trial in trials)]
    print("\n%s, seed %d, %s a request, %.0f minutes\n\n%s\n" % (
        harness.machine(), given.seed, given.latency, (time.monotonic() - start) / 60,
        harness.table(rows, left=9)))
    failed = [trial for trial in trials if trial.problems]
    for trial in failed:
        print("%d: %s" % (trial.number, "; ".join(trial.problems)))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"machine": harness.machine(), "seed": given.seed,
                                      "pending": pending, "trials": [t.row() + t.problems
                                                                     for t in trials]}, indent=1))
    print("%d of %d held; uploads pending: %d (%d with data)" % (
        len(trials) - len(failed), len(trials), *pending))
    return 1 if failed or pending[0] else 0


harness.main(run)
