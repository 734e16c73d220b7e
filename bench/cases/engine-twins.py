# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Are the tables of penstock analyze the same on Spark as on DuckDB?

Generates the logs of a job that S3 throttled, runs the real command on both engines, once on each
Spark given, and compares all tables cell by cell: counts, texts and times must be equal, other
numbers within one part in 1e9.

Exit code 0 when every cell is the same.
"""

import json

import harness
from bench import Bench
from celldiff import cells, differences

SHOWN = 20

case = Bench(__doc__, has_store=False, has_json=False)
case.parser.add_argument("--spark-home", metavar="DIR", action="append", required=True,
                         help="a Spark to compare with; may be repeated")
case.option("--requests", "300k", "how many", "N")
case.option("--logs", str, "take these logs instead of generated ones", "DIR")
case.option("--master", "local[2]")
given = case.parse()


def penstock(*arguments):
    """What the command printed, and the seconds it took."""
    done = harness.timed([harness.HOME / "penstock", *arguments])
    return done["printed"], done["seconds"]


def run():
    logs = given.logs or str(harness.made(harness.RUN) / "logs")
    if not given.logs:
        penstock("logs", "generate", logs, "--requests", given.requests,
                 "--format", "access-log,cloudtrail,event-log", "--prefixes", "3")
    tables = ("analyze", logs, "--tables", "--format", "json")
    text, seconds = penstock(*tables, "--no-cache")
    duck = json.loads(text)
    print("DuckDB: %d tables of %d cells in %.1f s" % (len(duck), cells(duck), seconds))
    is_same = True
    for home in given.spark_home:
        text, seconds = penstock(*tables, "--engine", "spark", "--spark-home", home,
                                 "--master", given.master)
        found = list(differences(duck, json.loads(text)))
        print("%s: %s in %.1f s" % (
            home, "%d cells differ" % len(found) if found else "the same", seconds))
        for line in found[:SHOWN]:
            print("  " + line)
        is_same = is_same and not found
    return 0 if is_same else 1


case.main(run)
