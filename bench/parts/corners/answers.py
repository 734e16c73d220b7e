# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Answers that are not true, decisions that are refused, and interrupts that come late."""

import contextlib
import time

from corners.proxy import Answer, Hold, Say, error
from corners.stage import DEAD_SECONDS, ended, inside, line, marked, saving, told

OLD, A_ROWS = 100, 1_000
HTML = b"<!DOCTYPE html><html><body><h1>Welcome to the hotel's network</h1></body></html>"
RESULT = (b'<?xml version="1.0" encoding="UTF-8"?>'
          b'<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">%s</DeleteResult>')
PER_KEY = b"<Error><Key>%s</Key><Code>InternalError</Code><Message>scripted</Message></Error>"


def deletes_old(path):
    """Bulk or single deletes of the data that was there."""
    return lambda request: any(
        key.startswith(inside(path)) and key.rpartition("/")[2].startswith("part-")
        for key in request.deleted)


# ---- answers that lie

def half_a_result(request, send):
    """An answer that breaks off in the middle of what it tells."""
    whole = RESULT % b"".join(
        b"<Deleted><Key>%s</Key></Deleted>" % key.encode() for key in request.deleted)
    return Answer(200, whole[:len(whole) // 2])


def failed_keys(request, send):
    return Answer(200, RESULT % b"".join(PER_KEY % key.encode() for key in request.deleted))


LIES = {
    "(a) empty body": Answer(200),
    "(b) an HTML page": Answer(200, HTML, (("Content-Type", "text/html"),)),
    "(c) an empty result": Answer(200, RESULT % b""),
    "(d) <Error> with 200": Answer(200, error(200, "InternalError").body),
    "(e) half an answer": half_a_result,
    "InternalError per key": failed_keys,
}


def bulk_delete_lies(stage):
    a = stage.a
    for what, lie in LIES.items():
        path = stage.place("lies")
        stage.prepare(path)
        deletes = deletes_old(path)
        rule = Say(lambda request, deletes=deletes: request.is_bulk_delete and deletes(request),
                   lie, times=1)
        with stage.proxy("a").rule(rule):
            job = a.ask("save", **saving(path, "a", A_ROWS))
        found = stage.tags(path)
        yield line("bulk-delete-lies", what, "a %d" % A_ROWS, [("a", job)], found,
                   rule.taken and not job.error and found == {"a": A_ROWS}, stage.hidden(path),
                   note="" if rule.taken else "no bulk delete was sent")


# ---- the decision is refused

def decision_refused(stage):
    """The job that failed runs again, in its own application, whose rights are back by then, or in
    another, while those of the first stay as they are."""
    stage.pair()
    with contextlib.ExitStack() as rules:
        played = [refused(stage, rules, who, status, code, whole)
                  for status, code, whole in ((400, "ExpiredToken", False),
                                              (403, "AccessDenied", False),
                                              (400, "ExpiredToken", True)) for who in ("b", "a")
                  # Who may do nothing at all any more can tell other applications nothing.
                  if who == "a" or not whole]
        time.sleep(DEAD_SECONDS)
        for what, path, who, first, rule in played:
            again = append(stage.driver(who), path)
            found = stage.tags(path)
            # A job that has not failed is not the same one when it comes again.
            right = {"old": OLD, "a": A_ROWS if first.error else 2 * A_ROWS}
            yield line("decision-refused", what, told(right), [("a", first), ("again", again)],
                       found, found == right and not again.error, stage.hidden(path),
                       note="" if rule.taken else "no decision was put")


def refused(stage, rules, who, status, code, whole):
    """An append whose decision is refused, or with `whole` all that comes from there on."""
    path = stage.place("refused")
    stage.prepare(path)

    def matches(request):
        at = request.key or request.query.get("prefix", "")
        is_decision = request.method == "PUT" and request.name.endswith(".decision")
        return at.startswith(inside(path)) and (is_decision or whole and rule.reached.is_set())
    rule = Say(matches, error(status, code))
    in_force = stage.proxy("a").rule(rule)
    in_force.__enter__()
    try:
        first = append(stage.a, path)
    finally:
        if who == "b":
            rules.push(in_force)
        else:
            in_force.__exit__(None, None, None)
    what = "%s%d, %s" % ("all " if whole else "", status,
                         "itself again" if who == "a" else "another again")
    return what, path, who, first, rule


def append(driver, path):
    return driver.ask("save", **saving(path, "a", A_ROWS, 2, "append"))


# ---- interrupts

def interrupt_late(stage):
    a = stage.a
    for what, strike in (("thread interrupt", lambda: a.result("interrupt")),
                         ("cancelJobGroup", lambda: a.result("cancel_group", group="late"))):
        path = stage.place("interrupt")
        stage.prepare(path)
        rule = Hold(deletes_old(path), times=1)
        with stage.proxy("a").rule(rule):
            job = a.begin("save", job="late", **saving(path, "a", A_ROWS))
            rule.wait("the DELETE of old data")
            strike()
            job.wait(2)
            rule.lift()
            ended(job)
        found, marker = stage.tags(path), stage.has_marker(path)
        yield line("interrupt-late", what, "ok: a %d, _SUCCESS" % A_ROWS, [("a", job)], found,
                   not job.error and marker and found == {"a": A_ROWS}, stage.hidden(path),
                   marked(marker))
