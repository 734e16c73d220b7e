# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A driver that is killed in the first commit to a new path, and a store that is away while two
drivers commit."""

import contextlib
import re
import time

from corners.proxy import Hold, Say, error
from corners.stage import (DEAD_SECONDS, PATIENCE, ended, errors, inside, line, saving, select)

A_ROWS, B_ROWS = 1_000, 700
# Seventeen jobs of eight files would keep all 64 lanes of a driver busy with what is held.
FILES, SHOWN = 7, 4
OUTAGE_SECONDS, FIRST_SECONDS = 90, 5
MODES = ("errorifexists", "ignore", "append", "overwrite", "CTAS", "saveAsTable")
WHENS = ("at once", "after 62 s", "after recover")


def begin(driver, mode, path):
    """The job in one of the modes; tables get the name of their path."""
    table, rows = path.rpartition("/")[2], select("a", A_ROWS, tasks=FILES)
    if mode == "CTAS":
        return driver.begin("sql", texts=["CREATE TABLE %s USING parquet LOCATION '%s' AS %s" % (
            table, path, rows)])
    if mode == "saveAsTable":
        return driver.begin("save", table=table, path=path, mode="errorifexists", rows=rows)
    return driver.begin("save", path=path, mode=mode, rows=rows)


def first_commit_killed(stage):
    """One driver dies in the middle of all these commits; another runs the jobs again."""
    places = {(mode, when): stage.place("dead") for mode in MODES for when in WHENS}
    a, b = stage.pair()
    with contextlib.ExitStack() as rules:
        for (mode, when), path in places.items():
            half = rules.enter_context(stage.proxy("a").rule(Hold(
                lambda request, path=path: request.shows and request.key.startswith(inside(path)),
                skip=SHOWN)))
            begin(a, mode, path)
            half.wait("file %d of a first commit" % (SHOWN + 1))
        stage.kill("a")
    died = time.monotonic()
    early = rerun(b, places, "at once")
    time.sleep(max(0, DEAD_SECONDS - (time.monotonic() - died)))
    # A job that the rest of the dead one refused at once must run when the other is known as dead.
    again = {mode: begin(b, mode, places[mode, "at once"])
             for mode, job in early.items() if job.error}
    late = rerun(b, places, "after 62 s")
    said = dict(zip(MODES, stage.recover([places[mode, "after recover"] for mode in MODES])))
    recovered = rerun(b, places, "after recover")
    for mode in MODES:
        yield judged(stage, mode, "at once", places, early[mode], again.get(mode))
        yield judged(stage, mode, "after 62 s", places, late[mode])
        yield judged(stage, mode, "after recover", places, recovered[mode],
                     note="recover said: " + re.sub(r"\s+", " ", said[mode][0])[-200:])


def rerun(driver, places, when):
    """The jobs of all modes again, at the same time."""
    jobs = {mode: begin(driver, mode, places[mode, when]) for mode in MODES}
    for job in jobs.values():
        ended(job)
    return jobs


def judged(stage, mode, when, places, job, again=None, note=""):
    jobs = [("it", job)]
    if again:
        ended(again)
        jobs.append(("again", again))
    path = places[mode, when]
    found = stage.tags(path)
    return line("first-commit-killed", "%s, %s" % (mode, when), "a %d" % A_ROWS, jobs, found,
                not jobs[-1][1].error and found == {"a": A_ROWS}, stage.hidden(path),
                note="; ".join(filter(None, (errors(*jobs), note))))


# ---- outages

def outage(stage):
    yield away(stage, "no connection, 90 s", refused)
    yield away(stage, "500 for all, 90 s", saying(error(500, "InternalError")))
    yield away(stage, "503 for all, 90 s", saying(error(503, "SlowDown")))


def away(stage, what, weather):
    """One is half through its commit, another waits for it, and the store serves nobody."""
    a, b = stage.pair()
    path = stage.place("outage")
    stage.prepare(path)
    half = Hold(lambda request: request.shows and request.key.startswith(inside(path)), skip=SHOWN)
    with stage.proxy("a").rule(half):
        one = a.begin("save", **saving(path, "a", A_ROWS, 2))
        half.wait("file %d of an overwrite" % (SHOWN + 1))
        other = b.begin("save", **saving(path, "b", B_ROWS, 2))
        other.wait(5)
        with weather(stage.proxy("a"), stage.proxy("b")):
            half.lose()
            time.sleep(OUTAGE_SECONDS)
    ended(one, PATIENCE), ended(other, PATIENCE)
    found = stage.tags(path)
    return line("outage", what, "both ok, b %d" % B_ROWS, [("a", one), ("b", other)], found,
                not one.error and not other.error and found == {"b": B_ROWS}, stage.hidden(path))


@contextlib.contextmanager
def refused(*proxies):
    for proxy in proxies:
        proxy.refuse()
    try:
        yield
    finally:
        for proxy in back_one_by_one(proxies):
            proxy.listen()


def saying(answer):
    """All requests get this answer."""
    @contextlib.contextmanager
    def weather(*proxies):
        rules = {proxy: Say(lambda request: True, answer) for proxy in proxies}
        for proxy, rule in rules.items():
            # Before the rule that holds: what was held is answered so, too.
            proxy.rules.insert(0, rule)
        try:
            yield
        finally:
            for proxy in back_one_by_one(proxies):
                proxy.rules.remove(rules[proxy])
    return weather


def back_one_by_one(proxies):
    """The one who waits asks first, as it may happen, since the waits between attempts are by
    chance: it must not take the other for dead."""
    first, *others = reversed(proxies)
    yield first
    time.sleep(FIRST_SECONDS)
    yield from others
