# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The directory of a table is deleted, renamed, truncated or dropped while a job commits there."""

import collections.abc
import dataclasses

from corners.proxy import Hold
from corners.stage import (BUCKET, Line, end_of, ended, errors, inside, select, told)

CASE = "directory-operations"
OLD, NEW, OTHER = 100, 1_000, 700
# Of the 20 files of the append, and of the five in one partition.
SHOWN, SHOWN_IN_PART = 6, 2
OPERATION_SECONDS = 4
AFTER_SECONDS = 150


@dataclasses.dataclass
class Operation:
    """What is done while the job commits."""

    what: str
    # Below the table's path; ".." is its parent.
    part: str
    begin: collections.abc.Callable


def operations(stage):
    for operation in (
            Operation("fs.delete of the table", "", delete),
            Operation("fs.delete of a partition", "/p=1", delete),
            Operation("fs.delete of the parent", "..", delete),
            Operation("fs.rename of the table", "", rename),
            Operation("fs.rename of a partition", "/p=1", rename),
            Operation("fs.rename of the parent", "..", rename),
            Operation("TRUNCATE TABLE", "", truncate),
            Operation("DROP TABLE", "", drop),
            Operation("saveAsTable(overwrite)", "", save_as_table)):
        yield one(stage, operation)


def delete(stage, table, target):
    return stage.b.begin("delete", path=target)


def rename(stage, table, target):
    return stage.b.begin("rename", path=target, to=away(target))


def away(target):
    """Where a rename leads: a partition goes out of its table."""
    return target.replace("/table/p=1", "/table_p1") + "_away"


def truncate(stage, table, target):
    return stage.a.begin("sql", texts=["TRUNCATE TABLE " + table])


def drop(stage, table, target):
    return stage.a.begin("sql", texts=["DROP TABLE " + table])


def save_as_table(stage, table, target):
    return stage.a.begin("save", table=table, mode="overwrite", by=["p"],
                         rows=select("b", OTHER))


def one(stage, operation):
    a, _ = stage.pair()
    if operation.begin in (delete, rename):
        parent = stage.place("parent")
        path = parent + "/table"
    else:
        path = "s3a://%s/warehouse/%s" % (BUCKET, stage.place("managed").rpartition("/")[2])
        parent = None
    table = path.rpartition("/")[2]
    if parent is None:
        a.result("save", table=table, mode="errorifexists", by=["p"], rows=select("old", OLD, 4))
    else:
        stage.prepare(path)
    target = parent if operation.part == ".." else path + operation.part
    moved = away(target) + ("/table" if operation.part == ".." else "")
    is_part = operation.part.startswith("/")
    half = Hold(lambda request: request.shows and request.key.startswith(
        inside(path + operation.part if is_part else path)),
                skip=SHOWN_IN_PART if is_part else SHOWN)
    where = {"path": path} if parent else {"table": table}
    with stage.proxy("a").rule(half):
        append = a.begin("save", mode="append", by=["p"], rows=select("a", NEW, tasks=5), **where)
        half.wait("a file of an append")
        struck = operation.begin(stage, table, target)
        struck.wait(OPERATION_SECONDS)
    ended(append, AFTER_SECONDS), ended(struck, AFTER_SECONDS)
    return judge(stage, operation, path, moved, append, struck)


def judge(stage, operation, path, moved, append, struck):
    is_moved = operation.begin is rename
    has_parts = operation.part.startswith("/")
    found = [stage.tags(path, parts=has_parts)]
    hidden = stage.hidden(path)
    if is_moved:
        found.append(moved_tags(stage, moved, has_parts))
        hidden += stage.hidden(moved)
    old, new = parts("old", OLD, has_parts), parts("a", NEW, has_parts)
    done = {"a": not append.error, "operation": not struck.error and struck.result is not False}
    allowed = serial(operation, old, new, done)
    text = ": ".join([end_of(("a", append), ("it", struck)),
                      " | ".join(told(summed(tags)) for tags in found)])
    return Line(CASE, operation.what, "serial, reports true",
                text + (", left: " + " ".join(hidden) if hidden else ""),
                append.done.is_set() and struck.done.is_set()
                and found in allowed and not hidden,
                errors(("a", append), ("it", struck)))


def moved_tags(stage, moved, has_parts):
    """What lies at the place that a rename leads to; a partition's rows tell none."""
    found = stage.tags(moved, parts=False)
    return {"%s/1" % tag: count for tag, count in found.items()} if has_parts else found


def parts(tag, count, has_parts):
    if not has_parts:
        return {tag: count}
    return {"%s/%d" % (tag, p): count // 4 for p in range(4)}


def serial(operation, old, new, done):
    """All that may be there, for every order of what succeeded."""
    orders = []
    for steps in (("a", "operation"), ("operation", "a")):
        state, away = dict(old), {}
        for step in steps:
            if not done[step]:
                continue
            if step == "a":
                state = {**state, **new}
            else:
                state, away = after(operation, state)
        orders.append([state, away] if operation.begin is rename else [state])
    # A dropped table that the job had already resolved may get its rows, or not.
    if operation.begin in (drop, truncate) and done["operation"]:
        orders.append([{}])
    if operation.begin is save_as_table and not done["operation"]:
        # It consists of a drop and a write; the drop may have been done.
        orders += [[{}], [dict(new)]] if done["a"] else [[{}]]
    return orders


def after(operation, state):
    if operation.begin is save_as_table:
        return {"b": OTHER}, {}
    kept = {tag: count for tag, count in state.items()
            if operation.part.startswith("/") and not tag.endswith("/1")}
    gone = {tag: count for tag, count in state.items() if tag not in kept}
    return kept, gone


def summed(tags):
    """By job alone."""
    found = {}
    for tag, count in tags.items():
        name = tag.partition("/")[0]
        found[name] = found.get(name, 0) + count
    return found
