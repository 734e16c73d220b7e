# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Many slots in a small heap, cancelled jobs, hedged parts, and one bucket beside another."""

import contextlib

import harness
from harness import median, say
from soaking.judge import Outcome
from soaking.session import SHORT_LIVED, Session
from soaking.stores import server_of, Weather

BUCKET = "soak"
SLOTS = 64
JOB_SECONDS = 1200
ROW_BYTES = 1000
CSV = {"format": "csv"}


def path(name):
    return "s3a://%s/%s" % (BUCKET, name)


# ---- 64 slots in 1 GB

PARTITIONS = 100
READ_FILES = 8
OPEN_FILES = 20
MEMORY = {
    "spark.master": "local[%d]" % SLOTS,
    # A file is one task, and is read from its beginning to its end.
    "spark.sql.files.maxPartitionBytes": "60m",
    "spark.sql.files.openCostInBytes": "59m",
    "spark.hadoop.io.file.buffer.size": str(1 << 20),
    "spark.sql.maxConcurrentOutputFileWriters": str(OPEN_FILES),
}


def memory(setup):
    """Each in a heap of its own, so that one that dies takes no other with it; rows are made and
    compared in one that is not judged."""
    size = 16 if setup.given.slice else setup.given.megabytes
    rows = size * 1_000_000 // ROW_BYTES
    whole = {"tasks": SLOTS, "rows": SLOTS * rows, "width": ROW_BYTES, "start": 0, **CSV}
    # A hundred files a task, each of a few KB, some of them open at once.
    parts = {**whole, "rows": SLOTS * PARTITIONS * 10, "by": PARTITIONS, "partitioned": True}
    few = {**whole, "rows": READ_FILES * rows, "tasks": READ_FILES}
    with server_of(setup, [BUCKET]) as server, Session(
            setup, server.endpoint, memory="2g", java=SHORT_LIVED) as checker:
        for buffer in ("array",) if setup.given.slice else ("disk", "array"):
            yield written(setup, server, checker, "write, buffer=" + buffer, buffer, whole)
            if not setup.given.slice:
                yield written(setup, server, checker, "partitionBy(100), " + buffer, buffer, parts)
        yield read_streams(setup, server, checker, few)


def written(setup, server, checker, what, buffer, rows):
    outcome = Outcome("memory", "64 slots, 1 GB: " + what)
    target = path("%s-%d" % (buffer, rows["rows"]))
    with Session(setup, server.endpoint, {
            **MEMORY, "spark.hadoop.penstock.upload.buffer": buffer}, java=SHORT_LIVED) as session:
        done = session.ask("write", path=target, mode="overwrite", patience=JOB_SECONDS, **rows)
        outcome.seconds = done.seconds
        judge_memory(outcome, session, done)
    if not done.error:
        outcome.compare("read", checker.result(
            "read", path=target, format="csv", base=target, patience=JOB_SECONDS),
            checker.result("expect", patience=JOB_SECONDS, **rows))
        outcome.pending = server.settled()
    return outcome


def judge_memory(outcome, session, done):
    if done.error:
        outcome.died.append(done.error)
    ran_out = session.said("java.lang.OutOfMemoryError")
    if ran_out:
        outcome.wrong.append("%d lines tell of an OutOfMemoryError; see %s" % (
            ran_out, session.log))


def read_streams(setup, server, checker, rows):
    """Some files, each read several times at once."""
    outcome = Outcome("memory", "64 slots, 1 GB: read 64 files")
    expected = checker.result("expect", patience=JOB_SECONDS, **rows)
    checker.result("write", path=path("read"), patience=JOB_SECONDS, **rows)
    with Session(setup, server.endpoint, MEMORY, java=SHORT_LIVED) as session:
        times = SLOTS // READ_FILES
        done = session.ask("read", path=path("read"), format="csv", times=times,
                           patience=JOB_SECONDS)
        outcome.seconds = done.seconds
        judge_memory(outcome, session, done)
        if not done.error:
            # An even number of times, so that the hashes cancel out.
            outcome.compare("read", done.result, [expected[0] * times, expected[1] * times, 0])
    return outcome


# ---- hedged parts

def hedges(setup):
    """Jobs of many small files with nothing set, on the server itself: a part that is sent twice
    must not be lost to the one that was cut."""
    given = setup.given
    jobs, files = (1, 800) if given.slice else (given.hedge_jobs, given.hedge_files)
    outcome = Outcome("hedges", "%d jobs of %s files" % (jobs, "{:,}".format(files)), seconds=0)
    rows = {"rows": files * 10, "tasks": SLOTS, "records": 10}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, [BUCKET]))
        session = stack.enter_context(Session(
            setup, server.endpoint, {"spark.master": "local[%d]" % SLOTS}, memory="2g"))
        for number in range(jobs):
            mine = {**rows, "start": number * files * 10}
            done = session.ask("write", path=path("job-%d" % number), patience=JOB_SECONDS, **mine)
            outcome.seconds += done.seconds
            if done.error:
                outcome.died.append("job %d: %s" % (number, done.error))
            else:
                outcome.compare("job %d" % number, session.result(
                    "read", path=path("job-%d" % number), patience=JOB_SECONDS),
                    session.result("expect", **mine))
            say("    job %d of %d: %.0f s%s" % (
                number + 1, jobs, done.seconds, ", FAILED" if done.error else ""))
        lines = session.said("InvalidPart")
        if lines:
            outcome.wrong.append("%d lines tell of InvalidPart; see %s" % (lines, session.log))
    outcome.pending = server.settled()
    yield outcome


# ---- slots after a cancel

GOAL_SECONDS, JUDGED_SECONDS = 2, 5
HELD_SECONDS = 180
# The table's look and the creation of uploads go well, so that parts are under way.
THROTTLED_WRITES = "UploadPart@1=503,PutObject@1=503"
INTO_THE_STORM_SECONDS = 10
UPLOADS_SECONDS = 60


def cancelled(setup):
    for interrupt in (True,) if setup.given.slice else (True, False):
        yield from cancelled_by(setup, interrupt)


def cancelled_by(setup, interrupt):
    """With Spark's interrupt of tasks, and without, as Spark's own default is for jobs of RDDs."""
    how = "interrupted" if interrupt else "not interrupted"
    outcome = Outcome("cancel", "slots after a cancel, %s" % how)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, [BUCKET]))
        weather = stack.enter_context(Weather(
            setup.jars, server.endpoint, ["--faults", THROTTLED_WRITES]))
        session = stack.enter_context(Session(setup, weather.endpoint, java=SHORT_LIVED))
        job = session.begin("write", job="doomed", interrupt=interrupt, path=path("doomed"),
                            start=0, rows=80_000, tasks=8, width=ROW_BYTES, **CSV)
        wait_for_uploads(server, job)
        job.wait(INTO_THE_STORM_SECONDS)
        if job.done.is_set():
            outcome.wrong.append("the job was over before it was cancelled: %s" % job.error)
            yield outcome
            return
        stopped = session.cancel("doomed", HELD_SECONDS)
        outcome.seconds = stopped.seconds
        outcome.note = "goal %d s" % GOAL_SECONDS
        if stopped.error:
            session.stacks()
            outcome.wrong.append(stopped.error)
        elif stopped.result > JUDGED_SECONDS:
            outcome.wrong.append("slots were held for %.1f s, %d are allowed" % (
                stopped.result, JUDGED_SECONDS))
        job.wait(60)
        outcome.pending = server.settled()
        if session.facts()["spool"]:
            outcome.wrong.append("%d temporary files are left" % session.facts()["spool"])
    yield outcome


def wait_for_uploads(server, job):
    """A busy machine takes its time to start a job."""
    harness.until(lambda: any(server.pending()) or job.done.is_set(), UPLOADS_SECONDS)


# ---- a read beside a bucket that is throttled

RATIO_GOAL, RATIO_JUDGED = 1.2, 3.0
READS = 5
READ_SECONDS = 60
SETTLE_SECONDS = 15


def beside(setup):
    outcome = Outcome("beside", "read beside a throttled bucket")
    rows = {"start": 0, "rows": 160_000, "tasks": 8, "width": ROW_BYTES, **CSV}
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(server_of(setup, [BUCKET, "throttled"]))
        calm = stack.enter_context(Weather(setup.jars, server.endpoint, ["--latency", "10ms"]))
        storm = stack.enter_context(Weather(setup.jars, server.endpoint, [
            "--latency", "10ms", "--throttle", "5,50"]))
        session = stack.enter_context(Session(setup, calm.endpoint, {
            "spark.master": "local[%d]" % (SLOTS + 16),
            "spark.hadoop.penstock.bucket.throttled.endpoint": storm.endpoint,
        }, memory="2g", java=SHORT_LIVED))
        expected = session.result("expect", **rows)
        session.result("write", path=path("calm"), **rows)
        outcome.calm = reads(session, outcome, expected)
        job = session.begin("write", job="storm", path="s3a://throttled/storm", start=0,
                            rows=SLOTS * 400, tasks=SLOTS, records=4)
        job.wait(SETTLE_SECONDS)
        outcome.seconds = reads(session, outcome, expected)
        if job.done.is_set():
            outcome.wrong.append("the throttled job was over too soon: %s" % job.error)
        stopped = session.cancel("storm", HELD_SECONDS)
        outcome.note = "goal %.1fx; slots of the other %s" % (
            RATIO_GOAL, "free after %.1f s" % stopped.result if not stopped.error
            else stopped.error)
    ratio = outcome.seconds / outcome.calm
    if ratio > RATIO_JUDGED:
        outcome.wrong.append("a read took %.1f times as long, %.1f is allowed" % (
            ratio, RATIO_JUDGED))
    yield outcome


def reads(session, outcome, expected):
    """The median of some, after one that loads what is needed; one that never ends is the last."""
    times = []
    for _ in range(READS + 1):
        done = session.begin("read", job="reads", path=path("calm"), format="csv")
        if not done.wait(READ_SECONDS):
            outcome.wrong.append("a read was not done after %d s" % READ_SECONDS)
            session.stacks()
            session.cancel("reads", READ_SECONDS)
            return READ_SECONDS
        if done.error:
            outcome.died.append(done.error)
        else:
            outcome.compare("read", done.result, expected)
        times.append(done.seconds)
    return median(times[1:])
