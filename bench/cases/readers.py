# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does a reader ever see half a commit?

Two drivers of real Spark write to one table on MinIO behind a proxy that adds a latency: one
overwrites it again and again, the other appends to it. Now and then one of them is killed, and a
new one goes on. Meanwhile a third driver counts the rows of each job. Each job writes the same
number of rows in many files: a count is mixed if it has another number of a job's rows, or the rows
of two overwrites. A table that seems empty, and a query that fails as its files were deleted after
it was planned, are counted apart. Last, the time of a query on a calm table.
"""

import random
import statistics
import threading
import time

from bench import Bench
from harness import Problem, s3a_jars, say, table
from soaking import stores
from soaking.session import INLINE, SETTINGS, SHORT_LIVED, Session
from variants import MAGIC

BUCKET = "readers"
ROWS = 1000
APPENDS = 1_000_000
COMMITTED = "spark.hadoop.penstock.read.committed"
PLAIN = {name: value for name, value in SETTINGS.items()
         if not name.startswith("spark.plugins") and name != INLINE}
# name -> (title, settings, settings that all drivers start from)
VARIANTS = {
    "penstock": ("Penstock", {}, SETTINGS),
    "files": ("read.committed=false", {COMMITTED: "false"}, SETTINGS),
    "magic": ("S3A magic", MAGIC, PLAIN),
}

case = Bench(__doc__, has_store=False)
case.option("--writes", 40, "commits of each driver", least=1)
case.option("--files", 20, "files of a job", least=2)
case.option("--kills", 4, "drivers to kill", least=0)
case.option("--rounds", 15, "queries on a calm table", least=0)
case.option("--age", 0, "minutes that nobody has written to the calm table", least=0)
case.names("--variants", list(VARIANTS))
case.attack_options("20ms")
given = case.parse()


class Table:
    """One table, two that write to it, and one that reads."""

    def __init__(self, variant, weather, dice):
        self.variant, self.weather, self.dice = variant, weather, dice
        self.title, self.settings, self.base = VARIANTS[variant]
        self.path = "s3a://%s/%s" % (BUCKET, variant)
        self.failed, self.killed = 0, 0
        self.counts, self.mixes, self.empty, self.missing, self.errors = 0, [], 0, 0, []
        self.is_over = threading.Event()
        self.kill_at = sorted(dice.sample(range(2, 2 * given.writes), min(
            given.kills, 2 * given.writes - 2)))
        self.lock, self.begun = threading.Lock(), 0

    def session(self, settings=None):
        jars = list(s3a_jars(case.version).values()) if self.variant == "magic" else None
        return Session(case, self.weather.endpoint, {**self.settings, **(settings or {})},
                       java=SHORT_LIVED, base=self.base, jars=jars)

    def run(self):
        with self.session() as reader:
            with self.session() as first:
                first.result("write", path=self.path, mode="overwrite", rows=ROWS,
                             tasks=given.files, start=0)
            writers = [threading.Thread(target=self.write, args=how) for how in (
                ("overwrite", 1), ("append", APPENDS))]
            for writer in writers:
                writer.start()
            reading = threading.Thread(target=self.read, args=(reader,))
            reading.start()
            for writer in writers:
                writer.join()
            self.is_over.set()
            reading.join()

    def write(self, mode, first):
        session = self.session().__enter__()
        try:
            for i in range(given.writes):
                job = session.begin("write", path=self.path, mode=mode, rows=ROWS,
                                    tasks=given.files, start=(first + i) * ROWS)
                with self.lock:
                    is_killed = self.begun in self.kill_at
                    self.begun += 1
                    pause = self.dice.uniform(0, 1.2)
                if is_killed:
                    job.wait(pause)
                    session.close()
                    self.killed += 1
                    session = self.session().__enter__()
                elif not job.wait(300) or job.error:
                    self.failed += 1
                    self.errors.append("%s %d: %s" % (mode, i, job.error))
                time.sleep(pause / 4)
        finally:
            session.close()

    def read(self, reader):
        while not self.is_over.is_set():
            asked = reader.ask("written", path=self.path, size=ROWS)
            self.counts += 1
            if asked.error:
                self.missing += 1
                self.errors.append(asked.error)
            elif not asked.result:
                self.empty += 1
            elif self.is_mixed({int(job): rows for job, rows in asked.result.items()}):
                self.mixes.append(asked.result)

    @staticmethod
    def is_mixed(found):
        overwrites = [job for job in found if job < APPENDS]
        return len(overwrites) != 1 or set(found.values()) != {ROWS}

    def row(self):
        return [self.title, str(given.writes * 2), str(self.killed), str(self.failed),
                str(self.counts), str(len(self.mixes)), str(self.empty), str(self.missing)]


def calm(weather):
    """Median seconds of a query on a table that nobody writes, without and with the view."""
    path = "s3a://%s/calm" % BUCKET
    seconds = {"files": [], "penstock": []}
    with Session(case, weather.endpoint, java=SHORT_LIVED) as whole, Session(
            case, weather.endpoint, VARIANTS["files"][1], java=SHORT_LIVED) as files:
        whole.result("write", path=path, mode="overwrite", rows=ROWS, tasks=given.files, start=0)
        time.sleep(60 * given.age)
        for i in range(given.rounds + 3):
            for name, session in (("files", files), ("penstock", whole))[::1 - i % 2 * 2]:
                asked = session.ask("written", path=path, size=ROWS)
                if asked.error:
                    raise Problem(asked.error)
                if i >= 3:
                    seconds[name].append(asked.seconds)
    return {name: statistics.median(all_) for name, all_ in seconds.items()}


def run():
    case.prepare()
    results = []
    with stores.server(case, "minio", [BUCKET]) as server:
        for variant in given.variants:
            dice = random.Random("readers %d" % given.seed)
            with stores.Weather(case.jars, server.endpoint, [
                    "--latency", given.latency, "--seed", str(given.seed)]) as weather:
                one = Table(variant, weather, dice)
                one.run()
            say("  " + ", ".join(one.row()))
            results.append(one)
        medians = {}
        if given.rounds:
            with stores.Weather(case.jars, server.endpoint, [
                    "--latency", given.latency, "--seed", str(given.seed)]) as weather:
                medians = calm(weather)
    case.head("Seed %d, %s a request, %d files a job" % (
        given.seed, given.latency, given.files))
    print(table([["", "commits", "killed", "failed", "queries", "mixed", "empty", "files gone"],
                 *[one.row() for one in results]], 1) + "\n")
    for one in results:
        for mix in one.mixes[:2]:
            print("%s saw %s" % (one.title, {job: n for job, n in mix.items() if n != ROWS} or mix))
        for error in sorted(set(one.errors))[:3]:
            print("%s: %s" % (one.title, error[:200]))
    if medians:
        print("a query on a calm table: %.0f ms without the view, %.0f ms with it: %.3fx" % (
            1e3 * medians["files"], 1e3 * medians["penstock"],
            medians["penstock"] / medians["files"]))
    case.save(seed=given.seed, tables=[one.row() for one in results], calm=medians)
    return 1 if any(one.mixes or one.empty for one in results if one.variant == "penstock") else 0


case.main(run)
