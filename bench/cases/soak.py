# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does the engine survive what a bad day brings?

Spark writes, reads and streams while the store is killed, paused, throttled and silent, while jobs
are cancelled, heaps are small and executors die. Each case is compared with a calm run on the same
machine. Judged is what noise cannot break: nothing dies that must live, what is read is what was
written, no upload stays pending, slots become free, and heap, threads, descriptors and temporary
files of a long run stay flat. Times are told beside those of the calm run.
"""

import json
import pathlib
import time
import traceback

import harness
from harness import Problem, say
from soaking import clusters, judge, mixed, outages, plot, slots, storms, stores

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


def options():
    parser = harness.parser(__doc__, "cases:\n" + listing())
    parser.add_argument("--minutes", type=float, metavar="N",
                        help="of the mixed run (default: 40; %g with --slice)" % SLICE_MINUTES)
    parser.add_argument("--batches", type=int, metavar="N",
                        help="run the mixed run until its streams did so many instead")
    parser.add_argument("--seed", type=int, default=1, metavar="N",
                        help="of all chance (default: %(default)s)")
    parser.add_argument("--cases", metavar="A,B,C", help="only these (default: all)")
    parser.add_argument("--list", action="store_true", help="say which cases there are, and end")
    parser.add_argument("--slice", action="store_true", help="the quick ones, small: some minutes")
    parser.add_argument("--server", default="minio", choices=["minio", "versitygw", "embedded"],
                        help="(default: %(default)s); embedded has no part in outages")
    parser.add_argument("--minio", metavar="PATH", help="its program; found or built otherwise")
    parser.add_argument("--versitygw", metavar="PATH", help="its program; found otherwise")
    parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                        help="a Python that has pyspark; otherwise one with pyspark %s is made in"
                        " bench/.work" % harness.SPARK)
    parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                        help="the jars in this directory; otherwise './penstock jar' builds them")
    parser.add_argument("--hedge-jobs", type=int, default=7, metavar="N",
                        help="(default: %(default)s)")
    parser.add_argument("--hedge-files", type=int, default=6400, metavar="N",
                        help="of each (default: %(default)s)")
    parser.add_argument("--megabytes", type=int, default=40, metavar="N",
                        help="of each file of case memory (default: %(default)s)")
    parser.add_argument("--storm-seconds", type=int, default=60, metavar="N",
                        help="(default: %(default)s)")
    parser.add_argument("--faults", metavar="RULES",
                        help="of the mixed run, as in 'penstock weather' (default: %s)"
                        % mixed.FAULTS.replace("%", "%%"))
    for name, what in (("json", "the outcomes"), ("plot", "the plot of the mixed run, an SVG"),
                       ("samples", "its samples, as lines of JSON")):
        file = "soak.%s" % {"json": "json", "plot": "svg", "samples": "jsonl"}[name]
        parser.add_argument("--" + name, type=pathlib.Path, default=harness.WORK / file,
                            metavar="FILE", help="%s (default: bench/.work/%s)" % (what, file))
    return checked(parser, parser.parse_args())


def checked(parser, given):
    if given.minutes is None:
        given.minutes = SLICE_MINUTES if given.slice else 40
    if given.minutes <= 0:
        parser.error("--minutes must be positive")
    given.names = given.cases.split(",") if given.cases else list(SLICE if given.slice else CASES)
    unknown = [name for name in given.names if name not in CASES]
    if unknown:
        parser.error("no case %s; there are %s" % (", ".join(unknown), ", ".join(CASES)))
    if given.server == "embedded":
        left_out = [name for name in given.names if CASES[name][2]]
        if given.cases and left_out:
            parser.error("%s need a server that can be killed" % ", ".join(left_out))
        given.names = [name for name in given.names if name not in left_out]
    return given


def listing():
    return "\n".join("  %-13s %s" % (name, title) for name, (title, *_) in CASES.items())


class Setup:
    """What every case needs."""

    def __init__(self, given):
        self.given = given
        self.python = harness.spark_python(given.spark_python)
        self.version = harness.spark_version(self.python)
        self.jars = harness.penstock_jars(given.penstock_jars)
        self.samples = []
        if given.server == "minio" or "tls" in given.names:
            self.minio = given.minio or harness.minio()
        if given.server == "versitygw":
            self.versitygw = given.versitygw or harness.program("versitygw")

    def server(self, buckets, certificates=None):
        """A new and empty one."""
        if certificates or self.given.server == "minio":
            return stores.Minio(buckets, self.minio, certificates)
        if self.given.server == "versitygw":
            return stores.Versitygw(buckets, self.versitygw)
        return stores.Embedded(self.jars, buckets)


# ---- running

def run_case(setup, name, keep):
    """Its outcomes; a case that cannot go on is one that failed."""
    say("%s: %s" % (name, CASES[name][0]))
    start = time.monotonic()
    try:
        for outcome in CASES[name][1](setup):
            tell(outcome)
            keep(outcome)
    except Exception as e:  # the other cases are still to be run
        broken = judge.Outcome(name, name + ": not carried out", wrong=[str(e)])
        if not isinstance(e, Problem):
            broken.details["trace"] = traceback.format_exc()
        tell(broken)
        keep(broken)
    say("  %s took %.0f s" % (name, time.monotonic() - start))


def tell(outcome):
    say("  %-36s %s%s%s" % (
        outcome.what, "held" if outcome.held else "FAILED",
        "  %.1f s" % outcome.seconds if outcome.seconds is not None else "",
        "; " + outcome.note if outcome.note else ""))
    for problem in outcome.problems():
        say("      %s" % problem)
    if "trace" in outcome.details:
        say(outcome.details["trace"])


def table(outcomes):
    return harness.table([judge.HEAD, *(outcome.row() for outcome in outcomes)])


def save(given, where, outcomes):
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "where": where, "seed": given.seed,
        "outcomes": [outcome.as_json() for outcome in outcomes]}, indent=1, default=str) + "\n")


def run():
    given = options()
    if given.list:
        print(listing())
        return 0
    for file in (given.json, given.plot, given.samples):
        file.parent.mkdir(parents=True, exist_ok=True)
    setup = Setup(given)
    where = "Spark %s, %s, seed %d" % (setup.version, given.server, given.seed)
    say("%s; %s" % (", ".join(given.names), where))
    start, outcomes = time.monotonic(), []

    def keep(outcome):
        outcomes.append(outcome)
        save(given, where, outcomes)

    for name in given.names:
        run_case(setup, name, keep)
    print("\n%s, %.0f minutes\n%s\n\n%s\n" % (
        where, (time.monotonic() - start) / 60, harness.machine(), table(outcomes)))
    print("died: jobs and queries that must live. equal: what is read is what was written. pending:"
          "\nuploads left behind (with data). s: seconds; of a storm, until it is as fast again."
          "\ncalm: to the calm run's.\n")
    if setup.samples:
        given.plot.write_text(plot.svg(setup.samples, "bench/run soak, " + where))
        print("Plot: %s" % given.plot)
    failed = [outcome for outcome in outcomes if not outcome.held]
    for outcome in failed:
        print("%s: %s" % (outcome.what, "; ".join(outcome.problems())[:600]))
    print("%d of %d held" % (len(outcomes) - len(failed), len(outcomes)))
    return 1 if failed else 0


harness.main(run)
