# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A standalone cluster of three executors: one is killed, the driver stands still, or they have
another version of the jar."""

import os
import re
import shutil
import signal
import time

import attacks
import cluster
import harness
from harness import Problem, say
from soaking.judge import Outcome
from soaking.session import SHORT_LIVED, Session
from soaking.stores import server_of

BUCKET = "soak"
EXECUTORS, CORES = 3, 2
JOB_SECONDS = 600
STILL_SECONDS = 20
MESSAGES = "spark/src/main/java/io/penstock/spark/heartbeat/Envelope.java"


def executor_killed(session):
    name, pid = max(cluster.executors(session.application).items())
    say("    executor %s is killed" % name)
    os.kill(pid, signal.SIGKILL)


def driver_still(session):
    say("    the driver stands still for %d s" % STILL_SECONDS)
    with attacks.paused(session.jvm):
        time.sleep(STILL_SECONDS)


def other_version(setup):
    """The jar, with messages between driver and executors of a version that this one refuses."""
    folder = harness.RUN / "other"
    source = folder / "Envelope.java"
    folder.mkdir(parents=True)
    text = (harness.HOME / MESSAGES).read_text()
    changed, found = re.subn(r"int VERSION = \d+;", "int VERSION = 99;", text)
    if not found:
        raise Problem("no 'int VERSION = N;' in %s; the case must follow its change" % MESSAGES)
    source.write_text(changed)
    jar = folder / "penstock-spark.jar"
    shutil.copy2(setup.jars / "penstock-spark.jar", jar)
    tools = os.path.dirname(os.path.realpath(harness.java()))
    harness.step("compiling another version", [
        os.path.join(tools, "javac"), "-nowarn", "-cp", jar, "-d", folder, source], "javac.log")
    harness.step("putting it into a jar", [
        os.path.join(tools, "jar"), "uf", jar, "-C", folder, "io"], "jar.log")
    return jar


def clusters(setup):
    calm = None
    with cluster.standalone(setup.python, EXECUTORS, CORES) as master:
        for name, what, strike, jar in (
                ("calm", "3 executors, calm", None, None),
                ("killed", "3 executors, one killed in a write", executor_killed, None),
                ("still", "3 executors, driver still %d s" % STILL_SECONDS, driver_still, None),
                ("version", "executors of another version", None, other_version(setup))):
            outcome = Outcome("cluster", what)
            with server_of(setup, [BUCKET]) as server:
                settings = cluster.executor_settings(setup, master, CORES, jar)
                with Session(setup, server.endpoint, settings, java=SHORT_LIVED) as session:
                    one(session, outcome, name, strike)
                    keep_logs(session, name)
                outcome.pending = server.settled()
            outcome.calm = calm = calm or outcome.seconds
            yield outcome


def one(session, outcome, name, strike):
    rows = {"start": 0, "rows": 2400, "tasks": 24}
    target = "s3a://%s/%s" % (BUCKET, name)
    session.result("write", path=target + "-warm-up", **{**rows, "rows": 48})
    write = session.begin("write", path=target, records=10, sleep="20L", **rows)
    write.wait(2.5)
    if strike and write.done.is_set():
        outcome.wrong.append("the job was over before it was struck")
    elif strike:
        strike(session)
    write.wait(JOB_SECONDS)
    outcome.seconds = write.seconds
    if write.error:
        outcome.died.append(write.error)
        return
    outcome.compare("read", session.result("read", path=target),
                    session.result("expect", **rows))


def keep_logs(session, name):
    """Executors leave them where their worker runs."""
    for log in harness.RUN.glob("worker-*/%s/*/stderr" % session.application):
        shutil.copy2(log, harness.LOGS / ("%s-executor-%s.log" % (name, log.parent.name)))
