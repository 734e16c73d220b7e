# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A writer that may not put or may not delete, in one partition or in all the table, or may not put
the _SUCCESS, or may do nothing without a condition. Another writer has all rights; neither may find
the table locked."""

import html

from corners.proxy import Answer, Say, error
from corners.stage import UNLOCKED_SECONDS, Line, end_of, ended, errors, inside, select, told

OLD, A_ROWS, B_ROWS = 100, 1_000, 700
# The names of what is refused.
PARTITION, MARKER = "p=2", "_SUCCESS"
# A policy denies what has neither If-Match nor If-None-Match.
PLAIN = "plain put+delete"
DENIAL = b"<Error><Key>%s</Key><Code>AccessDenied</Code><Message>scripted</Message></Error>"
DELETED = b"<Deleted><Key>%s</Key></Deleted>"
# What is refused, and where; None is everywhere.
WANTS = [(rights, where) for rights in ("put", "delete", "put+delete")
         for where in (PARTITION, None)] + [("put", MARKER), (PLAIN, None)]


def missing_rights(stage):
    stage.pair()
    plays = [Play(stage, rights, where, mode) for rights, where in WANTS
             for mode in ("append", "overwrite")]
    for play in plays:
        stage.proxy("a").rules.append(play.rule)
    try:
        for step in (Play.first, Play.own_next, Play.other_next):
            # All tables at the same time: one that is locked costs the others no minute.
            for play in plays:
                step(play)
            for play in plays:
                ended(play.jobs[-1])
        for play in plays:
            yield play.line()
    finally:
        for play in plays:
            stage.proxy("a").rules.remove(play.rule)


class Play:
    """One table: a job without the rights, then its writer's next, then another's overwrite."""

    def __init__(self, stage, rights, where, mode):
        self.stage, self.rights, self.where, self.mode = stage, rights, where, mode
        self.path, self.jobs, self.found = stage.place("rights"), [], []
        stage.prepare(self.path)
        self.rule = Say(self.concerns, self.answer)

    def denies(self, key):
        below = key.startswith(inside(self.path))
        return below and (not self.where or self.where in key.split("/"))

    def concerns(self, request):
        if self.rights == PLAIN and (request.is_conditional or "partNumber" in request.query
                                     or "uploads" in request.query):
            return False
        is_write = request.method == "PUT" or request.method == "POST" and not (
            request.is_bulk_delete)
        if is_write:
            return "put" in self.rights and self.denies(request.key)
        return "delete" in self.rights and any(map(self.denies, request.deleted))

    def answer(self, request, send):
        if not request.is_bulk_delete:
            return error(403, "AccessDenied")
        parts = []
        for key in request.deleted:
            if not self.denies(key):
                self.stage.hand("DELETE", "s3://%s/%s" % (request.bucket, key))
            outcome = DENIAL if self.denies(key) else DELETED
            parts.append(outcome % html.escape(key).encode())
        return Answer(200, b"<DeleteResult>%s</DeleteResult>" % b"".join(parts))

    def first(self):
        self.save(self.stage.a, self.mode, select("a", A_ROWS, 2))

    def own_next(self):
        """An overwrite of another partition alone, which waits for whatever is left of the first."""
        self.found.append(self.stage.tags(self.path))
        self.save(self.stage.a, "overwrite", select("a", 8, 1, p="1"), dynamic=True)

    def other_next(self):
        self.found.append(self.stage.tags(self.path))
        self.save(self.stage.b, "overwrite", select("b", B_ROWS, 2))

    def save(self, driver, mode, rows, dynamic=False):
        self.jobs.append(driver.begin("save", path=self.path, mode=mode, by=["p"], rows=rows,
                                      dynamic=dynamic))

    def line(self):
        first, own, other = self.jobs
        self.found.append(self.stage.tags(self.path))
        named = (("a", first), ("next", own), ("b", other))
        locked = [name for name, job in named if job.seconds > UNLOCKED_SECONDS]
        text = "%s: %s; then %s%s" % (end_of(*named), told(self.found[0]), told(self.found[2]),
                                      "; locked: " + " ".join(locked) if locked else "")
        where = "at all" if not self.where else (
            "of _SUCCESS" if self.where == MARKER else "in " + self.where)
        return Line("missing-rights", "no %s %s, %s" % (self.rights, where, self.mode),
                    self.expected(), text, not locked and self.is_right(first, own, other),
                    errors(*named))

    def expected(self):
        return {True: "a ok, then b", False: "a fails, old; then b", None: "true; then b"}[
            self.may_succeed]

    @property
    def may_succeed(self):
        """An append deletes nothing of the table's data; without the right to delete its intent
        or _SUCCESS it may succeed or fail, and must say what it did. The rows are there when
        _SUCCESS is written."""
        if self.where == MARKER or self.rights == PLAIN:
            return True
        if self.mode != "append":
            return False
        return None if self.rights == "delete" and not self.where else "put" not in self.rights

    def is_right(self, first, own, other):
        new = {"a": A_ROWS} if self.mode == "overwrite" else {"old": OLD, "a": A_ROWS}
        before = {"old": OLD} if first.error else new
        as_it_should = self.may_succeed in (None, not first.error)
        # The next one writes to a partition to which nothing is denied.
        must_fail = not self.where and self.rights in ("put", "put+delete")
        must_end = self.where or self.rights == PLAIN
        own_as_it_should = own.error if must_fail else not own.error or not must_end
        return bool(as_it_should and own_as_it_should and self.found[0] == before
                    and not other.error and self.found[2] == {"b": B_ROWS})
