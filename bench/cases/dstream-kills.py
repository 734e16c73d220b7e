# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does a StreamingContext count right, however often its driver is killed, and what do its
checkpoints take: on S3 and on a mounted filesystem?

A context counts words with state, and checkpoints each batch: its graph and the state. Its driver is
killed (SIGKILL) at a random moment, again and again; the next goes on from the checkpoint. Words come
all the time, while no driver lives too. At the end the state must have counted each word once. What
checkpoints took is what Spark itself logs. All chance comes from --seed.
"""

import json
import os
import pathlib
import random
import re
import signal
import time

import harness
import mounts
import variants
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


def options():
    parser = harness.parser(__doc__, "places:\n" + "\n".join(
        "  %-9s %s" % (name, title) for name, (title, _) in PLACES.items()))
    harness.common_options(parser)
    parser.set_defaults(latency="30ms")
    parser.add_argument("--places", default=",".join(PLACES), metavar="NAME,…",
                        help="of the checkpoint (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=6, metavar="N",
                        help="at each place (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="default: %(default)s")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "dstream-kills.json",
                        metavar="FILE", help="default: bench/.work/dstream-kills.json")
    given = parser.parse_args()
    given.places = given.places.split(",")
    if given.kills < 0 or not set(given.places) <= set(PLACES):
        parser.error("need places of %s" % ", ".join(PLACES))
    return given


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
    def __init__(self, given, name, python, jars, store, directory):
        self.given, self.name, self.python, self.jars, self.store = given, name, python, jars, store
        self.base = harness.RUN / ("dstream-" + name)
        self.words, self.counts = Words(self.base / "words"), self.base / "counts"
        self.directory = directory
        self.dice = random.Random("%d %s" % (given.seed, name))
        self.logs = []

    def start(self):
        scratch = self.base / ("life-%d" % len(self.logs))
        settings = {**variants.ALL[PLACES[self.name][1]][1], "spark.driver.memory": "1g"}
        conf = harness.spark_conf(scratch, self.store, self.jars, settings)
        job = {"words": str(self.words.folder), "counts": str(self.counts),
               "interval": INTERVAL_SECONDS, "checkpoint": self.directory}
        self.logs.append(harness.LOGS / ("%s-life-%d.log" % (self.name, len(self.logs))))
        self.logs[-1].parent.mkdir(parents=True, exist_ok=True)
        self.logs[-1].unlink(missing_ok=True)
        return harness.process(
            [self.python.parent / "spark-submit", "--properties-file", conf,
             harness.JOBS / "dstream.py", json.dumps(job)],
            self.logs[-1], stdout=open(self.logs[-1], "ab"), env=harness.spark_environment(self.python),
            cwd=scratch)

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
                    PLACES[self.name][0], len(self.batches()) - before))
        if not is_last:
            self.words.add(self.dice.randrange(1, 9))

    def run(self):
        for i in range(self.given.kills + 1):
            self.life(is_last=i == self.given.kills)
        text = "".join(log.read_text(errors="replace") for log in self.logs)
        took = {"graph": [int(ms) for ms in GRAPH.findall(text)],
                "state": [int(ms) for ms in STATE.findall(text)]}
        return {"place": self.name, "kills": self.given.kills, "words": self.words.count,
                "counted": self.counted(), "batches": len(self.batches()), **took}


def all_places(given, python, ours):
    s3a = harness.s3a_jars(harness.spark_version(python)) if "s3a" in given.places else {}
    with harness.server(given) as server:
        for name in given.places:
            jars = variants.class_path(PLACES[name][1], ours, s3a)
            with harness.weather(given, server, ours, may_miss_lines=True) as store:
                if name == "nfs":
                    with mounts.nfs() as mounted:
                        yield Place(given, name, python, jars, store,
                                    "file://%s/checkpoint" % mounted).run()
                else:
                    base = "file://%s" % (harness.RUN / "disk") if name == "disk" else (
                        "%s://%s/dstream-%s-%d" % ("s3a" if name == "s3a" else "s3", store.bucket, name,
                                                  int(time.time())))
                    yield Place(given, name, python, jars, store, base + "/checkpoint").run()


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    ours = harness.penstock_jars(given.penstock_jars)
    runs = []
    for run in all_places(given, python, ours):
        runs.append(run)
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps({"machine": harness.machine(), "runs": runs}, indent=1) + "\n")
    lines = [["checkpoint on", "kills", "batches", "words", "counted", "state", "p95", "graph", "p95"]]
    for r in runs:
        lines.append([PLACES[r["place"]][0], str(r["kills"]), str(r["batches"]), str(r["words"]),
                      str(r["counted"]), *times(r["state"]), *times(r["graph"])])
    print("\nSpark %s, local[2], latency of S3 %s; %s\n\n%s\n" % (
        harness.spark_version(python), given.latency, harness.machine(), harness.table(lines)))
    print("state, graph: what a checkpoint of each took, median, as Spark logs it.\n")
    return 0 if all(r["words"] == r["counted"] for r in runs) else 1


def times(millis):
    if not millis:
        return ["-", "-"]
    ordered = sorted(millis)
    return ["%d ms" % median(ordered), "%d" % ordered[int(0.95 * (len(ordered) - 1))]]


harness.main(run)
