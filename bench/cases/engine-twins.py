# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Question: are the tables of penstock analyze the same on Spark as on DuckDB?

Generates the logs of a job that S3 throttled, runs the real command on both engines, once on each
Spark given, and compares all tables cell by cell: counts, texts and times must be equal, other
numbers within one part in 1e9.

  bench/run engine-twins --spark-home SPARK_HOME [--spark-home ANOTHER] [--requests 300k]

Exit code 0 when every cell is the same.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from celldiff import cells, differences

HOME = pathlib.Path(__file__).resolve().parent.parent.parent
SHOWN = 20


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spark-home", metavar="DIR", action="append", required=True,
                        help="a Spark to compare with; may be repeated")
    parser.add_argument("--requests", default="300k", help="how many; default: 300k")
    parser.add_argument("--logs", metavar="DIR", help="take these logs instead of generated ones")
    parser.add_argument("--master", default="local[2]", help="default: local[2]")
    parser.add_argument("--timeout", type=int, default=1200, help="of one command, in seconds")
    return parser.parse_args()


def penstock(given, *arguments):
    """What the command printed, and the seconds it took."""
    begin = time.monotonic()
    done = subprocess.run([str(HOME / "penstock"), *arguments], capture_output=True, text=True,
                          timeout=given.timeout)
    if done.returncode != 0:
        sys.exit("penstock %s ended with %d:\n%s" % (
            " ".join(arguments), done.returncode, done.stderr))
    return done.stdout, time.monotonic() - begin


def main():
    given = options()
    with tempfile.TemporaryDirectory() as directory:
        logs = given.logs or str(pathlib.Path(directory) / "logs")
        if not given.logs:
            penstock(given, "logs", "generate", logs, "--requests", given.requests,
                     "--format", "access-log,cloudtrail,event-log", "--prefixes", "3")
        tables = ("analyze", logs, "--tables", "--format", "json")
        text, seconds = penstock(given, *tables, "--no-cache")
        duck = json.loads(text)
        print("DuckDB: %d tables of %d cells in %.1f s" % (len(duck), cells(duck), seconds))
        is_same = True
        for home in given.spark_home:
            text, seconds = penstock(given, *tables, "--engine", "spark", "--spark-home", home,
                                     "--master", given.master)
            found = list(differences(duck, json.loads(text)))
            print("%s: %s in %.1f s" % (
                home, "%d cells differ" % len(found) if found else "the same", seconds))
            for line in found[:SHOWN]:
                print("  " + line)
            is_same = is_same and not found
    sys.exit(0 if is_same else 1)


if __name__ == "__main__":
    main()
