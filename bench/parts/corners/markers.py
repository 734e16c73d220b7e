# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""_SUCCESS has a fixed name: requests for it that come late, and drivers that wake late."""

import contextlib
import threading
import time
import urllib.error

from corners.proxy import Hold, Say
from corners.stage import SUCCESS, Line, ended, inside, line, marked, saving, until

A_ROWS, B_ROWS = 1_000, 700
# A driver that slept needs some seconds to find out what became of its job, and to clean up.
WAKE_SECONDS = 90
CLEAN_SECONDS = 20


def deletes_marker(path):
    return lambda request: inside(path) + SUCCESS in request.deleted


def late_delete(stage):
    """A DELETE lands some seconds after it was sent again; and, where the store honours its
    condition, after the job has ended (docs/guarantees.md, limits)."""
    yield landing(stage, "it lands in the job", 5)
    if honours_if_match(stage):
        yield landing(stage, "it lands after the job", None)


def honours_if_match(stage):
    """Whether the store honours If-Match on a DELETE."""
    path = stage.place("condition") + "/object"
    stage.hand("PUT", path, b"x")
    try:
        stage.hand("DELETE", path, headers={"If-Match": '"%s"' % ("0" * 32)})
    except urllib.error.HTTPError as e:
        if e.code != 412:
            raise
    return stage.hand("GET", path) is not None


def landing(stage, what, seconds):
    """The DELETE of _SUCCESS is carried out so long after the next one; after the job without."""
    a = stage.a
    path = stage.place("late")
    stage.prepare(path)
    late = Hold(deletes_marker(path), times=1, lands=True)
    again = Say(deletes_marker(path), lambda request, send: None)
    with stage.proxy("a").rule(late), stage.proxy("a").rule(again):
        job = a.begin("save", **saving(path, "a", A_ROWS))
        late.wait("the DELETE of _SUCCESS")
        if seconds:
            again.wait("another DELETE of _SUCCESS")
            time.sleep(seconds)
            late.lift()
        ended(job)
        before = stage.has_marker(path)
        late.lift()
        late.landed.wait(30)
    time.sleep(1)
    marker, found = stage.has_marker(path), stage.tags(path)
    return line("marker-late-delete", what, "a %d, _SUCCESS" % A_ROWS, [("a", job)], found,
                not job.error and before and marker and found == {"a": A_ROWS}, more=marked(marker))


@contextlib.contextmanager
def asleep(stage, path):
    """The job of a driver that is paused, once what the job replaces is told, until the block
    ends."""
    rule = Hold(lambda request: request.method == "PUT" and request.name.endswith(".replaces")
                and request.key.startswith(inside(path)), times=1, after=True)
    with stage.proxy("a").rule(rule):
        job = stage.a.begin("save", **saving(path, "a", A_ROWS))
        rule.wait("the PUT of .replaces")
        with stage.paused("a"):
            rule.lift()
            yield job


class Watch:
    """What the marker was, again and again, until the block ends."""

    def __init__(self, stage, path):
        self.stage, self.path, self.seen = stage, path, []
        self.over = threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()
        return self

    def look(self):
        while not self.over.wait(0.2):
            self.seen.append(self.stage.keys(self.path).get(SUCCESS))

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def paused(stage):
    """Another undoes the dead job and overwrites; the paused one wakes."""
    stage.pair()
    path = stage.place("paused")
    stage.prepare(path)
    with contextlib.ExitStack() as stack:
        with asleep(stage, path) as job:
            other = stage.b.ask("save", **saving(path, "b", B_ROWS))
            marker = stage.keys(path).get(SUCCESS)
            watch = stack.enter_context(Watch(stage, path))
        ended(job, WAKE_SECONDS)
        time.sleep(2)
    found, missing = stage.tags(path), watch.seen.count(None)
    others = sum(one not in (None, marker) for one in watch.seen)
    yield line("marker-paused", "it wakes beside b's end", "b %d, b's _SUCCESS" % B_ROWS,
               [("a", job), ("b", other)], found,
               job.error and marker and not other.error and found == {"b": B_ROWS}
               and not missing and not others,
               more=", _SUCCESS missing %d, other %d of %d looks" % (
                   missing, others, len(watch.seen)))
    yield nothing_hidden(stage, "marker-paused", path)


def half_commit(stage):
    """The paused one wakes in the middle of a further overwrite."""
    stage.pair()
    path = stage.place("half")
    stage.prepare(path)
    half = Hold(lambda request: request.shows and request.key.startswith(inside(path)), skip=4)
    with asleep(stage, path) as job:
        first = stage.b.ask("save", **saving(path, "b", B_ROWS))
        stage.proxy("b").rules.append(half)
        second = stage.b.begin("save", **saving(path, "b", 800, 2))
        half.wait("the fifth file of a further overwrite")
    marker = until(lambda: stage.has_marker(path) or job.done.is_set(), WAKE_SECONDS) and (
        stage.has_marker(path))
    # It may write the marker after it has reported.
    marker = marker or until(lambda: stage.has_marker(path), 3)
    half.lift()
    stage.proxy("b").rules.remove(half)
    ended(job, WAKE_SECONDS), ended(second)
    found, at_end = stage.tags(path), stage.has_marker(path)
    yield line("marker-half-commit", "it wakes in b's commit", "no _SUCCESS till b ends",
               [("a", job), ("b", second)], found,
               job.error and not first.error and not second.error and not marker and at_end
               and found == {"b": 800}, more=marked(marker) + " in the commit")
    # b's file was held so long that it may come once more; a note says so until the next job.
    yield nothing_hidden(stage, "marker-half-commit", path, strays=("settling",))


def nothing_hidden(stage, case, path, strays=()):
    """Whether nothing of the intents stays once all jobs have ended."""
    until(lambda: not stage.hidden(path, strays), CLEAN_SECONDS)
    left = stage.hidden(path, strays)
    return Line(case, "what stays hidden", "nothing", " ".join(left) or "nothing", not left)
