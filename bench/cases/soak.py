# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does the engine survive what a bad day brings?

Spark writes, reads and streams while the store is killed, paused, throttled and silent, while jobs
are cancelled, heaps are small and executors die. Each case is compared with a calm run on the same
machine. Judged is what noise cannot break: nothing dies that must live, what is read is what was
written, no upload stays pending, slots become free, and heap, threads, descriptors and temporary
files of a long run stay flat. Times are told beside those of the calm run.
"""

import time

import attacks
import harness
from bench import Bench
from harness import say
from soaking import clusters, judge, mixed, outages, plot, slots, storms

# name -> (title, what it runs, whether a server must be one that can be killed)
CASES = {
    "mixed": ("two streams and batch jobs over 20 buckets in mild faults", mixed.mixed, False),
    "outage": ("the store is killed for 1, 10, 60 s, paused for 60 s", outages.direct, True),
    "outage-proxy": ("the same, behind a proxy that stays", outages.behind, True),
    "errors": ("the store answers every request with 500 for 90 s", outages.errors, True),
    "storm": ("throttling and random 503 for a minute, then calm", storms.storms, False),
    "addresses": ("one of two addresses is dead, silent, slow", storms.addresses, False),
    "memory": ("64 slots in a heap of 1 GB", slots.memory, False),
    "hedges": ("jobs of 6,400 small files, hedged by default", slots.hedges, False),
    "cancel": ("slots after a cancel, on a store that throttles", slots.cancelled, False),
    "beside": ("a read beside a bucket that is throttled", slots.beside, False),
    "cluster": ("executor killed, driver still, another version", clusters.clusters, False),
    "tls": ("TLS, and the store away for 10 s", storms.tls, True),
}
SLICE = ("outage", "hedges", "cancel", "memory", "beside", "mixed")
SLICE_MINUTES = 1


case = Bench(__doc__, has_store=False)
case.option("--minutes", float, "of the mixed run (default: 40; %g with --slice)" % SLICE_MINUTES,
            "N")
case.option("--batches", int, "run the mixed run until its streams did so many instead", "N")
case.names("--cases", CASES)
case.flag("--list", "say which cases there are, and end")
case.flag("--slice", "the quick ones, small: some minutes")
case.choice("--server", ("minio", "versitygw", "embedded"), "embedded has no part in outages")
case.attack_options(programs=("minio", "versitygw"))
case.option("--hedge-jobs", 7)
case.option("--hedge-files", 6400, "of each")
case.option("--megabytes", 40, "of each file of case memory")
case.option("--storm-seconds", 60)
case.option("--faults", mixed.FAULTS, "of the mixed run, as in 'penstock weather'", "RULES")
case.file("--plot", "svg", "the plot of the mixed run")
case.file("--samples", "jsonl", "its samples, as lines of JSON")
given = case.parse()
if given.minutes is None:
    given.minutes = SLICE_MINUTES if given.slice else 40
if given.minutes <= 0:
    case.error("--minutes must be positive")
is_all = given.cases == list(CASES)
if is_all and given.slice:
    given.cases = list(SLICE)
if given.server == "embedded":
    left_out = [name for name in given.cases if CASES[name][2]]
    if left_out and not is_all:
        case.error("%s need a server that can be killed" % ", ".join(left_out))
    given.cases = [name for name in given.cases if name not in left_out]
# What the mixed run sees of its process over time.
case.samples = []


# ---- running

def tell(outcome):
    say("  %-36s %s%s%s" % (
        outcome.what, "held" if outcome.held else "FAILED",
        "  %.1f s" % outcome.seconds if outcome.seconds is not None else "",
        "; " + outcome.note if outcome.note else ""))
    for problem in outcome.problems():
        say("      %s" % problem)


def run():
    if given.list:
        print(case.parser.epilog)
        return 0
    case.prepare()
    case.where = "Spark %s, %s, seed %d" % (case.version, given.server, given.seed)
    say("%s; %s" % (", ".join(given.cases), case.where))
    start, outcomes = time.monotonic(), []
    for name in given.cases:
        title, work, _ = CASES[name]
        for outcome in attacks.played(name, title, work(case), lambda why: judge.Outcome(
                name, name + ": not carried out", wrong=[why])):
            tell(outcome)
            outcomes.append(outcome)
            case.save(seed=given.seed, outcomes=[one.as_json() for one in outcomes])
    case.head("%.0f minutes" % ((time.monotonic() - start) / 60))
    print(harness.table([judge.HEAD, *(outcome.row() for outcome in outcomes)]) + "\n")
    print("died: jobs and queries that must live. equal: what is read is what was written. pending:"
          "\nuploads left behind (with data). s: seconds; of a storm, until it is as fast again."
          "\ncalm: to the calm run's.\n")
    if case.samples:
        given.plot.write_text(plot.svg(case.samples, "bench/run soak, " + case.where))
        print("Plot: %s" % given.plot)
    failed = [outcome for outcome in outcomes if not outcome.held]
    for outcome in failed:
        print("%s: %s" % (outcome.what, "; ".join(outcome.problems())[:600]))
    print("%d of %d held" % (len(outcomes) - len(failed), len(outcomes)))
    return 1 if failed else 0


case.main(run)
