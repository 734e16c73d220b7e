# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does it take to take an overwrite back, and are the rows those of before?

A Spark job writes a table into a bucket that keeps versions, and another one overwrites it. Then
'penstock undo' takes the overwrite back, and the undo, too. After each step the rows are counted
and summed up.
"""

import collections

import harness
from bench import Bench, table_of
from harness import Problem, number, say

LISTS = "REST.GET.BUCKETVERSIONS", "REST.GET.BUCKET"

case = Bench(__doc__, latency="20ms", timeout=3600)
case.option("--files", 100_000, "that are overwritten")
case.option("--new-files", 1_000, "that the overwrite writes")
case.option("--tasks", 100, "that write them; each writes a file into each partition")
case.option("--slots", 2, "tasks at once")
case.option("--memory", "3g", "heap of Spark's JVM", "SIZE")
case.option("--keys", 0, "that a partition deletes or writes a second before it throttles; a prefix"
            " of S3: 3500")
case.option("--requests", 0, "exit 1 when an undo takes more")
given = case.parse()


def spark(*steps):
    said = case.spark("undone.py", {
        "steps": steps, "files": given.files, "tasks": given.tasks,
        "new_files": given.new_files, "new_tasks": max(1, given.new_files * given.tasks
                                                       // given.files)},
        "-".join(steps), settings={"spark.driver.memory": given.memory})
    return {one["step"]: one for one in said}


def penstock(store, *words):
    """What a command printed, its seconds, and the requests that it sent."""
    start = store.access_log.stat().st_size
    ran = harness.timed(
        [harness.java(), "-Xmx1g", "-jar", case.jars / "penstock-cli.jar", *words,
         "--endpoint", store.endpoint],
        {"AWS_ACCESS_KEY_ID": store.access_key, "AWS_SECRET_ACCESS_KEY": store.secret_key})
    sent = harness.stretch(store.access_log, start, store.access_log.stat().st_size)
    return {**ran, "requests": sent.total, "operations": dict(sent.operations),
            "kinds": dict(sent.kinds), "throttled": sent.writes(lambda status: status == "503")}


def undone(store):
    return penstock(store, "undo", "s3://%s/orders" % store.bucket, "last", "--write")


def same(what, found, wanted):
    if found != wanted:
        raise Problem("%s: the table has %s, not %s" % (what, found, wanted))


def run():
    throttle = ["--throttle", "%d,5500" % given.keys] if given.keys else []
    with case.counted_store(*throttle) as store:
        harness.keep_versions(store.endpoint, (store.access_key, store.secret_key), store.bucket)
        say("  writing %s files, and %s over them" % (number(given.files),
                                                      number(given.new_files)))
        good = spark("write", "look")["look"]["found"]
        bad = spark("overwrite", "look")["look"]["found"]
        if good == bad:
            raise Problem("the overwrite has changed nothing")
        rows = collections.OrderedDict()
        for name, wanted in (("the overwrite", good), ("its undo", bad)):
            rows[name] = undone(store)
            say("  %s taken back: %s requests, %.1f s" % (
                name, number(rows[name]["requests"]), rows[name]["seconds"]))
            same(name, spark("look")["look"]["found"], wanted)
        history = penstock(store, "history", "s3://%s/orders" % store.bucket)
    case.save(undone=rows, history=history)
    case.head("%s files, overwritten by %s" % (number(given.files), number(given.new_files)))
    keys = given.files + given.new_files
    print(table_of("taken back", rows, {
        "requests": lambda ran: number(ran["requests"]),
        "a 100,000 keys": lambda ran: number(round(ran["requests"] * 100_000 / keys)),
        "listings": lambda ran: number(sum(ran["operations"].get(one, 0) for one in LISTS)),
        "deletions": lambda ran: number(ran["kinds"].get("POST", 0)
                                        + ran["kinds"].get("DELETE", 0)),
        "throttled": lambda ran: number(ran["throttled"]),
        "copies": lambda ran: number(ran["kinds"].get("COPY", 0)),
        "time": lambda ran: "%.1f s" % ran["seconds"]}))
    print("\nThe rows are those of before each time. The history took %d requests.\n"
          % history["requests"])
    print(history["printed"])
    most = max(ran["requests"] for ran in rows.values())
    if given.requests and most > given.requests:
        say("over budget: %d requests" % most)
        return 1
    return 0


case.main(run)
