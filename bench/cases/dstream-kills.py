# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does a StreamingContext count right, however often its driver is killed, and what do its
checkpoints take: on S3 and on a mounted filesystem?

A context counts words with state, and checkpoints each batch: its graph and the state. Its driver
is killed (SIGKILL) at a random moment, again and again; the next goes on from the checkpoint. Words
come all the time, while no driver lives too. At the end the state must have counted each word once.
What checkpoints took is what Spark itself logs. All chance comes from --seed.
"""

import json
import os
import random
import re
import signal
import time

import bench
import harness
import mounts
import variants
from bench import Bench
from harness import Problem, median, say

# name -> (title, of variants)
PLACES = {
    "s3a": ("S3A", "s3a"),
    "penstock": ("Penstock, s3://", "penstock"),
    "nfs": ("NFS, file://", "disk"),
    "disk": ("local disk, file://", "disk"),
}
INTERVAL_SECONDS = 2
# A driver that was not killed by then has done enough batches.
LONGEST_LIFE_SECONDS = 8.0
PATIENCE_SECONDS = 120
GRAPH = re.compile(r"Checkpoint for time \d+ ms saved to file .* took \d+ bytes and (\d+) ms")
STATE = re.compile(r"Checkpointing took (\d+) ms")


case = Bench(__doc__, latency="30ms")
case.names("--places", {name: title for name, (title, _) in PLACES.items()}, "of the checkpoint")
case.option("--kills", 6, "at each place", least=0)
case.seed_option()
given = case.parse()


class Words:
    """Files with words, which appear whole."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True)
        self.count = self.files = 0

    def add(self, words):
        self.files += 1
        hidden = self.folder / (".%d" % self.files)
        hidden.write_text("penstock\n" * words)
        os.utime(hidden)
        hidden.rename(self.folder / ("words-%d" % self.files))
        self.count += words


class Place:
    def __init__(self, name, jars, store, directory):
        self.name, self.jars, self.store, self.directory = name, jars, store, directory
        self.title, variant = PLACES[name]
        self.settings = {**variants.ALL[variant][1], "spark.driver.memory": "1g"}
        self.base = harness.RUN / ("dstream-" + name)
        self.words, self.counts = Words(self.base / "words"), self.base / "counts"
        self.dice = random.Random("%d %s" % (given.seed, name))
        self.logs = []

    def start(self):
        scratch = self.base / ("life-%d" % len(self.logs))
        conf = harness.spark_conf(scratch, self.store, self.jars, self.settings)
        job = {"words": str(self.words.folder), "counts": str(self.counts),
               "interval": INTERVAL_SECONDS, "checkpoint": self.directory}
        log = harness.made(harness.LOGS) / ("%s-life-%d.log" % (self.name, len(self.logs)))
        log.unlink(missing_ok=True)
        self.logs.append(log)
        return harness.process(
            [case.python.parent / "spark-submit", "--properties-file", conf,
             harness.JOBS / "dstream.py", json.dumps(job)],
            log, stdout=open(log, "ab"), env=harness.spark_environment(case.python), cwd=scratch)

    def batches(self):
        return self.counts.read_text().splitlines() if self.counts.exists() else []

    def counted(self):
        last = self.batches()[-1:]
        return json.loads(last[0]).get("penstock", 0) if last else 0

    def wait(self, driver, is_enough, what):
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_enough():
            if driver.poll() is not None:
                raise Problem("%s: the driver ended: %s; see %s" % (
                    self.name, harness.reason(self.logs[-1]), self.logs[-1]))
            if time.monotonic() > end:
                raise Problem("%s: %s after %d s, counted %d of %d; see %s" % (
                    self.name, what, PATIENCE_SECONDS, self.counted(), self.words.count,
                    self.logs[-1]))
            time.sleep(0.05)

    def life(self, is_last):
        before = len(self.batches())
        with self.start() as driver:
            if before:
                self.words.add(self.dice.randrange(1, 9))
            # A new context leaves out files that are older than itself.
            self.wait(driver, lambda: len(self.batches()) > before, "no batch")
            self.words.add(self.dice.randrange(1, 9))
            if is_last:
                self.wait(driver, lambda: self.counted() >= self.words.count, "not all words")
                self.wait(driver, lambda: len(self.batches()) > before + 4, "no more batches")
            else:
                end = time.monotonic() + self.dice.uniform(0, LONGEST_LIFE_SECONDS)
                while time.monotonic() < end:
                    self.words.add(self.dice.randrange(1, 9))
                    time.sleep(min(0.7, max(0, end - time.monotonic())))
                os.killpg(driver.pid, signal.SIGKILL)
                say("  %-20s killed after %d batches" % (
                    self.title, len(self.batches()) - before))
        if not is_last:
            self.words.add(self.dice.randrange(1, 9))

    def run(self):
        for i in range(given.kills + 1):
            self.life(is_last=i == given.kills)
        text = "".join(log.read_text(errors="replace") for log in self.logs)
        took = {"graph": [int(ms) for ms in GRAPH.findall(text)],
                "state": [int(ms) for ms in STATE.findall(text)]}
        return {"place": self.name, "kills": given.kills, "words": self.words.count,
                "counted": self.counted(), "batches": len(self.batches()), **took}


def all_places():
    s3a = harness.s3a_jars(case.version) if "s3a" in given.places else {}
    with harness.server(given) as server:
        for name in given.places:
            jars = variants.class_path(PLACES[name][1], case.jars, s3a)
            with harness.weather(given, server, case.jars, may_miss_lines=True) as store:
                if name == "nfs":
                    with mounts.nfs() as mounted:
                        yield Place(name, jars, store, "file://%s/checkpoint" % mounted).run()
                else:
                    base = "file://%s" % (harness.RUN / "disk") if name == "disk" else (
                        "%s://%s/dstream-%s-%d" % ("s3a" if name == "s3a" else "s3", store.bucket,
                                                  name, int(time.time())))
                    yield Place(name, jars, store, base + "/checkpoint").run()


def run():
    case.prepare()
    runs = []
    for run in all_places():
        runs.append(run)
        case.save(runs=runs)
    case.head("Spark %s, local[2], latency of S3 %s" % (case.version, given.latency))
    print(bench.columns_of(runs, [
        ("checkpoint on", lambda run: PLACES[run["place"]][0]),
        *((what, lambda run, what=what: run[what]) for what in (
            "kills", "batches", "words", "counted")),
        *((head, lambda run, what=what, i=i: times(run[what])[i]) for what in ("state", "graph")
          for i, head in enumerate((what, "p95")))]) + "\n")
    print("state, graph: what a checkpoint of each took, median, as Spark logs it.\n")
    return 0 if all(r["words"] == r["counted"] for r in runs) else 1


def times(millis):
    if not millis:
        return ["-", "-"]
    ordered = sorted(millis)
    return ["%d ms" % median(ordered), "%d" % ordered[int(0.95 * (len(ordered) - 1))]]


case.main(run)
