# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Keys that a store refuses, a path that is one object, and partitions that lie elsewhere."""

from corners.stage import (BUCKET, FIRST, OTHER_BUCKET, UNLOCKED_SECONDS, Line, end_of, errors,
                           line, reason, saving, select, told)

OLD, A_ROWS, B_ROWS = 100, 1_000, 700
# One row of the job has the value that makes a bad key.
BAD_ROW = FIRST["a"] + 5
LONG = 240
CSV = b"a comma, separated\n"


def bad_names(stage):
    stage.pair()
    columns = ", ".join("if(id = %d, repeat('a', %d), 'c') AS c%d" % (BAD_ROW, LONG, i)
                        for i in range(5))
    over_the_limit = (", " + columns, ["p", *("c%d" % i for i in range(5))])
    long_segment = (", if(id = %d, repeat('b', 300), 'c') AS c0" % BAD_ROW, ["p", "c0"])
    no_character = (", if(id = %d, 'a\\uFFFEb', 'c') AS c0" % BAD_ROW, ["p", "c0"])
    for what, (more, by) in (("key over 1,024 bytes", over_the_limit),
                             ("segment of 300 bytes", long_segment),
                             ("U+FFFE in a partition", no_character)):
        for mode in ("append", "overwrite"):
            yield bad_partition(stage, "%s, %s" % (what, mode), mode, more, by)
    # Spark escapes this one in the values of partitions, but not in a path.
    for what, name in (("U+0001 in the path", "ctrl\x01"), ("U+FFFE in the path", "non\ufffe")):
        yield bad_path(stage, what, stage.place() + name)


def bad_partition(stage, what, mode, more, by):
    """The store takes all of the job's names, or the job fails, naming the column, and nothing has
    changed; the next one, another's, finds no lock."""
    path = stage.place("names")
    old_more = ", " + ", ".join("'c' AS %s" % column for column in by[1:])
    stage.reader.result("save", path=path, mode="overwrite", by=by,
                        rows=select("old", OLD, 4, more=old_more))
    job = stage.a.ask("save", path=path, mode=mode, by=by, rows=select("a", A_ROWS, 2, more=more))
    found = stage.tags(path)
    following = stage.b.ask("save", path=path, mode="overwrite", by=by,
                            rows=select("b", B_ROWS, 2, more=old_more))
    after, hidden = stage.tags(path), stage.hidden(path)
    served = {"a": A_ROWS} if mode == "overwrite" else {"old": OLD, "a": A_ROWS}
    is_named = "of the partition column c0" in " ".join((job.answer or {}).get("error") or [])
    is_right = is_named and found == {"old": OLD} if job.error else found == served
    return line_of("bad-names", what, "all or nothing; then b", job, found, is_right, following,
                   after, hidden)


def line_of(case, what, expected, job, found, is_right, following, after, hidden):
    is_locked = following.seconds > UNLOCKED_SECONDS
    more = "; b waited %.0f s" % following.seconds if is_locked else ""
    return line(case, what, expected, [("a", job), ("b", following)], found,
                is_right and not following.error and not is_locked and after == {"b": B_ROWS},
                hidden, "; then %s%s" % (told(after), more))


def bad_path(stage, what, path):
    """Old rows, and then two overwrites."""
    old = stage.a.ask("save", **saving(path, "old", OLD, 4))
    if old.error:
        return Line("bad-names", what, "a, or refused", "refused at the first write",
                    not stage.hidden(path), errors(("old", old)))
    job = stage.a.ask("save", **saving(path, "a", A_ROWS, 2))
    found = stage.tags(path)
    following = stage.b.ask("save", **saving(path, "b", B_ROWS, 2))
    return line_of("bad-names", what, "a; then b", job, found, found == {"a": A_ROWS}, following,
                   stage.tags(path), stage.hidden(path))


# ---- a path that is one object

def one_object_path(stage):
    """As on a local file system: an overwrite replaces the object, and nothing is put below it."""
    a = stage.a
    for mode in ("overwrite", "append", "ignore", "errorifexists"):
        path = stage.place("report") + ".csv"
        stage.hand("PUT", path, CSV)
        job = a.ask("save", path=path, mode=mode, rows=select("a", A_ROWS))
        object_ = stage.hand("GET", path)
        keys = stage.keys(path)
        found = stage.tags(path) if mode == "overwrite" and not job.error else {}
        is_overwrite = mode == "overwrite"
        right = not job.error and found == {"a": A_ROWS} and object_ is None if is_overwrite else (
            object_ == CSV and not keys and bool(job.error) == (mode != "ignore"))
        yield Line("one-object-path", mode, "a %d" % A_ROWS if is_overwrite else
                   "the object stays", "%s: object %s, %d keys below" % (
                       end_of(("a", job)), "gone" if object_ is None else "stays", len(keys)),
                   right, errors(("a", job)))


# ---- partitions that lie elsewhere

def other_scheme_partitions(stage):
    for what, place in (("one at s3://", "s3://%s/%%s_p1" % BUCKET),
                        ("one in another bucket", "s3a://%s/%%s_p1" % OTHER_BUCKET),
                        ("one at a local path", "file:%s/%%s_p1" % stage.hive.scratch)):
        for mode in ("static", "dynamic"):
            yield elsewhere(stage, "%s, %s" % (what, mode), place, mode)


def elsewhere(stage, what, place, mode):
    """All rows are served, or the job is refused, naming the partition's place, and nothing
    changes."""
    a = stage.hive
    path = stage.place("elsewhere")
    table = path.rpartition("/")[2]
    other = place % table
    a.result("save", path=path, mode="overwrite", by=["p"],
             rows=select("old", OLD // 2, 2, p="0"))
    a.result("save", path=other, mode="overwrite", rows=select("old", OLD // 2, 2, p="1"))
    a.result("sql", texts=[
        "CREATE TABLE %s (id BIGINT, text STRING, p INT) USING parquet PARTITIONED BY (p)"
        " LOCATION '%s'" % (table, path), "MSCK REPAIR TABLE " + table,
        "ALTER TABLE %s ADD PARTITION (p = 1) LOCATION '%s'" % (table, other),
        "SET spark.sql.sources.partitionOverwriteMode=" + mode])
    job = a.ask("sql", texts=["INSERT OVERWRITE TABLE %s %s" % (
        table, select("a", A_ROWS, 2, p="cast(id % 2 as int)"))])
    a.result("sql", texts=["SET spark.sql.sources.partitionOverwriteMode=static"])
    found = a.result("tags", path=path)
    for tag, count in a.result("tags", path=other).items():
        found[tag] = found.get(tag, 0) + count
    said = reason(job) if job.error else ""
    is_named = other.partition(":")[2].lstrip("/") in said and "Wrong FS" not in said
    right = is_named and found == {"old": OLD} if job.error else found == {"a": A_ROWS}
    return line("other-scheme-partitions", what, "served, or refused by name", [("a", job)], found,
                right, more="" if not job.error else ", named" if is_named else ", not named")
