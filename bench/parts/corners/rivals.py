# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Two jobs at once: first writes of a place where nothing is yet, and a job without rows beside
another's half commit."""

import time

from corners.proxy import Hold
from corners.stage import (DEAD_SECONDS, PATIENCE, Line, ended, errors, inside, line, marked,
                           saving, select, told, until)

A_ROWS, B_ROWS = 1_000, 700
# Above the first of the tasks of a job that must begin before the other commits.
TOGETHER_MILLIS = 2_000
REQUEST_SECONDS = 0.06
ONE_OF_THEM = ({"a": A_ROWS}, {"b": B_ROWS})


def first_overwrites(stage):
    with stage.delay(REQUEST_SECONDS):
        for head_start in (0, 0.3, 0.7, 1.5, 3.0):
            exact = head_start + stage.dice.uniform(0, 0.1)
            yield pair(stage, "overwrite, %g s" % head_start, "overwrite", exact,
                       # A is in its commit or about to begin it when B comes.
                       wait_millis=int(exact * 1000))
        yield enclosed(stage)
        yield pair(stage, "errorifexists twice", "errorifexists", 0, TOGETHER_MILLIS,
                   TOGETHER_MILLIS)
        yield pair(stage, "ignore twice", "ignore", 0, TOGETHER_MILLIS, TOGETHER_MILLIS)
        yield static_partition(stage)
        yield statements(stage, "OVERWRITE DIRECTORY", stage.place("directory"), (
            "INSERT OVERWRITE DIRECTORY '%s' USING parquet %s"), ONE_OF_THEM)


def pair(stage, what, mode, head_start, wait_millis, both_wait=0):
    """Two drivers save to one absent path, in tasks that take so long."""
    a, b = stage.pair()
    path = stage.place("first")
    one = a.begin("save", path=path, mode=mode, rows=select("a", A_ROWS, wait_millis=wait_millis))
    time.sleep(head_start)
    other = b.begin("save", path=path, mode=mode, rows=select("b", B_ROWS, wait_millis=both_wait))
    return judged(stage, "first-overwrites", what, path, one, other, ONE_OF_THEM,
                  exactly_one=mode == "errorifexists")


def judged(stage, case, what, path, one, other, allowed, exactly_one=False):
    ended(one), ended(other)
    found = stage.tags(path)
    jobs = (("a", one), ("b", other))
    done = [name for name, job in jobs if not job.error]
    expected = "ok for one of them" if exactly_one else "both ok, rows of one"
    is_right = found in allowed and len(done) == (1 if exactly_one else 2)
    if exactly_one:
        is_right = is_right and done[0] in found
    return line(case, what, expected, jobs, found, is_right)


def enclosed(stage):
    """A begins, B begins and ends, A ends: their commits do not overlap."""
    a, b = stage.pair()
    for wait_millis in (8_000, 24_000, 60_000):
        path = stage.place("enclosed")
        one = a.begin("save", path=path, mode="overwrite",
                      rows=select("a", A_ROWS, wait_millis=wait_millis))
        time.sleep(1)
        other = b.begin("save", path=path, mode="overwrite", rows=select("b", B_ROWS))
        ended(other)
        if not one.done.is_set():
            break
    return judged(stage, "first-overwrites", "overwrite around another", path, one, other,
                  ({"a": A_ROWS},))


def static_partition(stage):
    path = stage.place("static")
    table = path.rpartition("/")[2]
    stage.reader.result("save", path=path, mode="overwrite", by=["p"],
                        rows=select("old", 100, p="0"))
    for driver in stage.pair():
        driver.result("sql", texts=[
            "CREATE TABLE %s (id BIGINT, text STRING, p INT) USING parquet PARTITIONED BY (p)"
            " LOCATION '%s'" % (table, path), "MSCK REPAIR TABLE " + table])
    return statements(stage, "INSERT OVERWRITE (p=1)", path,
                      "INSERT OVERWRITE TABLE " + table + " PARTITION (p = 1)"
                      " SELECT id, text FROM (%s%s)", tuple(
                          {"old": 100, **some} for some in ONE_OF_THEM))


def statements(stage, what, path, text, allowed):
    """One SQL statement from two drivers at once."""
    place = path if "DIRECTORY" in text else ""
    jobs = [driver.begin("sql", texts=[text % (place, select(
        tag, count, wait_millis=TOGETHER_MILLIS))])
            for driver, tag, count in zip(stage.pair(), "ab", (A_ROWS, B_ROWS))]
    return judged(stage, "first-overwrites", what, path, *jobs, allowed)


# ---- a job without rows

def empty_append(stage):
    a, b = stage.pair()
    path = stage.place("empty")
    stage.prepare(path)
    nothing = saving(path, "b", 0, mode="append")
    half = Hold(lambda request: request.shows and request.key.startswith(inside(path)), skip=8)
    with stage.proxy("a").rule(half):
        whole = a.begin("save", **saving(path, "a", A_ROWS, 4))
        half.wait("the ninth file of an overwrite")
        empty = b.begin("save", **nothing)
        empty.wait(5)
        marker = until(lambda: stage.has_marker(path), 3)
        found = stage.tags(path)
        yield Line("empty-append", "beside half a commit", "no _SUCCESS",
                   "%s: %s" % ("_SUCCESS" if marker else "no _SUCCESS", told(found)), not marker,
                   errors(("b", empty)))
        stage.kill("a")
        ended(whole), ended(empty)
    following = b.ask("save", PATIENCE, **nothing)
    found, marker = stage.tags(path), stage.has_marker(path)
    yield line("empty-append", "a next one settles", "old or a, _SUCCESS", [("b", following)],
               found, not following.error and marker and found in ({"old": 100}, {"a": A_ROWS}),
               more=marked(marker))
    time.sleep(DEAD_SECONDS)
    following = b.ask("save", PATIENCE, **nothing)
    found = stage.tags(path)
    yield line("empty-append", "one after 62 s", "old or a, no intent", [("b", following)], found,
               not following.error and found in ({"old": 100}, {"a": A_ROWS}), stage.hidden(path))
