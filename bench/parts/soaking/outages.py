# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The store goes away, or stands still, while everything is under way at once: a long write, a
long read, two job commits (append and overwrite), a stream of each state store, and a rollback.

The moment is that of the commits: the first file of a job becomes visible on the server's disk.
"""

import contextlib
import time

from harness import Problem, say
from soaking.judge import Outcome
from soaking.session import ROCKSDB, SHORT_LIVED, Session, short
from soaking.stores import server_of, switch, Weather

BUCKET = "soak"
PATIENCE_SECONDS = 420
STREAM_BATCHES_BEFORE = 3
# Long enough for the jobs to upload all but their last file, so that their commits come together.
GATHER_SECONDS = 8
# A rollback begins so long after the commits, within the shortest outage.
ROLLBACK_MILLIS = 500
COMMIT_FILES = 400
# What a Complete is answered, or ends with, whose upload the store has lost.
LOST = ("COMPLETE_UPLOAD", "parts could not be found", "upload does not exist",
        "its object does not exist")
STREAMS = {"stream, HDFS-backed": None, "stream, RocksDB": ROCKSDB}


def until(moment_millis, last_row):
    """Milliseconds that one row waits, so that its task ends at that moment of the clock."""
    now = "cast(reflect('java.lang.System', 'currentTimeMillis') as bigint)"
    return "if(id = %d, greatest(0L, %dL - %s), 0L)" % (last_row, moment_millis, now)


class Round:
    """All activities once, with an outage in their middle or with none."""

    def __init__(self, session, server, base, files):
        self.session, self.server, self.base, self.files = session, server, base, files
        self.jobs = {}
        self.tables = {name: self.rows(name, start) for name, start in (
            ("append", 1_000_000), ("overwrite", 2_000_000), ("write", 3_000_000),
            ("rollback", 4_000_000))}
        self.halves = set()
        self.old = {"start": 0, "rows": 40, "tasks": 4}

    def rows(self, name, start):
        count = {"append": self.files * 4, "overwrite": self.files * 4, "write": 480,
                 "rollback": 400}[name]
        return {"start": start, "rows": count, "tasks": 8 if name != "write" else 6, "records": 4}

    def path(self, name):
        return "s3a://%s/%s/%s" % (BUCKET, self.base, name.replace(", ", "-"))

    def prepare(self):
        """What was there before: rows that an append adds to and an overwrite replaces."""
        for name in ("append", "overwrite", "rollback"):
            self.session.result("write", path=self.path(name), **self.old)
        self.session.result("write", path=self.path("read"), start=0, rows=600, tasks=6, records=6)
        for name, provider in STREAMS.items():
            self.session.result("start_stream", name=stream_name(self.base, name),
                                path=self.path(name), sink="memory" if provider else "parquet",
                                provider=provider)
        while any(s["batch"] < STREAM_BATCHES_BEFORE and s["active"]
                  for s in self.streams().values()):
            time.sleep(0.2)

    def streams(self):
        found = self.session.result("streams")
        return {name: found[stream_name(self.base, name)] for name in STREAMS}

    def begin(self):
        moment = int((time.time() + GATHER_SECONDS) * 1000)
        plans = {
            "append": {"sleep": self.waits("append", moment)},
            "overwrite": {"sleep": self.waits("overwrite", moment), "mode": "overwrite"},
            "rollback": {"sleep": self.waits("rollback", moment + ROLLBACK_MILLIS),
                         "fail": self.last("rollback")},
            # A tenth of a second for each row: 80 rows a task last eight seconds and more.
            "write": {"sleep": "100L", "mode": "overwrite"},
        }
        for name, plan in plans.items():
            self.jobs[name] = self.session.begin(
                "write", job=self.base + name, path=self.path(name), **self.tables[name], **plan)
        time.sleep(GATHER_SECONDS * 0.4)
        self.jobs["read"] = self.session.begin(
            "read", job=self.base + "read", path=self.path("read"), sleep="150L")

    def last(self, name):
        return self.tables[name]["start"] + self.tables[name]["rows"] - 1

    def waits(self, name, moment):
        return until(moment, self.last(name))

    def wait_for_commit(self):
        """Until a commit has begun; how many files of each are visible then."""
        give_up = time.monotonic() + 60
        before = {name: self.server.visible(BUCKET, "%s/%s" % (self.base, name))
                  for name in ("append", "overwrite")}
        while time.monotonic() < give_up:
            now = {name: self.server.visible(BUCKET, "%s/%s" % (self.base, name)) - before[name]
                   for name in before}
            if any(now.values()) or all(self.jobs[name].done.is_set() for name in now):
                break
        return now

    def finish(self):
        """Waits for all of them; those that never end are told as hanging, and cancelled."""
        give_up = time.monotonic() + PATIENCE_SECONDS
        for name, job in self.jobs.items():
            if not job.wait(give_up - time.monotonic()):
                self.session.stacks()
                self.session.cancel(self.base + name, 30)

    def streams_go_on(self, batches):
        """Whether every stream gets past where it was; those that died do not."""
        give_up = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < give_up:
            now = self.streams()
            if all(s["batch"] >= batches[name] + 2 or not s["active"] for name, s in now.items()):
                return now
            time.sleep(0.2)
        return now

    # ---- judging

    def judge(self, outcome):
        for name, job in self.jobs.items():
            if name != "rollback" and job.error:
                is_lost = self.halves and any(words in job.error for words in LOST)
                (outcome.lost if is_lost else outcome.died).append("%s: %s" % (name, job.error))
        if not self.jobs["rollback"].error or not self.jobs["rollback"].done.is_set():
            outcome.wrong.append("the job that must fail did not")
        if self.session.is_gone:
            outcome.wrong.append("the driver is gone; see %s" % self.session.log)
            return
        if self.jobs["read"].error is None:
            outcome.compare("read", self.jobs["read"].result,
                            self.expected(start=0, rows=600, tasks=6))
        for name in ("append", "overwrite", "rollback", "write"):
            self.compare(outcome, name)
        self.server.told.update(self.halves)
        outcome.pending = self.server.settled()
        left = self.session.result("busy")
        if left:
            outcome.wrong.append("%d slots are held by nothing" % left)

    def expected(self, **rows):
        return self.session.result("expect", **rows)

    def compare(self, outcome, name):
        """A job's rows are all there, or, when it died, none: there is no third state."""
        died = bool(self.jobs[name].error)
        if name == "write" and died and not self.server.visible(BUCKET, self.base + "/write"):
            return
        found = self.session.ask("read", path=self.path(name))
        if found.error:
            outcome.wrong.append("%s cannot be read: %s" % (name, found.error))
            return
        new, old = self.expected(**self.tables[name]), self.expected(**self.old)
        both = [new[0] + old[0], new[1] + old[1], new[2] ^ old[2]]
        after = {"append": both, "overwrite": new, "write": new, "rollback": old}[name]
        before = [0, 0, 0] if name == "write" else old
        allowed = before if died and found.result == before else after
        outcome.compare(name, found.result, allowed)

    def stop_streams(self, outcome, states):
        for name, state in states.items():
            if not state["active"]:
                outcome.died.append("%s: %s" % (name, short(state["error"] or ["no error"])))
                continue
            stopped = self.session.ask("stop_stream", name=stream_name(self.base, name))
            problem = stopped.error or stopped.result
            if problem:
                outcome.wrong.append("%s: %s" % (name, problem))
            outcome.equal = (outcome.equal is not False) and not problem


def stream_name(base, name):
    return (base + "_" + name).replace(", ", "_").replace("-", "_").replace("/", "_")


def one(session, server, base, files, case, what, strike=None):
    """A round, struck in the middle; its outcome and how long the jobs took."""
    round_ = Round(session, server, base, files)
    round_.prepare()
    start = time.monotonic()
    round_.begin()
    seen = round_.wait_for_commit()
    if strike:
        round_.halves = strike() or set()
    batches = {name: state["batch"] for name, state in round_.streams().items()}
    round_.finish()
    outcome = Outcome(case, what, seconds=time.monotonic() - start)
    outcome.note = "visible at the outage: %d of %d appended, %d of %d overwritten" % (
        seen["append"], files, seen["overwrite"], files)
    if round_.halves:
        outcome.note += "; %d uploads lost by the store" % len(round_.halves)
    outcome.details = {name: job.seconds if job.answer else None
                       for name, job in round_.jobs.items()}
    states = round_.streams_go_on(batches)
    round_.stop_streams(outcome, states)
    round_.judge(outcome)
    return outcome


def away(server, seconds, calls):
    """Killed, and started again on its port and data."""
    def strike():
        server.kill()
        calls("the store is away for %g s" % seconds)
        halves = server.half_completed()
        time.sleep(seconds)
        server.start()
        return halves
    return strike


def paused(server, seconds, calls):
    """Connections stay, and nothing is answered."""
    def strike():
        server.pause()
        calls("the store stands still for %g s" % seconds)
        time.sleep(seconds)
        server.resume()
    return strike


def failing(gate, works, fails, seconds, calls):
    """Every request is answered 500 InternalError, by a proxy that asks nobody."""
    def strike():
        gate.lead_to(("127.0.0.1", fails.port))
        calls("the store answers 500 to everything for %g s" % seconds)
        time.sleep(seconds)
        gate.lead_to(("127.0.0.1", works.port))
    return strike


STRIKES = [(away, 1), (away, 10), (away, 60), (paused, 60)]
QUICK = [(away, 1), (away, 10)]


def outages(setup, case, behind_proxy):
    """A calm round, then one for each outage, in one driver: what a round leaves, the next meets."""
    files = 120 if setup.given.slice else COMMIT_FILES
    strikes = QUICK if setup.given.slice else STRIKES
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, [BUCKET]))
        endpoint = server.endpoint
        if behind_proxy:
            endpoint = stack.enter_context(Weather(
                setup.jars, endpoint, ["--latency", "10ms"])).endpoint
        where = "behind a proxy" if behind_proxy else "direct"
        session = None
        calm = None
        for number, (kind, seconds) in enumerate([(None, 0), *strikes]):
            if session is None or session.is_gone:
                session = stack.enter_context(Session(
                    setup, endpoint, {"spark.master": "local[40]"}, java=SHORT_LIVED))
            what = "calm, " + where if kind is None else "%s %d s, %s" % (
                kind.__name__, seconds, where)
            strike = kind(server, seconds, lambda text: say("    " + text)) if kind else None
            base = "%s%d" % ("p" if behind_proxy else "d", number)
            try:
                outcome = one(session, server, base, files, case, what, strike)
            except Problem as e:
                outcome = Outcome(case, what, wrong=[str(e)])
                session.close()
            if kind is None:
                calm = outcome.seconds
            outcome.calm = calm
            yield outcome


def direct(setup):
    yield from outages(setup, "outage", False)


def behind(setup):
    yield from outages(setup, "outage-proxy", True)


def errors(setup):
    """Longer than 24 attempts of a request take most often, which is about half a minute. A proxy
    stands behind the switch, since MinIO loses uploads whose Complete is cut."""
    files, seconds = 120, 90
    with server_of(setup, [BUCKET]) as server, \
            Weather(setup.jars, server.endpoint, ["--latency", "10ms"]) as works, \
            Weather(setup.jars, server.endpoint, ["--faults", "*@1=500"]) as fails, \
            switch(works.port) as (gate,), \
            Session(setup, "http://127.0.0.1:%d" % gate.port, {"spark.master": "local[40]"},
                    java=SHORT_LIVED) as session:
        calm = one(session, server, "e0", files, "errors", "calm, behind a switch")
        calm.calm = calm.seconds
        yield calm
        strike = failing(gate, works, fails, seconds, lambda text: say("    " + text))
        outcome = one(session, server, "e1", files, "errors", "500 for %d s" % seconds, strike)
        outcome.calm = calm.seconds
        yield outcome
