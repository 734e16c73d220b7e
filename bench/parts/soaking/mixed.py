# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Two streaming queries and batch jobs over many buckets in one driver, for long, in mild faults.

Each batch job's table is compared with what this side knows must be in it; jobs are cancelled in
their middle or fail on purpose, and then all or nothing of them is there. What the process holds is
sampled all the time: it must not grow.
"""

import contextlib
import json
import random
import statistics
import time

import attacks
import harness
from harness import Problem, say
from soaking.judge import Outcome
from soaking.outages import STREAMS
from soaking.session import Session, short
from soaking.stores import server_of, Weather

BUCKETS = ["soak-%02d" % i for i in range(20)]
FAULTS = "*@0.005=500,*@0.005=reset-before,*@0.005=reset-after,*@0.005=stall:100ms-2s"
SAMPLE_SECONDS = 10
TELL_SECONDS = 60
JOB_SECONDS = 900
PARTITIONS = 4
# name -> how often
KINDS = {"append": 30, "overwrite": 15, "dynamic": 20, "cancel": 20, "fail": 15}
APPENDS_MAX = 6
# Of the second tenth.
HEAP_RATIO = 1.05
THREADS_SLACK, FDS_SLACK = 8, 32
# In less time classes are still being loaded and code compiled.
JUDGED_FROM_SECONDS = 600
STREAM_DEATHS_MAX = 20
# Classes that grew most are told: so many.
GROWN_TOLD = 12


class Table:
    """A table in a bucket, and what must be in it."""

    def __init__(self, bucket):
        self.bucket = bucket
        self.path = "s3a://%s/table" % bucket
        self.rows = None
        self.appends = 0


class Mixed:
    def __init__(self, setup, session, server, outcome, samples):
        self.setup, self.session, self.server = setup, session, server
        self.outcome, self.samples = outcome, samples
        self.dice = random.Random("mixed %d" % setup.given.seed)
        self.tables = [Table(bucket) for bucket in BUCKETS]
        self.started = time.monotonic()
        self.next_sample = self.next_told = 0.0
        self.jobs = self.rows = self.first_row = 0
        self.batches_before = {name: 0 for name in STREAMS}
        self.names, self.slots, self.deaths = {}, [], 0
        self.histograms = []
        self.log = open(harness.made(setup.given.samples.parent) / setup.given.samples.name, "w",
                        encoding="utf-8")

    # ---- streams

    def start_stream(self, name):
        """On the checkpoint that it left, when it died."""
        provider = STREAMS[name]
        number = sum(name in other for other in self.names.values())
        query = "mixed_%s_%d" % ("rocksdb" if provider else "hdfs", number)
        self.session.result(
            "start_stream", name=query, sink="memory" if provider else "parquet",
            path="s3a://%s/stream-%s" % (BUCKETS[0], "rocksdb" if provider else "hdfs"),
            provider=provider)
        self.names[query] = name

    def watch_streams(self):
        states = self.session.result("streams")
        for query, name in list(self.names.items()):
            state = states.get(query)
            if name is None or state is None:
                continue
            if state["active"]:
                self.batches_before[name] = max(self.batches_before[name], state["batch"] + 1)
                continue
            self.died("%s, batch %d" % (name, state["batch"]),
                      short(state["error"] or ["no error"]))
            self.names[query] = None
            self.deaths += 1
            if self.deaths < STREAM_DEATHS_MAX:
                self.start_stream(name)
        return {name: states[query]["millis"] for query, name in self.names.items() if name}

    def died(self, what, why):
        self.outcome.died.append("%s: %s" % (what, why))
        say("    died: %s: %s" % (what, why))

    @property
    def batches(self):
        return sum(self.batches_before.values())

    # ---- samples

    def sample(self, force=False):
        now = time.monotonic() - self.started
        if now < self.next_sample and not force:
            return
        self.next_sample = now + SAMPLE_SECONDS
        millis = self.watch_streams()
        pending = self.server.pending()
        one = {"t": round(now, 1), "heap": self.session.result("heap"), **self.session.facts(),
               "pending": pending[0], "rows": self.rows, "jobs": self.jobs,
               "batches": self.batches, "millis": millis, "failures": len(self.outcome.died)}
        self.samples.append(one)
        self.log.write(json.dumps(one) + "\n")
        self.log.flush()
        if now >= self.next_told or force:
            self.histograms.append((one["t"], self.session.classes()))
            self.next_told = now + TELL_SECONDS
            say("    %5.1f min  %5d batches  %4d jobs  heap %3.0f MB  %3d threads  %3d fds"
                "  %d spool files  %d died" % (
                    now / 60, one["batches"], one["jobs"], one["heap"] / 1e6, one["threads"],
                    one["fds"], one["spool"], one["failures"]))

    def wait(self, asked, seconds=JOB_SECONDS):
        """Samples go on while a job is under way."""
        give_up = time.monotonic() + seconds
        while not asked.wait(0.1) and time.monotonic() < give_up:
            self.sample()
        if not asked.done.is_set():
            self.session.stacks()
            self.died(asked.what, "not done after %d s; see %s" % (seconds, self.session.log))
        return asked.done.is_set()

    # ---- batch jobs

    def job(self):
        table = self.dice.choice(self.tables)
        kind = self.dice.choices(list(KINDS), list(KINDS.values()))[0]
        if table.rows is None or (kind == "append" and table.appends >= APPENDS_MAX):
            kind = "overwrite"
        rows = {"start": self.first_row, "rows": self.dice.randrange(200, 3000),
                "tasks": self.dice.choice((2, 4, 8)), "by": PARTITIONS,
                "records": self.dice.choice((None, 50))}
        self.first_row += 10_000
        if kind == "dynamic":
            # Odd ones only: half of the partitions stay as they are.
            rows["start"], rows["step"] = rows["start"] + 1, 2
        new = self.session.result("expect", parts=True, **rows)
        self.write(table, kind, rows, attacks.after(table.rows, new, kind))

    def write(self, table, kind, rows, after):
        mode = "overwrite" if kind in ("overwrite", "dynamic") else "append"
        group = "job-%d" % self.jobs
        more = {}
        if kind == "cancel":
            more["sleep"] = "%dL" % max(1, 8000 // rows["rows"])
        if kind == "fail":
            more["fail"] = rows["start"] + rows["rows"] - 1
        asked = self.session.begin("write", job=group, path=table.path, mode=mode,
                                   dynamic=kind == "dynamic", partitioned=True, **rows, **more)
        if kind == "cancel":
            self.cancel(asked, group)
        if not self.wait(asked):
            self.session.cancel(group, 60)
            asked.wait(60)
        self.jobs += 1
        self.compare(table, kind, asked, after)

    def cancel(self, asked, group):
        asked.wait(self.dice.uniform(0.1, 3))
        stopped = self.session.begin("cancel", group=group, patience=300)
        if self.wait(stopped):
            if stopped.error:
                self.outcome.wrong.append("after a cancel %s" % stopped.error)
            else:
                self.slots.append(stopped.result)

    def compare(self, table, kind, asked, after):
        if asked.error and kind not in ("cancel", "fail"):
            self.died("%s to %s" % (kind, table.bucket), asked.error)
        if kind == "fail" and not asked.error:
            self.outcome.wrong.append("a job that must fail in %s did not" % table.bucket)
        read = self.session.begin("read", path=table.path, parts=True, base=table.path)
        if not self.wait(read) or read.error:
            self.died("read of %s" % table.bucket, read.error)
            return
        allowed = [after] if not asked.error else [table.rows or {}]
        if kind not in ("fail",) and asked.error:
            allowed.append(after)
        if read.result not in allowed:
            self.outcome.compare("%s, %s" % (table.bucket, kind), read.result, allowed[0])
        elif self.outcome.equal is None:
            self.outcome.equal = True
        table.appends = table.appends + 1 if read.result == after and kind == "append" else (
            0 if kind == "overwrite" else table.appends)
        table.rows = read.result
        self.rows += sum(part[0] for part in after.values())

    # ---- the whole

    def run(self, seconds, batches):
        for name in STREAMS:
            self.start_stream(name)
        while not self.session.is_gone:
            self.sample()
            done = time.monotonic() - self.started >= seconds
            if (self.batches >= batches if batches else done):
                break
            self.job()
        if self.session.is_gone:
            self.outcome.wrong.append("the driver is gone; see %s" % self.session.log)
            return
        self.end()

    def end(self):
        self.sample(force=True)
        for query, name in self.names.items():
            if name is None:
                continue
            stopped = self.session.ask("stop_stream", name=query)
            problem = stopped.error or stopped.result
            if problem:
                self.outcome.wrong.append("%s: %s" % (name, problem))
                self.outcome.equal = False
        self.outcome.pending = self.server.settled()
        self.at_rest()

    def at_rest(self):
        """With nothing to do it holds no slot and no temporary file."""
        def held():
            return self.session.result("busy"), self.session.facts()["spool"]
        if not harness.until(lambda: held() == (0, 0), 30, 0.5):
            self.outcome.wrong.append(
                "at rest %d slots and %d temporary files are held" % held())


# ---- judging growth

def tenth(samples, number):
    """One of ten equal stretches of time, 1 to 10."""
    end = samples[-1]["t"] or 1
    found = [s for s in samples if (number - 1) / 10 <= s["t"] / end <= number / 10]
    return found or samples[-1:]


def growth(samples):
    """The second tenth beside the last: {name: (then, now, most that is allowed)}. The heap's lowest
    counts: what a job needs while it lasts comes and goes."""
    second, last = tenth(samples, 2), tenth(samples, 10)
    found = {}
    for name, of, allowed in (
            ("heap", min, lambda then: then * HEAP_RATIO),
            ("threads", statistics.median, lambda then: then * 1.1 + THREADS_SLACK),
            ("fds", statistics.median, lambda then: then * 1.1 + FDS_SLACK),
            ("spool", min, lambda then: then)):
        then, now = of(s[name] for s in second), of(s[name] for s in last)
        found[name] = (then, now, allowed(then))
    return found


def grown_classes(histograms, end):
    """[(class, bytes in the second tenth, bytes in the last)], what grew most first. As with the
    heap the lowest of each stretch counts."""
    def lowest(number):
        stretch = [classes for t, classes in histograms
                   if (number - 1) / 10 <= t / end <= number / 10]
        names = set().union(*stretch)
        return {name: min(classes.get(name, 0) for classes in stretch) for name in names}

    then, now = lowest(2), lowest(10)
    found = [(name, then.get(name, 0), size) for name, size in now.items()]
    return sorted(found, key=lambda one: one[1] - one[2])[:GROWN_TOLD]


def judge_growth(outcome, samples, histograms):
    grown = growth(samples)
    outcome.details["growth"] = grown
    outcome.details["classes"] = grown_classes(histograms, samples[-1]["t"] or 1)
    ratio = grown["heap"][1] / grown["heap"][0]
    outcome.note += "; heap %.2fx, threads %d to %d, fds %d to %d" % (
        ratio, *grown["threads"][:2], *grown["fds"][:2])
    if samples[-1]["t"] < JUDGED_FROM_SECONDS:
        outcome.note += " (not judged under %d min)" % (JUDGED_FROM_SECONDS // 60)
        return
    for name, (then, now, allowed) in grown.items():
        if now > allowed:
            outcome.wrong.append("%s grew from %d to %d, %d are allowed" % (
                name, then, now, allowed))


def mixed(setup):
    given = setup.given
    outcome = Outcome("mixed", "mixed run, 2 % faults")
    samples = []
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, BUCKETS))
        weather = stack.enter_context(Weather(setup.jars, server.endpoint, [
            "--faults", given.faults, "--seed", str(given.seed)]))
        session = stack.enter_context(Session(setup, weather.endpoint))
        run = Mixed(setup, session, server, outcome, samples)
        stack.callback(run.log.close)
        setup.samples = samples
        try:
            run.run(given.minutes * 60, given.batches)
        except Problem as e:
            outcome.wrong.append(str(e))
    outcome.seconds = time.monotonic() - run.started
    outcome.note = "%d batches, %d jobs, %s rows, slots after cancel at worst %s" % (
        run.batches, run.jobs, run.rows, "%.1f s" % max(run.slots) if run.slots else "-")
    outcome.details["slots"] = run.slots
    if samples:
        judge_growth(outcome, samples, run.histograms)
        for name, then, now in outcome.details["classes"]:
            say("    %6.2f MB more (%.2f to %.2f)  %s" % (
                (now - then) / 1e6, then / 1e6, now / 1e6, name))
    yield outcome
