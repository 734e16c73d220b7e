# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests do Spark's older checkpoints cost?

An RDD, a Dataset and a streaming context (DStreams, with state) are checkpointed and recovered
through Penstock, S3A, and S3A with its performance flags (create,mkdir), on the same server, and
counted through the same proxy. Spark writes each file under another name and renames it, so a file
is a PUT, a COPY (or a GET and a PUT) and a DELETE at least; what is more are looks.
"""

import json
import pathlib
import re
import time
import urllib.parse

import harness
from harness import say

# name -> (title, settings)
VARIANTS = {
    "penstock": ("Penstock", {"spark.plugins": "io.penstock.spark.PenstockPlugin"}),
    "s3a": ("S3A", {}),
    "s3a-flags": ("S3A flags", {"spark.hadoop.fs.s3a.performance.flags": "create,mkdir"}),
}

# What is counted -> (title, Penstock's budget: requests a file and beside them, or None).
STEPS = {
    "set-directory": ("setCheckpointDir", None),
    "rdd": ("RDD", (5, 5)),
    "rdd-read": ("RDD, read", (3, 0)),
    "dataset": ("Dataset", (5, 5)),
    "dataset-read": ("Dataset, read", (3, 0)),
    "streaming-metadata": ("DStreams, metadata", (12, 20)),
    "streaming-state": ("DStreams, state", (6, 20)),
    "streaming-recovery-metadata": ("  recovery, metadata", None),
    "streaming-recovery-state": ("  recovery, state", None),
}
DATA = re.compile(r"/rdd-\d+")


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.add_argument("--partitions", type=int, default=20, metavar="N",
                        help="of the RDD and the Dataset (default: %(default)s)")
    parser.add_argument("--batches", type=int, default=8, metavar="N",
                        help="of the streaming context, at least (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME,…",
                        help="of the variants %s only these" % ", ".join(VARIANTS))
    parser.add_argument("--assert-budgets", action="store_true",
                        help="exit 1 when Penstock makes more requests than it may")
    parser.add_argument("--json", type=pathlib.Path,
                        default=harness.WORK / "rdd-checkpoint-requests.json", metavar="FILE",
                        help="where the counts go (default: bench/.work/rdd-checkpoint-requests"
                        ".json)")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    unknown = [name for name in given.variants if name not in VARIANTS]
    if unknown:
        parser.error("no variant %s; there are %s" % (", ".join(unknown), ", ".join(VARIANTS)))
    if given.partitions < 1 or given.batches < 4:
        parser.error("need one partition and four batches at least")
    return given


class Step:
    """What a step asked, and the files it asked to write or read."""

    def __init__(self):
        self.requests = harness.Requests()
        self.put, self.got, self.renamed = set(), set(), 0

    def add(self, line):
        self.requests.add(line)
        operation, key = line.split(" ", 9)[7:9]
        kind = harness.kind(operation)
        if not key.endswith("/"):
            # A name may be written many times, each time as a file of its own.
            # A file that is read and put under another name is one file.
            self.renamed += kind == "GET" and any(key == put for put, _ in self.put)
            self.put.add((key, len(self.put))) if kind == "PUT" else None
            self.got.add(key) if kind == "GET" else None

    @property
    def files(self):
        return len(self.put) - self.renamed if self.put else len(self.got)

    @property
    def a_file(self):
        return self.requests.total / self.files if self.files else None


def step_of(section, line):
    if not section.startswith("streaming"):
        return section
    return section + ("-state" if DATA.search(urllib.parse.unquote(line)) else "-metadata")


def measure(given, store, python, ours, s3a):
    """{variant: {step: what it cost}}, and what each job said."""
    steps, facts = {}, {}
    for name in given.variants:
        run_name = "%s-%d" % (name, int(time.time() * 1000))
        jars = ([ours / "penstock-spark.jar"] if name == "penstock"
                else [jar for part, jar in s3a.items() if part != "spark-hadoop-cloud"])
        said = harness.run_spark(
            python, "rdd_checkpoint.py",
            [store.endpoint, store.bucket, run_name, str(given.partitions), str(given.batches)],
            store, jars, VARIANTS[name][1], name, given.timeout)
        facts[name] = said[0]
        steps[name] = {step: Step() for step in STEPS}
        for section, line in harness.section_lines(store.access_log):
            run, _, part = section.partition("/")
            if run == run_name and line is not None:
                steps[name][step_of(part, line)].add(line)
        say("  %-10s %d batches, %d after the recovery" % (
            VARIANTS[name][0], said[0]["batches"], said[0]["recovered"]))
    return steps, facts


SHORT = {"PUT": "P", "COPY": "C", "DELETE": "D", "POST": "O", "GET": "G", "HEAD": "H", "LIST": "L"}


def cell(step):
    kinds = step.requests.kinds
    letters = " ".join("%d%s" % (kinds[k], SHORT[k]) for k in SHORT if kinds[k])
    return letters or "-"


def table(given, steps):
    rows = [["", *(word for name in given.variants
                   for word in (VARIANTS[name][0], "files", "a file"))]]
    for step, (title, _) in STEPS.items():
        row = [title]
        for name in given.variants:
            one = steps[name][step]
            row += [cell(one), str(one.files),
                    "-" if one.a_file is None else "%.1f" % one.a_file]
        rows.append(row)
    return harness.table(rows)


def over_budget(steps):
    broken = []
    for step, (title, budget) in STEPS.items():
        asked = steps["penstock"][step]
        if budget and (not asked.files or asked.requests.total > budget[0] * asked.files + budget[1]):
            broken.append("%s: %d requests for %d files, %d a file and %d are allowed: %s"
                          % (title, asked.requests.total, asked.files, *budget, cell(asked)))
    return broken


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    with harness.counted_store(given, ours) as store:
        where = "Spark %s, %s" % (version, store.name)
        say("%d partitions, %d batches; %s" % (given.partitions, given.batches, where))
        steps, facts = measure(given, store, python, ours, s3a)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "where": where, "facts": facts,
        "steps": {name: {step: {"files": one.files, **one.requests.as_json()}
                         for step, one in by_step.items()}
                  for name, by_step in steps.items()}}, indent=1) + "\n")
    print("\nRequests of Spark's older checkpoints; %s\n" % where)
    print(table(given, steps) + "\n")
    print("C copy, D delete, G get, H head, L list, O post, P put; the PUT of a directory's marker"
          "\nis no file.")
    broken = over_budget(steps) if "penstock" in steps else []
    for line in broken:
        say("over budget: " + line)
    return 1 if broken and given.assert_budgets else 0


harness.main(run)
