# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast does Spark read?

The same files, which Penstock has written, are read by Penstock and by S3A with its two streams
and with Penstock's, all with their defaults, in turn, on the same server. Each session warms up with other files of the
same kind, and then reads each case once. All must find the same content.
"""

import contextlib
import subprocess
import sys

import bench
import variants
from bench import Bench
from harness import number

CASES = {
    "three": "3 of 21 columns",
    "eleven": "11 of 21 columns",
    "all": "all 21 columns",
    "groups": "the same, row groups of 16 MB",
    "stream": "one file in sequence",
    "text": "lines of one file, one task",
    "small": "small files",
    "medium": "one column of up to 200 files of 320 KB",
}

case = Bench(__doc__, variants.some("penstock", "s3a-streams", "classic", "analytics"))
case.shaped_options()
case.option("--files", 8, "with 21 columns")
case.option("--rows", 500_000, "of each of them")
case.option("--megabytes", 1024, "of the file that is read in sequence", "MIB")
case.option("--small", 500, "number of small files")
case.option("--rounds", 3)
case.option("--busy", 0, "busy loops beside the job, which take most of the cores")
case.names("--cases", CASES)
case.settings()
case.flag("--assert-budgets",
          "exit 1 when Penstock sends a HEAD, or more than one request for a small file")
given = case.parse()
# One task a file, however large.
SETTINGS = {"spark.sql.files.maxPartitionBytes": str(8 << 30),
            "spark.sql.files.openCostInBytes": "0", **given.conf}


@contextlib.contextmanager
def busy_loops(count):
    # Each in a session of its own, which the kernel gives as much as the whole job.
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
             for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def make():
    case.spark("reads.py", {"make": True, "files": given.files, "rows": given.rows,
                            "megabytes": given.megabytes, "small": given.small}, "make",
               settings=SETTINGS)


def one(name):
    with busy_loops(given.busy):
        return case.counted("reads.py", {"cases": given.cases}, name, SETTINGS)


def over_budget(runs):
    """What Penstock asked for that it should not have."""
    found = []
    for ran in runs.get("penstock", []):
        for name, one in ran.items():
            heads = one["operations"].get("REST.HEAD.OBJECT", 0)
            if heads:
                found.append("%s: %d HEAD" % (name, heads))
        # Beside the files: the listing of the directory, and what finds that it is one.
        if "small" in ran and ran["small"]["requests"] > given.small + 6:
            found.append("small: %d requests for %d files" % (
                ran["small"]["requests"], given.small))
    return sorted(set(found))


def run():
    with case.shaped_store(make):
        runs = case.rounds(given.rounds, one)
    bench.check_same(runs)
    case.save(runs=runs)
    case.head("%d files of %s rows and 21 columns; a file of %s MiB; %s small files%s" % (
        given.files, number(given.rows), number(given.megabytes), number(given.small),
        "; %d busy loops beside" % given.busy if given.busy else ""))
    for name in given.cases:
        print(case.case_table(CASES[name], runs, name, {
            "median": bench.MEDIAN, "CPU": bench.CPU, "requests": bench.last_of("requests"),
            "GET": bench.operations_of("REST.GET.OBJECT"),
            "HEAD": bench.operations_of("REST.HEAD.OBJECT"), "all runs": bench.ALL_RUNS}) + "\n")
    return case.over_budget(over_budget(runs))


case.main(run)
