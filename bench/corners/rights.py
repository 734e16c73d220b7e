# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A writer that may not put or may not delete, in one partition or in all the table. Another writer
has all rights; neither may find the table locked."""

import html

from corners.proxy import Answer, Say, error
from corners.stage import UNLOCKED_SECONDS, Line, end_of, ended, errors, inside, select, told

OLD, A_ROWS, B_ROWS = 100, 1_000, 700
DENIED = "2"
DENIAL = b"<Error><Key>%s</Key><Code>AccessDenied</Code><Message>scripted</Message></Error>"
DELETED = b"<Deleted><Key>%s</Key></Deleted>"
# What is refused -> where: in one partition, or everywhere.
WANTS = [(rights, part) for rights in ("put", "delete", "put+delete") for part in (True, False)]


def missing_rights(stage):
    stage.pair()
    plays = [Play(stage, rights, part, mode) for rights, part in WANTS
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

    def __init__(self, stage, rights, part, mode):
        self.stage, self.rights, self.part, self.mode = stage, rights, part, mode
        self.path, self.jobs, self.found = stage.place("rights"), [], []
        stage.prepare(self.path)
        self.rule = Say(self.concerns, self.answer)

    def denies(self, key):
        below = key.startswith(inside(self.path))
        return below and (not self.part or "/p=%s/" % DENIED in key)

    def concerns(self, request):
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
        """An append where it may put; without the right to put anywhere there is no such place."""
        self.found.append(self.stage.tags(self.path))
        self.save(self.stage.a, "append", select("a", 8, 1, p="1"))

    def other_next(self):
        self.found.append(self.stage.tags(self.path))
        self.save(self.stage.b, "overwrite", select("b", B_ROWS, 2))

    def save(self, driver, mode, rows):
        self.jobs.append(driver.begin("save", path=self.path, mode=mode, by=["p"], rows=rows))

    def line(self):
        first, own, other = self.jobs
        self.found.append(self.stage.tags(self.path))
        named = (("a", first), ("next", own), ("b", other))
        locked = [name for name, job in named if job.seconds > UNLOCKED_SECONDS]
        text = "%s: %s; then %s%s" % (end_of(*named), told(self.found[0]), told(self.found[2]),
                                      "; locked: " + " ".join(locked) if locked else "")
        return Line("missing-rights", "no %s %s, %s" % (
            self.rights, "in p=2" if self.part else "at all", self.mode), self.expected(), text,
                    not locked and self.is_right(first, own, other), errors(*named))

    def expected(self):
        return "a ok, then b" if self.may_succeed else "a fails, old; then b"

    @property
    def may_succeed(self):
        """An append needs to delete nothing of the table's data."""
        return self.mode == "append" and "put" not in self.rights

    def is_right(self, first, own, other):
        before = {"old": OLD}
        if self.may_succeed:
            before["a"] = A_ROWS
        may_put = "put" not in self.rights or self.part
        return (bool(first.error) != self.may_succeed and self.found[0] == before
                and bool(own.error) != may_put and not other.error
                and self.found[2] == {"b": B_ROWS})
