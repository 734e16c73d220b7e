# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Is there a corner in which a commit loses, doubles or half-shows a row?

Real Spark drivers on a real S3 server, each behind a proxy that holds, answers, cuts or delays a
chosen request, play the corners that attacks and strangers' data have found: first writes at the
same time, directory operations during a commit, late deletes of _SUCCESS, killed drivers, outages,
answers that lie, rights that are missing, and names that a store refuses. Each case judges the
rows, the reports of the jobs, and what they leave. Times are never judged, except that a job that
nothing locks must not wait out the minute of a dead one.

Exit code 0 when every line is right.
"""

import contextlib
import itertools
import random
import textwrap
import time

import attacks
from bench import Bench
from corners import answers, deaths, directories, markers, names, rights, rivals
from corners.stage import BUCKET, OTHER_BUCKET, Line, Stage
from harness import say
from soaking import stores

# name -> (what it plays, how)
CASES = {
    "first-overwrites": ("two first writes of one place at once", rivals.first_overwrites),
    "empty-append": ("a job without rows beside half a commit", rivals.empty_append),
    "directory-operations": ("delete, rename, truncate, drop in a commit", directories.operations),
    "marker-late-delete": ("a late DELETE of _SUCCESS", markers.late_delete),
    "marker-paused": ("a driver wakes after its commit was undone", markers.paused),
    "marker-half-commit": ("the same, while another's is half done", markers.half_commit),
    "first-commit-killed": ("reruns after a killed first commit", deaths.first_commit_killed),
    "outage": ("no connection, only 500 or only 503, for 90 s", deaths.outage),
    "bulk-delete-lies": ("200 for a bulk delete that was not done", answers.bulk_delete_lies),
    "decision-refused": ("the decision of an append is refused", answers.decision_refused),
    "interrupt-late": ("an interrupt while old data is deleted", answers.interrupt_late),
    "bad-names": ("keys that a store refuses", names.bad_names),
    "missing-rights": ("no PUT or no DELETE, on a part or on all", rights.missing_rights),
    "one-object-path": ("a table's path is one object", names.one_object_path),
    "other-scheme-partitions": ("partitions elsewhere", names.other_scheme_partitions),
}
WIDTHS = (26, 20, 23)


case = Bench(__doc__, has_store=False)
case.names("--cases", CASES)
case.flag("--list", "say which cases there are, and end")
case.choice("--server", ("minio", "versitygw", "seaweedfs", "ceph"))
case.flag("--uploads", "tasks upload their files, none is inline")
case.attack_options(programs=("minio", "versitygw"))
given = case.parse()


def verdict(line):
    return "ok" if line.is_right else "WRONG"


def table(lines):
    """In 80 columns: a case's name in a row of its own, what is too long in further rows."""
    ruler = "-" * 80
    rows = [row_of("case", "expected", "found", "").rstrip(), ruler]
    for i, line in enumerate(lines):
        if i == 0 or lines[i - 1].case != line.case:
            rows.append(line.case)
        rows += wrapped(line)
    return "\n".join(rows)


def row_of(*cells):
    return "%-26s  %-20s  %-23s  %s" % cells


def wrapped(line):
    cells = [textwrap.wrap(text, width, subsequent_indent="  ") for text, width in zip(
        ("  " + line.what, line.expected, line.found), WIDTHS)]
    rows = itertools.zip_longest(*cells, [verdict(line)], fillvalue="")
    return [row_of(*row).rstrip() for row in rows]


def run():
    if given.list:
        print(case.parser.epilog)
        return 0
    case.prepare()
    start, lines = time.monotonic(), []
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(stores.server(case, given.server, [BUCKET, OTHER_BUCKET]))
        stage = Stage(case, server, stack)
        for name in given.cases:
            # A case's chance does not depend on which others are played.
            stage.dice = random.Random("%s %d" % (name, given.seed))
            title, play = CASES[name]
            for line in attacks.played(name, title, play(stage), lambda why: Line(
                    name, "not played to its end", "played", "not played", False, why)):
                lines.append(line)
                say("  %-26s  %-44s  %s" % (line.what, line.found, verdict(line)))
            case.save(spark=case.version, server=given.server, seed=given.seed,
                      lines=[vars(line) for line in lines])
    case.head("Spark %s, %s, %s, seed %d, %.0f minutes" % (
        case.version, given.server, "uploads" if given.uploads else "inline files", given.seed,
        (time.monotonic() - start) / 60))
    print(table(lines) + "\n")
    wrong = [line for line in lines if not line.is_right]
    for line in wrong:
        print("%s, %s: %s" % (line.case, line.what, line.note or "no error was reported"))
    print("%d of %d right" % (len(lines) - len(wrong), len(lines)))
    return 1 if wrong else 0


case.main(run)
