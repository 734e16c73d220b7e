# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does exactly one driver win each batch when two use one checkpoint?

Two drivers run the same three stateful queries on the same checkpoints and sinks, each through a
counting proxy of its own, whose logs tell who wrote what. In one kind of trial both begin at about
the same time, and whoever stops begins again, until the input is consumed. In the other kind one is
paused (SIGSTOP) in the middle of a batch, the other takes over, and the first goes on as a zombie
(SIGCONT) while the other is some batches ahead.

Of each batch each file of the query's logs must be written by one driver, once. Whoever loses must
stop with an error that names the other. The output must be that of a batch run.
"""

import collections
import contextlib
import re
import signal
import time

import bench
import drivers
import harness
from bench import Bench
from harness import Problem, number, say

# The files of a query that are written once for each batch, and never again.
LOG_FILE = re.compile(
    r"/(?P<query>[a-z]+)/(?P<log>checkpoint/sources/\d+|checkpoint/offsets|checkpoint/commits"
    r"|sink/_spark_metadata)/(?P<batch>\d+)(\.compact)?$")
CLAIM = re.compile(r"/(?P<query>[a-z]+)/checkpoint/_penstock_writers/\d+$")
MODES = {"start": "begin together", "zombie": "one is paused"}
NAMES = ("A", "B")
# How many batches the other is ahead when the paused one goes on: within what is kept, and beyond.
AHEAD = (1, 2, 10)
PAUSE_IN = ("offsets", "state", "data", "sink log", "commits")
# What Spark says when it looked before it wrote; a checkpoint manager is not asked for the words.
SPARKS_WORDS = (
    "Race while writing batch", "Concurrent update to the log", " doesn't exist",
    "BATCH_METADATA_NOT_FOUND", "STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY")
RESTARTS_MAX = 40
TRIALS_A_PROVIDER = 4


case = Bench(__doc__, latency="10ms")
drivers.options(case)
case.option("--batches", 50, "to be raced for, at least")
case.option("--trials", int, "so many, however many batches were raced for", "N")
case.option("--trial", int, "only this one of the seed", "N")
case.names("--modes", MODES, "taken in turn")
case.option("--ahead", int, "batches in every zombie trial", "N")
given = case.parse()


class Trial(drivers.Queries):
    """Two drivers on one set of checkpoints, from the first batch to the last."""

    def __init__(self, number, stores, pair):
        super().__init__(given, "race", number, stores[0])
        self.stores, self.pair = stores, pair
        self.mode = given.modes[number % len(given.modes)]
        self.tails = [drivers.Tail(store.access_log) for store in stores]
        self.lines = [[], []]
        # What runs where, what is to begin again when, and how each run ended.
        self.running, self.again = {}, []
        self.finished, self.losses = set(), []
        self.restarts = 0
        self.zombie, self.claimed = None, set()
        self.start = time.monotonic()
        for tail in self.tails:
            tail.lines()

    def run(self):
        (self.begin_together if self.mode == "start" else self.pause_one)()
        self.until(lambda: not self.running and not self.again)
        for query in given.queries:
            if query not in self.finished:
                raise Problem("%s was finished by neither driver" % query)
        self.compare(self.pair[1])

    # ---- the two kinds

    def begin_together(self):
        self.tell(0)
        self.again = [(time.monotonic() + self.dice.uniform(0, 1), 1, query)
                      for query in given.queries]

    def pause_one(self):
        paused = (self.number // len(given.modes)) % 2
        phase, writes = self.dice.choice(PAUSE_IN), self.dice.randrange(1, 10)
        ahead = given.ahead or self.dice.choice(AHEAD)
        self.tell(paused)
        self.until(lambda: self.writes(paused, phase) >= writes or not self.running)
        time.sleep(self.dice.uniform(0, 0.04))
        self.pair[paused].signal(signal.SIGSTOP)
        claimed = {CLAIM.search("/" + line.key)["query"] for line in self.lines[paused]
                   if CLAIM.search("/" + line.key)}
        say("    %s is paused after write %d of: %s" % (NAMES[paused], writes, phase))
        try:
            self.tell(1 - paused)
            others = {(1 - paused, query) for query in given.queries}
            self.until(lambda: self.least_commits(1 - paused) >= ahead
                       or not others & set(self.running))
            time.sleep(self.dice.uniform(0, 1))
        finally:
            self.pair[paused].signal(signal.SIGCONT)
        say("    %s goes on; %s is %d batches ahead" % (
            NAMES[paused], NAMES[1 - paused], self.least_commits(1 - paused)))
        self.zombie, self.claimed = paused, claimed

    # ---- what both need

    def tell(self, driver, queries=None):
        for query in queries or given.queries:
            self.running[driver, query] = self.begin(self.pair[driver], query)

    def until(self, is_so):
        while not is_so():
            if time.monotonic() - self.start > given.timeout:
                for driver in self.pair:
                    driver.stacks()
                raise harness.TooSlow("trial %d was not done after %d s; running: %s" % (
                    self.number, given.timeout, sorted(self.running)))
            self.look()

    def look(self):
        """Takes in what the drivers said and what the proxies logged."""
        for i, driver in enumerate(self.pair):
            self.lines[i] += self.tails[i].lines()
            if driver.is_gone:
                raise Problem("driver %s is gone; see %s" % (NAMES[i], driver.log))
        time.sleep(0.01)
        for (driver, query), asked in list(self.running.items()):
            if asked.done.is_set():
                del self.running[driver, query]
                self.ended(driver, query, asked.answer["error"])
        now = time.monotonic()
        for due in [due for due in self.again if due[0] <= now]:
            self.again.remove(due)
            if due[2] not in self.finished:
                self.tell(due[1], [due[2]])

    def ended(self, driver, query, error):
        if error is None:
            self.finished.add(query)
            return
        other = self.pair[1 - driver].application
        is_named = any(other in text for text in error)
        is_sparks = not is_named and any(words in text for words in SPARKS_WORDS for text in error)
        self.losses.append({"driver": NAMES[driver], "query": query, "named": is_named,
                            "inSparksWords": is_sparks, "error": [text[:600] for text in error]})
        said = "" if is_named else " in Spark's words" if is_sparks else " WITHOUT A NAME"
        say("    %s lost %s%s: %s" % (NAMES[driver], query, said,
                                      error[-1].split("\n")[0][:160]))
        # A zombie is not started again. Of two that began together it is, as a supervisor would.
        if self.mode == "start" or (1 - driver, query) not in self.running:
            self.restarts += 1
            if self.restarts > RESTARTS_MAX:
                raise Problem("both drivers stop again and again: %s" % error[-1][:300])
            self.again.append((time.monotonic() + self.dice.uniform(0, 1.5), driver, query))

    def writes(self, driver, phase):
        return sum(drivers.is_of(line, phase) for line in self.lines[driver])

    def least_commits(self, driver):
        """Of all queries: how many batches this driver has committed in this trial."""
        commits = collections.Counter(
            found["query"] for line in self.lines[driver] if line.is_done_write
            for found in [LOG_FILE.search("/" + line.key)] if found and "commits" in found["log"])
        return min(commits[query] for query in given.queries)

    # ---- the judgement

    def judged(self):
        time.sleep(1.5)  # a request is logged a moment after its answer was read
        for i, tail in enumerate(self.tails):
            self.lines[i] += tail.lines()
        puts = collections.defaultdict(list)
        for i, lines in enumerate(self.lines):
            for line in lines:
                if line.is_write and LOG_FILE.search("/" + line.key):
                    puts[line.key].append((NAMES[i], line.status))
        raced, twice, refused = set(), [], 0
        for key, answers in puts.items():
            found = LOG_FILE.search("/" + key)
            refused += sum(status in ("409", "412") for _, status in answers)
            if len({name for name, _ in answers}) > 1:
                raced.add((found["query"], found["batch"]))
            if sum(status.startswith("2") for _, status in answers) > 1:
                twice.append({"key": key, "answers": answers})
        overtaken = [loss for loss in self.losses if self.mode == "zombie"
                     and loss["driver"] != NAMES[self.zombie] and loss["query"] in self.claimed]
        return {"trial": self.number, "seed": given.seed, "mode": self.mode,
                "raced": len(raced), "refused": refused, "twoWinners": twice,
                "losses": self.losses, "overtaken": overtaken, "compared": self.compared,
                "isRight": self.is_right}

    def keep_evidence(self):
        self.evidence("trial", *(store.access_log for store in self.stores),
                      *(driver.log for driver in self.pair))


def is_well(trial):
    return (trial["isRight"] and not trial["twoWinners"] and not trial["overtaken"]
            and "error" not in trial
            and all(loss["named"] or loss["inSparksWords"] for loss in trial["losses"]))


@contextlib.contextmanager
def shared_server():
    """A server for two proxies: Penstock's own is in a process of its own then."""
    with harness.server(given) as server:
        if server.upstream:
            yield server
            return
        with harness.weather(given, server, case.jars, log_name="store.log",
                             may_miss_lines=True) as store:
            yield server._replace(upstream=store.endpoint)


def race(server, setup):
    """Trial after trial. The drivers outlive a trial, unless it went wrong."""
    done, at = [], given.trial or 0
    pair, provider = [], None
    arguments = {"may_miss_lines": True}
    with harness.weather(given, server, case.jars, log_name="a.log", **arguments) as a:
        with harness.weather(given, server, case.jars, log_name="b.log", **arguments) as b:
            while not is_enough(done):
                # Some trials of each, so that their drivers can be kept.
                wanted = given.providers[at // TRIALS_A_PROVIDER % len(given.providers)]
                if pair and wanted != provider:
                    pair = put_away(setup, pair)
                if not pair:
                    provider = wanted
                    settings = drivers.settings(given, provider)
                    # Both begin to start before the first is waited for.
                    pair = [setup.start(store, settings) for store in (a, b)]
                    for driver in pair:
                        driver.__enter__()
                trial = Trial(at, (a, b), pair)
                say("  trial %d  %s, %s" % (
                    at, MODES[trial.mode], drivers.PROVIDERS[provider][0]))
                try:
                    trial.run()
                    found = trial.judged()
                except Problem as e:
                    say("    %s" % e)
                    found = {**trial.judged(), "error": str(e)}
                done.append({**found, "provider": provider})
                case.save(seed=given.seed, files=given.files, trials=done)
                say("  trial %d  %d batches raced for, %d refused, %s" % (
                    at, found["raced"], found["refused"],
                    "well" if is_well(found) else "NOT WELL; replay: " + replay(at)))
                if not is_well(found):
                    trial.keep_evidence()
                    pair = put_away(setup, pair)
                at += 1
    return done


def put_away(setup, pair):
    for driver in pair:
        setup.kill(driver)
    return []


def is_enough(done):
    if given.trial is not None:
        return len(done) == 1
    if given.trials is not None:
        return len(done) >= given.trials
    return sum(trial["raced"] for trial in done) >= given.batches


def replay(at):
    return "bench/run checkpoint-race --seed %d --trial %d --files %d" % (
        given.seed, at, given.files)


def table(done):
    def losses(is_it):
        return lambda mine: sum(bool(is_it(loss)) for trial in mine for loss in trial["losses"])
    rows = {MODES[mode]: [trial for trial in done if trial["mode"] == mode] for mode in given.modes}
    return bench.table_of("", rows, {
        "trials": len,
        "raced": lambda mine: number(sum(t["raced"] for t in mine)),
        "refused": lambda mine: number(sum(t["refused"] for t in mine)),
        "two won": lambda mine: sum(len(t["twoWinners"]) for t in mine),
        "lost": losses(lambda loss: True),
        "Spark's": losses(lambda loss: loss["inSparksWords"]),
        "unnamed": losses(lambda loss: not loss["named"] and not loss["inSparksWords"]),
        "overtaken": lambda mine: sum(len(t["overtaken"]) for t in mine),
        "right": lambda mine: "%d/%d" % (sum(t["isRight"] for t in mine), len(mine))})


def anomalies(trial):
    if "error" in trial:
        yield trial["error"]
    for twice in trial["twoWinners"]:
        yield "two winners of %s: %s" % (
            twice["key"].split("/", 1)[1],
            ", ".join("%s %s" % answer for answer in map(tuple, twice["answers"])))
    for loss in trial["overtaken"]:
        yield "the zombie stopped %s: %s" % (loss["query"], loss["error"][-1][:200])
    if not trial["isRight"]:
        yield "output: %s" % trial["compared"]
    for loss in trial["losses"]:
        if not loss["named"] and not loss["inSparksWords"]:
            yield "%s, %s, not named: %s" % (
                loss["driver"], loss["query"], loss["error"][-1].split("\n")[0][:200])


def run():
    case.prepare()
    with shared_server() as server, drivers.Drivers(case) as setup:
        case.told_where(server, "two of local[2]")
        case.where += ", seed %d" % given.seed
        say("%d batches to race for; %s" % (given.batches, case.where))
        done = race(server, setup)
    case.head("Two drivers on one checkpoint, with %s" % ", ".join(given.queries))
    print(table(done))
    print("raced: batches of which both drivers tried to write a file. refused: such writes, 409 or"
          "\n412. two won: files that were written twice. lost: runs that stopped with an error;"
          "\nSpark's: in Spark's own words, which name nobody: it had found the other's file before it"
          "\ntried to write its own. unnamed: others that did not name the other driver. overtaken:"
          "\nruns that a zombie stopped. right: output as that of a batch run.\n")
    for trial in done:
        for line in anomalies(trial):
            print("trial %d: %s" % (trial["trial"], line))
    well = sum(is_well(trial) for trial in done)
    print("%d of %d trials went well" % (well, len(done)))
    return 0 if well == len(done) else 1


case.main(run)
