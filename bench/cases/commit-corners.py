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
import json
import pathlib
import random
import time
import traceback

import harness
from corners import answers, deaths, directories, markers, names, rights, rivals
from corners.stage import BUCKET, OTHER_BUCKET, Line, Stage
from harness import Problem, say
from soaking import stores

SPARK = "4.1.4"
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


def options():
    parser = harness.parser(__doc__, "cases:\n" + listing())
    parser.add_argument("--cases", metavar="A,B,C", help="only these (default: all)")
    parser.add_argument("--list", action="store_true", help="say which cases there are, and end")
    parser.add_argument("--server", default="minio", choices=["minio", "versitygw", "third"],
                        help="third is SeaweedFS (default: %(default)s)")
    parser.add_argument("--uploads", action="store_true",
                        help="tasks upload their files, none is inline")
    parser.add_argument("--seed", type=int, default=1, metavar="N",
                        help="of all chance (default: %(default)s)")
    parser.add_argument("--spark-python", type=pathlib.Path, metavar="PATH",
                        help="a Python that has pyspark; otherwise one with pyspark %s is made in"
                        " bench/.work" % SPARK)
    parser.add_argument("--penstock-jars", type=pathlib.Path, metavar="DIR",
                        help="the jars in this directory; otherwise './penstock jar' builds them")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "commit-corners.json",
                        metavar="FILE", help="(default: bench/.work/commit-corners.json)")
    given = parser.parse_args()
    given.names = given.cases.split(",") if given.cases else list(CASES)
    unknown = [name for name in given.names if name not in CASES]
    if unknown:
        parser.error("no case %s; there are %s" % (", ".join(unknown), ", ".join(CASES)))
    return given


def listing():
    return "\n".join("  %-23s  %s" % (name, what) for name, (what, _) in CASES.items())


class Setup:
    def __init__(self, given):
        self.given = given
        self.python = harness.spark_python(given.spark_python, SPARK)
        self.jars = harness.penstock_jars(given.penstock_jars)

    def server(self):
        """A new and empty one."""
        buckets = [BUCKET, OTHER_BUCKET]
        return {"minio": lambda: stores.Minio(buckets, harness.program("minio")),
                "versitygw": lambda: stores.Versitygw(buckets, harness.program("versitygw")),
                "third": lambda: stores.Seaweed(buckets, harness.seaweedfs())}[self.given.server]()


def play(stage, name):
    """The lines of a case; one that cannot be played to its end is wrong."""
    say("%s: %s" % (name, CASES[name][0]))
    start, lines = time.monotonic(), []
    try:
        for line in CASES[name][1](stage):
            lines.append(line)
            say("  %-26s  %-44s  %s" % (line.what, line.found, verdict(line)))
    except Exception as e:  # the other cases are still to be played
        trace = "" if isinstance(e, Problem) else traceback.format_exc()
        lines.append(Line(name, "not played to its end", "played", "not played", False,
                          "%s%s" % (e, trace)))
        say("  %s%s" % (e, trace))
    say("  %.0f s" % (time.monotonic() - start))
    return lines


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
    cells = [folded(text, width) for text, width in zip(
        ("  " + line.what, line.expected, line.found), WIDTHS)]
    height = max(map(len, cells))
    columns = [cell + [""] * (height - len(cell)) for cell in cells]
    columns.append([verdict(line)] + [""] * (height - 1))
    return [row_of(*row).rstrip() for row in zip(*columns)]


def folded(text, width):
    """Lines of at most that width, broken at blanks where there are any."""
    found, rest = [], text
    while len(rest) > width:
        at = rest.rfind(" ", 3, width + 1)
        at = at if at > 0 else width
        found.append(rest[:at])
        rest = "  " + rest[at:].lstrip()
    return found + [rest]


def run():
    given = options()
    if given.list:
        print(listing())
        return 0
    setup = Setup(given)
    version, start, lines = harness.spark_version(setup.python), time.monotonic(), []
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(setup.server())
        stage = Stage(setup, server, stack)
        for name in given.names:
            # A case's chance does not depend on which others are played.
            stage.dice = random.Random("%s %d" % (name, given.seed))
            lines += play(stage, name)
            keep(given, version, lines)
    print("\n%s\nSpark %s, %s, %s, seed %d, %.0f minutes\n\n%s\n" % (
        harness.machine(), version, given.server, "uploads" if given.uploads else "inline files",
        given.seed, (time.monotonic() - start) / 60, table(lines)))
    wrong = [line for line in lines if not line.is_right]
    for line in wrong:
        print("%s, %s: %s" % (line.case, line.what, line.note or "no error was reported"))
    print("%d of %d right" % (len(lines) - len(wrong), len(lines)))
    return 1 if wrong else 0


def keep(given, version, lines):
    """On disk after each case: those before an interruption are not lost."""
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({
        "machine": harness.machine(), "spark": version, "server": given.server,
        "seed": given.seed, "lines": [vars(line) for line in lines]}, indent=1) + "\n")


harness.main(run)
