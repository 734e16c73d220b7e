# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Trials that attack drivers, executors or stores: what a table should hold after them, and how
their outcomes are told. A trial has a number, problems, and a row of the table."""

import contextlib
import os
import pathlib
import signal
import time
import traceback

import harness
from harness import Problem, say

# What Spark is told of each kind of job.
KINDS = {"append": {"mode": "append"}, "overwrite": {"mode": "overwrite"},
         "dynamic": {"mode": "overwrite", "dynamic": True}}


def both(a, b):
    """The content of two sets of rows together: number, sum, exclusive or of hashes."""
    if a is None or b is None:
        return a or b
    return [a[0] + b[0], a[1] + b[1], a[2] ^ b[2]]


def after(table, rows, kind):
    """The table by partition, once a job of that kind has written its rows."""
    if kind == "overwrite":
        return dict(rows)
    if kind == "dynamic":
        return {**table, **rows}
    return {part: both(table.get(part), rows.get(part)) for part in {*table, *rows}}


def is_running(pid):
    """Whether it is there and no zombie: its parent may not look after it."""
    try:
        return pathlib.Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def send(pid, how):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, how)


@contextlib.contextmanager
def paused(pid):
    """A process that stands still."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def settled(trial, work, *arguments):
    """Does a part of a trial; what it cannot do is a problem of the trial."""
    try:
        work(*arguments)
    except Problem as e:
        trial.problems.append(str(e))


def played(name, title, outcomes, failed):
    """The outcomes of a part of a case. One that cannot go on is one that failed; the other parts
    are still to be played."""
    say("%s: %s" % (name, title))
    start = time.monotonic()
    try:
        yield from outcomes
    except Exception as e:
        yield failed(str(e) if isinstance(e, Problem) else traceback.format_exc())
    say("  %s took %.0f s" % (name, time.monotonic() - start))


def verdict(case, title, head, trials, left, told="", is_clean=True, **results):
    """Tells and saves the trials, and gives the exit code."""
    rows = [[*head, ""], *([str(trial.number), *trial.row(),
                            "FAILED" if trial.problems else "held"] for trial in trials)]
    case.head(title)
    print(harness.table(rows, left) + "\n")
    failed = [trial for trial in trials if trial.problems]
    for trial in failed:
        print("%d: %s" % (trial.number, "; ".join(trial.problems)))
    case.save(seed=case.given.seed, trials=[
        row + trial.problems for row, trial in zip(rows[1:], trials)], **results)
    print("%d of %d held%s" % (len(trials) - len(failed), len(trials), told))
    return 0 if is_clean and not failed else 1
