# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Are the rows of foreachBatch there once, however often its driver is killed or its query stopped?

A query of real Spark reads one file a batch and appends it to a table in two writes, on MinIO behind
a proxy that adds a latency. Its driver is killed (SIGKILL), or the query is stopped, at a random
moment or just after a request of its commit or checkpoint; then the next one goes on, until all
input is consumed. Then each row is counted. The same without penstock.spark.batches.once, and
with S3A's magic committer. Some tables are written at the same time, since a driver that takes over
waits for a minute until the dead one's lease has ended.
"""

import concurrent.futures
import contextlib
import random
import re
import time

import drivers
import harness
from bench import Bench
from harness import s3a_jars, say, table
from soaking import stores
from soaking.session import SETTINGS, SHORT_LIVED, Session
from variants import MAGIC

BUCKET = "batches"
ROWS = 40
FILES = 4
PLAIN = {name: value for name, value in SETTINGS.items()
         if not name.startswith("spark.plugins") and "penstock" not in name}
# name -> (title, settings, settings that all drivers start from)
VARIANTS = {
    "penstock": ("batches.once", {"spark.hadoop.penstock.spark.batches.once": "true"}, SETTINGS),
    "off": ("Penstock", {}, SETTINGS),
    "magic": ("S3A magic", MAGIC, PLAIN),
}
# What the key of the request is like, after which the driver is killed.
PHASES = {
    "intent": r"table/_penstock_intent_.*append",
    "file": r"table/part-",
    "decision": r"decision",
    "record": r"_penstock_done_",
    "_SUCCESS": r"table/_SUCCESS",
    "offsets": r"checkpoint/offsets/",
    "commits": r"checkpoint/commits/",
}
OF_PENSTOCK = ("intent", "decision", "record")

case = Bench(__doc__, has_store=False)
case.option("--kills", 100, "drivers to kill and queries to stop for each variant", least=1)
case.option("--kills-a-round", 12, "at most; then the table is written to its end", least=1)
case.option("--at-once", 3, "tables", least=1)
case.names("--variants", list(VARIANTS))
case.attack_options("20ms")
given = case.parse()


class Round:
    """One table and its checkpoint, from the first batch to the last."""

    def __init__(self, variant, number, weather, kills):
        self.title, self.settings, self.base = VARIANTS[variant]
        self.variant, self.number, self.weather, self.kills = variant, number, weather, kills
        self.path = "s3a://%s/%s-%d" % (BUCKET, variant, number)
        self.dice = random.Random("batches %d-%d" % (given.seed, number))
        self.source = harness.made(harness.RUN / ("source-%s-%d" % (variant, number)))
        self.batches = kills + 3
        self.killed, self.stopped, self.lives, self.errors, self.found = 0, 0, 0, [], None
        for file in range(self.batches):
            with open(self.source / ("%03d.json" % file), "w") as out:
                out.writelines('{"id": %d, "file": %d}\n' % (file * ROWS + i, file)
                               for i in range(ROWS))

    def session(self):
        jars = list(s3a_jars(case.version).values()) if self.variant == "magic" else None
        settings = {**self.settings, "spark.sql.shuffle.partitions": "2", "spark.master": "local[4]"}
        return Session(case, self.weather.endpoint, settings, java=SHORT_LIVED, base=self.base,
                       jars=jars, job="batches.py", memory="700m")

    def run(self):
        is_over = False
        while not is_over:
            if self.lives > 3 * self.batches:
                say("  %s: its query fails again and again: %s" % (self.path, self.errors[-1:]))
                return self
            self.lives += 1
            with self.session() as driver:
                is_over = self.life(driver)
                if is_over:
                    self.found = driver.result("times", path=self.path)
        say("  %s" % ", ".join(self.row([self])))
        return self

    def life(self, driver):
        """Lets a driver go on until it is killed or all is consumed; returns whether it is."""
        while True:
            asked = driver.begin("batches", path=self.path, source=str(self.source), files=FILES)
            if self.killed + self.stopped >= self.kills:
                asked.wait(600)
                if asked.error:
                    self.errors.append(asked.error)
                return not asked.error
            self.wait(asked)
            if asked.done.is_set():
                if asked.error:
                    self.errors.append(asked.error)
                return not asked.error
            if self.dice.random() < 0.75:
                self.killed += 1
                driver.close()
                return False
            self.stopped += 1
            driver.ask("stop")
            asked.wait(300)

    def wait(self, asked):
        """Until it is time to kill."""
        phases = [name for name in PHASES
                  if self.variant != "magic" or name not in OF_PENSTOCK]
        phase, count = self.dice.choice([*phases, "time"]), self.dice.randrange(1, 5)
        more = self.dice.uniform(0, 0.06)
        if phase == "time":
            asked.wait(self.dice.uniform(0.2, 6))
            return
        pattern = re.compile(PHASES[phase])
        own = self.path.split(BUCKET + "/")[1] + "/"
        until = time.monotonic() + 150
        with contextlib.closing(drivers.Tail(self.weather.access_log)) as tail:
            tail.file.seek(0, 2)
            while count > 0 and time.monotonic() < until and not asked.done.is_set():
                count -= sum(line.is_write and line.key.startswith(own)
                             and pattern.search(line.key) is not None for line in tail.lines())
                time.sleep(0.003)
        time.sleep(more)

    @staticmethod
    def row(rounds):
        rows, wrong = {}, 0
        gave_up = sum(one.found is None for one in rounds)
        title, rounds = rounds[0].title, [one for one in rounds if one.found]
        for one in rounds:
            for times, n in one.found["rows"].items():
                rows[times] = rows.get(times, 0) + n
            wanted = 2 * one.batches
            wrong += wanted - sum(writes == [ROWS // 2, 1, 1] for writes in one.found["writes"])
        expected = sum(one.batches * ROWS for one in rounds)
        return [title, str(gave_up), str(sum(one.batches for one in rounds)),
                str(sum(one.killed for one in rounds)), str(sum(one.stopped for one in rounds)),
                str(sum(n for times, n in rows.items() if times != "1")),
                str(expected - sum(rows.values())), str(wrong)]


def rounds(variant, weather):
    kills, number, planned = given.kills, 0, []
    while kills > 0:
        planned.append(Round(variant, number, weather, min(kills, given.kills_a_round)))
        kills -= given.kills_a_round
        number += 1
    with concurrent.futures.ThreadPoolExecutor(given.at_once) as pool:
        return list(pool.map(Round.run, planned))


def run():
    case.prepare()
    results = {}
    with stores.server(case, "minio", [BUCKET]) as server:
        for variant in given.variants:
            with stores.Weather(case.jars, server.endpoint, [
                    "--latency", given.latency, "--seed", str(given.seed)], logs=True) as weather:
                results[variant] = rounds(variant, weather)
    case.head("Seed %d, %s a request, %d writes of %d rows a batch" % (
        given.seed, given.latency, 2, ROWS // 2))
    lines = [Round.row(results[variant]) for variant in given.variants]
    print(table([["", "gave up", "batches", "killed", "stopped", "rows twice", "rows missing", "writes not once"],
                 *lines], 1) + "\n")
    for variant in given.variants:
        for error in sorted({error for one in results[variant] for error in one.errors})[:4]:
            print("%s: %s" % (VARIANTS[variant][0], error[:200]))
    case.save(seed=given.seed, tables=lines)
    wrong = [line for variant, line in zip(given.variants, lines)
             if variant == "penstock" and [line[1], *line[5:]] != ["0", "0", "0", "0"]]
    return 1 if wrong else 0


case.main(run)
