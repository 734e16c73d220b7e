# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests do Spark's older checkpoints cost?

An RDD, a Dataset and a streaming context (DStreams, with state) are checkpointed and recovered
through Penstock, S3A, and S3A with its performance flags (create,mkdir), on the same server, and
counted through the same proxy. Spark writes each file under another name and renames it, so a file
is a PUT, a COPY (or a GET and a PUT) and a DELETE at least; what is more are looks.
"""

import re
import urllib.parse

import bench
import harness
import variants
from bench import Bench
from harness import say

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


case = Bench(__doc__, variants.some("penstock", "s3a", "s3a-flags"))
case.option("--partitions", 20, "of the RDD and the Dataset")
case.option("--batches", 8, "of the streaming context, at least", least=4)
case.flag("--assert-budgets", "exit 1 when Penstock makes more requests than it may")
given = case.parse()


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


def measure():
    """{variant: {step: what it cost}}, and what each job said."""
    steps, facts = {}, {}
    for name in given.variants:
        run_name = bench.section_name(name)
        facts[name], = case.spark("rdd_checkpoint.py", {
            "run": run_name, "partitions": given.partitions, "batches": given.batches}, name, name)
        steps[name] = {step: Step() for step in STEPS}
        for section, line in harness.section_lines(case.store.access_log):
            run, _, part = section.partition("/")
            if run == run_name and line is not None:
                steps[name][step_of(part, line)].add(line)
        say("  %-10s %d batches, %d after the recovery" % (
            case.title(name), facts[name]["batches"], facts[name]["recovered"]))
    return steps, facts


def cell(step):
    return harness.letters(step.requests.kinds, between=" ") or "-"


def table(steps):
    rows = [["", *(word for name in given.variants
                   for word in (case.title(name), "files", "a file"))]]
    for step, (title, _) in STEPS.items():
        row = [title]
        for name in given.variants:
            one = steps[name][step]
            row += [cell(one), str(one.files),
                    "-" if one.a_file is None else "%.1f" % one.a_file]
        rows.append(row)
    return harness.table(rows)


def over_budget(steps):
    for step, (title, budget) in STEPS.items():
        asked = steps["penstock"][step]
        if budget and (not asked.files
                       or asked.requests.total > budget[0] * asked.files + budget[1]):
            yield "%s: %d requests for %d files, %d a file and %d are allowed: %s" % (
                title, asked.requests.total, asked.files, *budget, cell(asked))


def run():
    with case.counted_store():
        steps, facts = measure()
    case.save(facts=facts, steps={name: {
        step: {"files": one.files, **one.requests.as_json()} for step, one in by_step.items()}
            for name, by_step in steps.items()})
    case.head("Requests of Spark's older checkpoints; %d partitions, %d batches" % (
        given.partitions, given.batches))
    print(table(steps) + "\n")
    print("C copy, D delete, G get, H head, L list, O post, P put; the PUT of a directory's marker"
          "\nis no file.")
    return case.over_budget(list(over_budget(steps)) if "penstock" in steps else [])


case.main(run)
