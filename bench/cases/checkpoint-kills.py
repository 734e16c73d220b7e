# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Is the output of a streaming query exactly once, however often its driver is killed?

Three stateful queries (an aggregation with a watermark, an outer join of two streams, rows told
apart) read files and write Parquet through Spark's file sink, checkpoint and sink on the store.
Their driver is killed (SIGKILL) at a random moment, or when it has just written to the offsets, the
state, the sink, its log, the commits; then the next one goes on, until all input is consumed. Then
what is in the sink by its own log is compared with a batch run of the same input.

One round is one such way from an empty checkpoint to the end, with one kind of state store. All
chance comes from --seed: 'round 3 of seed 7' has the same plan in every run.
"""

import collections
import contextlib
import pathlib
import random
import signal
import subprocess
import time

import bench
import drivers
import harness
import mounts
from bench import Bench
from harness import Problem, say
from soaking.session import NoDriver

FAULTS = ("*@0.02=503,*@0.02=500,*@0.02=reset-before,*@0.02=reset-after,*@0.01=500-after,"
          "PutObject@0.02=409")
# Drivers that end by themselves, one after the other, before the round is given up.
PATIENCE_DEATHS = 4
LONGEST_WAIT_SECONDS = 6.0
ARCHIVE_FROM_KILLS = 15


case = Bench(__doc__, latency="10ms")
drivers.options(case)
case.option("--kills", 100, "in all")
case.option("--kills-a-round", 12, "at most; then the round is left to end")
case.option("--round", int, "only this one of the seed", "N")
case.faults_option(FAULTS)
case.option("--checkpoints", "store", "store, nfs (a mount that is made here), or a directory,"
            " which may be on a mount; the sink stays on the store", "WHERE")
case.flag("--check", "after each kill, 'penstock checkpoint check' on each checkpoint")
given = case.parse()
given.mount = None
if given.checkpoints not in ("store", "nfs"):
    given.mount = pathlib.Path(given.checkpoints).absolute()
    if not given.mount.is_dir():
        case.error("--checkpoints %s is neither store nor nfs nor a directory" % given.checkpoints)
# What is written on a mount is not in the log of the store.
PHASES = list(drivers.PHASES) if given.checkpoints == "store" else ["data", "sink log"]


# ---- the plan

Kill = collections.namedtuple("Kill", "phase writes seconds")


def plan(dice):
    """When the next driver dies: so long after its start, or after a write of a phase."""
    phase = dice.choice(["time", *PHASES])
    if phase == "time":
        return Kill(phase, 0, dice.uniform(0.3, LONGEST_WAIT_SECONDS))
    # The wait is about one latency: what comes next is then not begun, under way, or just done.
    return Kill(phase, dice.randrange(1, 6), dice.uniform(0, 0.04))


def weather(dice):
    arguments = ["--seed", str(dice.randrange(1, 1000))]
    # Whether what a driver asked in its last moment is still done after its death.
    if dice.random() < 0.5:
        arguments.append("--act-for-the-gone")
    return arguments + (["--faults", given.faults] if given.faults else [])


# ---- one round

class Round(drivers.Queries):
    """From an empty checkpoint to the end of the input."""

    def __init__(self, number, setup, store, planned):
        super().__init__(given, "kills", number, store)
        self.setup, self.planned = setup, planned
        self.provider = given.providers[number % len(given.providers)]
        self.kills, self.deaths, self.checked = [], [], []

    def checkpoint(self, query):
        mount = given.mount
        return self.base(query) + "/checkpoint" if mount is None else (
            "file://%s/%s/%s" % (mount, self.path, query))

    def run(self, keep):
        settings = drivers.settings(given, self.provider)
        deaths_in_a_row = 0
        while True:
            is_last = len(self.kills) >= self.planned
            driver = self.setup.take(self.store, settings, and_next=not is_last)
            ended = self.life(driver, None if is_last else plan(self.dice))
            if ended == "all":
                self.compare(driver)
                if not self.is_right:
                    self.keep_evidence(driver)
                self.setup.kill(driver)
                return self.as_json()
            self.setup.kill(driver)
            deaths_in_a_row = deaths_in_a_row + 1 if ended == "error" else 0
            if deaths_in_a_row >= PATIENCE_DEATHS:
                raise Problem("round %d: its queries fail again and again: %s; see %s" % (
                    self.number, self.deaths[-1]["error"], driver.log))
            if given.check:
                self.check()
            keep()

    def life(self, driver, kill):
        """Lets a driver run the queries until it is killed or they end: "killed", "error", "all"."""
        running = {query: self.begin(driver, query, checkpoint=self.checkpoint(query))
                   for query in given.queries}
        start, died = time.monotonic(), False
        with contextlib.closing(drivers.Tail(self.store.access_log)) as tail:
            tail.lines()
            watch = Watch(kill)
            while running:
                time.sleep(0.01)
                for query in [query for query, asked in running.items() if asked.done.is_set()]:
                    error = running.pop(query).answer["error"]
                    if driver.is_gone:
                        raise Problem("a driver is gone; see %s" % driver.log)
                    if error:
                        died = True
                        self.died(driver, query, error[-1])
                if watch.is_due(tail.lines(), time.monotonic() - start):
                    driver.signal(signal.SIGKILL)
                    self.killed(kill, driver, time.monotonic() - start)
                    return "killed"
                if time.monotonic() - start > given.timeout:
                    driver.stacks()
                    raise harness.TooSlow("round %d: %s not done after %d s; see %s" % (
                        self.number, ", ".join(sorted(running)), given.timeout, driver.log))
        return "error" if died else "all"

    def died(self, driver, query, error):
        self.deaths.append({"query": query, "error": error[:400], "log": str(driver.log)})
        say("    %s ended by itself: %s" % (query, error.split("\n")[0][:200]))

    def killed(self, kill, driver, seconds):
        self.kills.append({"phase": kill.phase, "writes": kill.writes, "seconds": seconds,
                           "log": driver.log.name})
        say("  round %d  %-18s kill %3d  %5.1f s  %s" % (
            self.number, drivers.PROVIDERS[self.provider][0], len(self.kills), seconds,
            "after a time" if kill.phase == "time"
            else "after write %d of: %s" % (kill.writes, kill.phase)))

    def keep_evidence(self, driver):
        folder = self.evidence("round", self.store.access_log, *harness.LOGS.glob("session-*.log"))
        driver.ask("keep", given.timeout, path="s3a://%s/%s" % (self.store.bucket, self.path),
                   to=str(folder))

    def check(self):
        """What the tool says of a checkpoint whose driver just died: it must not call it broken."""
        for query in given.queries:
            done = subprocess.run(
                drivers.tool(case.jars, "checkpoint", "check", "--endpoint", self.store.endpoint,
                             "--sink", self.base(query) + "/sink", self.checkpoint(query)),
                env=drivers.tool_environment(self.store), capture_output=True, text=True)
            if done.returncode != 0:
                self.checked.append({"query": query, "kill": len(self.kills),
                                     "exit": done.returncode,
                                     "said": (done.stdout + done.stderr)[-2000:]})
                say("    check of %s: exit %d" % (query, done.returncode))

    def as_json(self):
        return {"round": self.number, "seed": given.seed, "provider": self.provider,
                "path": self.path, "kills": self.kills, "deaths": self.deaths,
                "compared": self.compared, "checked": self.checked, "isRight": self.is_right}


class Watch:
    """Knows from the log and the clock when a planned kill is due."""

    def __init__(self, kill):
        self.kill = kill
        self.writes = 0
        self.due = kill.seconds if kill and kill.phase == "time" else None

    def is_due(self, lines, seconds):
        if self.kill is None:
            return False
        if self.due is None:
            self.writes += sum(drivers.is_of(line, self.kill.phase) for line in lines)
            if self.writes >= self.kill.writes:
                self.due = seconds + self.kill.seconds
                return self.kill.seconds == 0
        return self.due is not None and seconds >= self.due


def prepare(server, setup):
    """Only worth its time when many drivers follow."""
    if given.kills < ARCHIVE_FROM_KILLS:
        return
    source = harness.RUN / "input-archive"
    drivers.make_input(source, 2, given.seed)
    with harness.weather(given, server, case.jars, may_miss_lines=True) as store:
        setup.archive_classes(store, drivers.settings(given, "changelog"), "s3a://%s/archive-%d" % (
            store.bucket, int(time.time())), source)


def rounds(server, setup):
    """Round after round, until so many were killed; on disk after each."""
    done, number = [], given.round or 0
    while True:
        left = given.kills - sum(len(r["kills"]) for r in done)
        dice = random.Random("weather %d-%d" % (given.seed, number))
        struck = weather(dice)
        with harness.weather(given, server, case.jars, *struck, may_miss_lines=True) as store:
            try:
                here = Round(number, setup, store, min(left, given.kills_a_round))
                done.append(here.run(lambda: keep([*done, here.as_json()])))
            except NoDriver:
                raise
            except Problem as e:
                say("%s\n    replay: %s" % (e, replay(number)))
                done.append({**here.as_json(), "isRight": False, "error": str(e)})
        keep(done)
        last = done[-1]
        say("  round %d  %s: %d kills, %s%s" % (
            number, drivers.PROVIDERS[last["provider"]][0], len(last["kills"]),
            "as the batch run" if last["isRight"] else "NOT as the batch run",
            "" if last["isRight"] else "; replay: " + replay(number)))
        number += 1
        if given.round is not None or sum(len(r["kills"]) for r in done) >= given.kills:
            return done


def replay(number):
    more = "" if given.checkpoints == "store" else " --checkpoints " + given.checkpoints
    faults = "" if not given.faults else (
        " --faults" if given.faults == FAULTS else " --faults '%s'" % given.faults)
    return "bench/run checkpoint-kills --seed %d --round %d --files %d --kills-a-round %d%s%s" % (
        given.seed, number, given.files, given.kills_a_round, more, faults)


def keep(done):
    case.save(seed=given.seed, faults=given.faults, files=given.files, rounds=done)


# ---- saying it

def rounds_table(done):
    def compared(mine, what):
        return sum(c[what] for r in mine for c in r["compared"])
    rows = {drivers.PROVIDERS[provider][0]: [r for r in done if r["provider"] == provider]
            for provider in given.providers}
    return bench.table_of("", rows, {
        "rounds": len,
        "kills": lambda mine: sum(len(r["kills"]) for r in mine),
        "gave up": lambda mine: sum(len(r["deaths"]) for r in mine),
        "rows": lambda mine: harness.number(compared(mine, "rows")),
        "missing": lambda mine: compared(mine, "missing"),
        "twice": lambda mine: compared(mine, "twice"),
        "foreign": lambda mine: compared(mine, "extra") - compared(mine, "twice"),
        "right": lambda mine: "%d/%d" % (sum(r["isRight"] for r in mine), len(mine))})


def phases_table(done):
    kills = collections.Counter(k["phase"] for r in done for k in r["kills"])
    return harness.table([
        ["killed after", *drivers.PHASES, "a time"],
        ["", *(str(kills[phase]) for phase in drivers.PHASES), str(kills["time"])]])


def run():
    case.prepare()
    with harness.server(given) as server, drivers.Drivers(case) as setup:
        case.told_where(server, case.master, "checkpoints on " + given.checkpoints)
        case.where += ", seed %d%s" % (
            given.seed, ", faults " + given.faults if given.faults else "")
        say("%d kills; %s" % (given.kills, case.where))
        with contextlib.ExitStack() as mounted:
            if given.checkpoints == "nfs":
                given.mount = mounted.enter_context(mounts.nfs())
            prepare(server, setup)
            done = rounds(server, setup)
    case.head("%d kills of a driver with %s" % (
        sum(len(r["kills"]) for r in done), ", ".join(given.queries)))
    print(rounds_table(done) + "\n")
    print(phases_table(done) + "\n")
    print("rows: of all outputs, as the batch runs say. twice: rows of these that are there too"
          "\noften. foreign: rows that no batch run has. gave up: ended with an error.\n")
    return verdict(done)


def verdict(done):
    wrong = [r for r in done if not r["isRight"]]
    for r in wrong:
        print("round %d of seed %d, %s: %s" % (
            r["round"], r["seed"], r["provider"], r.get("error") or r["compared"]))
    for r in done:
        for death in r["deaths"]:
            print("round %d, %s ended by itself: %s" % (r["round"], death["query"], death["error"]))
        for check in r["checked"]:
            print("round %d, check of %s after kill %d: exit %d: %s" % (
                r["round"], check["query"], check["kill"], check["exit"], check["said"][:300]))
    # In bad weather a query may give up; without, only a kill may end one.
    deaths = sum(len(r["deaths"]) for r in done)
    is_well = not wrong and (given.faults is not None or deaths == 0)
    print("Output exactly once in %d of %d rounds" % (len(done) - len(wrong), len(done)))
    return 0 if is_well and not any(r["checked"] for r in done) else 1


case.main(run)
