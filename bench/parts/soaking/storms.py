# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Storms that end, and a store with two addresses of which one is bad."""

import contextlib
import socket
import time

import drivers
import harness
from harness import median, say
from soaking.judge import Outcome
from soaking.session import SHORT_LIVED, Session
from soaking.stores import server_of, switch, Weather

BUCKET = "soak"
JOB_SECONDS = 900
LATENCY = ["--latency", "10ms"]

# ---- storms

# name -> (title, weather)
STORMS = {
    "throttle": ("storm: 20 writes/s for %d s", ["--throttle", "20,100"]),
    "random-503": ("storm: 90 %% random 503 for %d s", ["--faults", "*@0.9=503"]),
}
CALM_SECONDS = 30
AFTER_SECONDS = 90
WINDOW_SECONDS = 3
# Of the calm rate: fast again.
FAST_AGAIN = 0.8
AT_ONCE = 3
JOB_ROWS = 800


class Work:
    """Jobs of many small files, some at a time, for as long as is wanted."""

    def __init__(self, session, weathers, base):
        self.session, self.base = session, base
        self.tails = [drivers.Tail(weather.access_log) for weather in weathers]
        self.running, self.number, self.died, self.rates = {}, 0, [], []

    def begin(self):
        job = self.session.begin(
            "write", job="storm-%d" % self.number, path="s3a://%s/%s" % (BUCKET, self.base),
            start=self.number * JOB_ROWS, rows=JOB_ROWS, tasks=8, records=10)
        self.running[self.number] = job
        self.number += 1

    def look(self):
        for number, job in list(self.running.items()):
            if job.done.is_set():
                if job.error:
                    self.died.append("job %d: %s" % (number, job.error))
                del self.running[number]

    def go_on(self, seconds):
        """The requests a second that went well, second by second."""
        rates = []
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            while len(self.running) < AT_ONCE and not self.session.is_gone:
                self.begin()
            time.sleep(1)
            self.look()
            rates.append(self.good())
        self.rates += rates
        return rates

    def good(self):
        return sum(line.status.startswith("2") for tail in self.tails for line in tail.lines())

    def end(self):
        give_up = time.monotonic() + JOB_SECONDS
        while self.running and time.monotonic() < give_up:
            time.sleep(0.2)
            self.look()
        for tail in self.tails:
            tail.close()
        self.died += ["job %d: not done after %d s" % (n, JOB_SECONDS) for n in self.running]


def recovery(rates, calm):
    """Seconds until a window of seconds is fast again; None when there is none."""
    for end in range(WINDOW_SECONDS, len(rates) + 1):
        if sum(rates[end - WINDOW_SECONDS:end]) / WINDOW_SECONDS >= FAST_AGAIN * calm:
            return end
    return None


def storms(setup):
    for name in STORMS:
        yield storm(setup, name)


def storm(setup, name):
    seconds = setup.given.storm_seconds
    title, arguments = STORMS[name]
    outcome = Outcome("storm", title % seconds)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, [BUCKET]))
        calm, bad = (stack.enter_context(Weather(
            setup.jars, server.endpoint, [*LATENCY, *extra], logs=True))
            for extra in ([], arguments))
        gate, = stack.enter_context(switch(calm.port))
        session = stack.enter_context(Session(
            setup, "http://127.0.0.1:%d" % gate.port, {"spark.master": "local[24]"}))
        work = Work(session, (calm, bad), "storm-" + name)
        work.go_on(CALM_SECONDS / 2)
        before = median(work.go_on(CALM_SECONDS))
        gate.lead_to(("127.0.0.1", bad.port))
        say("    %.0f requests/s in calm; the storm begins" % before)
        during = work.go_on(seconds)
        gate.lead_to(("127.0.0.1", calm.port))
        after = work.go_on(AFTER_SECONDS)
        work.end()
        judge_storm(outcome, session, work, before, during, after)
        outcome.pending = server.settled()
    return outcome


def judge_storm(outcome, session, work, before, during, after):
    outcome.died = work.died
    outcome.seconds = recovery(after, before)
    rate = sum(during) / len(during)
    outcome.note = "calm %.0f/s, in the storm %.1f/s (%.1f %%), fast again after %s" % (
        before, rate, 100 * rate / before,
        "%d s" % outcome.seconds if outcome.seconds else "more than %d s" % AFTER_SECONDS)
    outcome.details = {"rates": work.rates}
    if not work.died:
        rows = work.number * JOB_ROWS
        outcome.compare("all jobs", session.result(
            "read", path="s3a://%s/%s" % (BUCKET, work.base), patience=JOB_SECONDS),
            session.result("expect", start=0, rows=rows, tasks=8))


# ---- two addresses

NAME = "two.soak"
ADDRESSES = ("127.0.0.1", "127.0.0.2")
SLOW_SECONDS = 2.0
MODES = {"calm": "open", "dead": "closed", "silent": "silent", "slow": "slow"}


def addresses(setup):
    """The second address goes bad in the middle of a write and stays so for a read."""
    hosts = harness.RUN / "hosts"
    hosts.parent.mkdir(parents=True, exist_ok=True)
    hosts.write_text("".join("%s %s\n" % pair for pair in [
        ("127.0.0.1", "localhost"), ("127.0.0.1", socket.gethostname()),
        *((address, NAME) for address in ADDRESSES)]))
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, [BUCKET]))
        weather = stack.enter_context(Weather(setup.jars, server.endpoint, LATENCY))
        gates = stack.enter_context(switch(weather.port, ADDRESSES))
        session = stack.enter_context(Session(
            setup, "http://%s:%d" % (NAME, gates[0].port), {"spark.master": "local[8]"},
            java="%s -Djdk.net.hosts.file=%s" % (SHORT_LIVED, hosts)))
        turn(session, gates[1], "warm-up", "open", Outcome("addresses", ""))
        calm = None
        for name, mode in MODES.items():
            outcome = Outcome("addresses", "one of two addresses %s" % name)
            outcome.seconds = turn(session, gates[1], name, mode, outcome)
            outcome.calm = calm = calm or outcome.seconds
            outcome.pending = server.settled()
            yield outcome


def turn(session, gate, name, mode, outcome):
    target = "s3a://%s/%s" % (BUCKET, name)
    rows = {"start": 0, "rows": 3200, "tasks": 8}
    start = time.monotonic()
    write = session.begin("write", path=target, records=8, **rows)
    write.wait(0.7)
    gate.be(mode, SLOW_SECONDS)
    try:
        if not write.wait(JOB_SECONDS) or write.error:
            outcome.died.append("write: %s" % write.error)
            return time.monotonic() - start
        read = session.ask("read", path=target, patience=JOB_SECONDS)
        seconds = time.monotonic() - start
    finally:
        gate.be("open")
    if read.error:
        outcome.died.append("read: %s" % read.error)
    else:
        outcome.compare("read", read.result, session.result("expect", **rows))
    return seconds


# ---- TLS

def tls(setup):
    """MinIO behind a certificate of its own, which Java trusts by a trust store; and it goes away
    for ten seconds."""
    folder = harness.RUN / "certificates"
    trusting = harness.make_certificate(folder)
    outcome = Outcome("tls", "TLS, away for 10 s in a write")
    rows = {"start": 0, "rows": 1600, "tasks": 8}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, [BUCKET], certificates=folder))
        session = stack.enter_context(Session(
            setup, server.endpoint,
            java="%s %s" % (SHORT_LIVED, trusting)))
        for name in ("warm-up", "calm", "away"):
            write = session.begin("write", path="s3a://%s/%s" % (BUCKET, name), records=8,
                                  sleep="10L", **rows)
            if name == "away":
                write.wait(1)
                server.kill()
                time.sleep(10)
                server.start()
            write.wait(JOB_SECONDS)
            if write.error:
                outcome.died.append("%s: %s" % (name, write.error))
                continue
            outcome.calm, outcome.seconds = (
                (write.seconds, None) if name != "away" else (outcome.calm, write.seconds))
            outcome.compare(name, session.result("read", path="s3a://%s/%s" % (BUCKET, name)),
                            session.result("expect", **rows))
        outcome.pending = server.settled()
    yield outcome
