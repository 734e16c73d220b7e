# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast does one task write one large file?

One task of Spark writes a text file (or several tasks one each), through Penstock and through S3A
with its magic committer, both with their defaults, in turn, on the same server. Each connection
carries a limited number of bytes a second, as with S3. A machine of few cores may be the limit
instead: Spark, the counter and the server all run on it. --bandwidth 10M shows the difference of
the two writers on such a machine.
"""

import bench
import variants
from bench import Bench
from harness import number, say

case = Bench(__doc__, variants.some("penstock", "magic-memory"))
case.shaped_options("60M")
case.option("--megabytes", 2048, "size of the file", "MIB")
case.option("--tasks", 1, "that write a file each, all at once")
case.option("--heap", "2g", "of the JVM", "SIZE")
case.option("--runs", 3)
case.settings("--conf", "a setting of Spark for all, such as"
              " spark.hadoop.penstock.upload.buffer=disk")
case.parser.set_defaults(latency="30ms")
given = case.parse()
given.slots = given.tasks
GIGABYTES = given.tasks * given.megabytes * (1 << 20) / 1e9


def one(name):
    section = bench.section_name(name)
    said, = case.spark("lines.py", {"section": section, "files": given.tasks, "jobs": 1,
                                    "lines": given.megabytes, "width": 1 << 20}, name, name,
                       {"spark.driver.memory": given.heap, **given.conf})
    return {"seconds": said["seconds"][0], "cpu": said["cpu"][0],
            "requests": case.requests(section).total}


def run():
    with case.counted_store(*case.shape):
        what = "%d task%s, each one file of %s MiB, heap %s" % (
            given.tasks, "" if given.tasks == 1 else "s", number(given.megabytes), given.heap)
        say("%s; %s" % (what, case.where))
        runs = case.rounds(given.runs, one, lambda run: "%6.1f s, %5.1f s CPU, %d requests" % (
            run["seconds"], run["cpu"], run["requests"]))
    case.save(runs=runs)
    case.head(what)
    print(bench.table_of("", {case.title(name): mine for name, mine in runs.items()}, {
        "median": bench.median_of("seconds", "%.1f s"),
        "MB/s": lambda mine: "%.0f" % (GIGABYTES * 1000 / bench.middle(mine)),
        "CPU a GB": bench.median_of("cpu", "%.1f s", GIGABYTES),
        "requests": bench.last_of("requests"), "all runs": bench.all_of("seconds", "%.1f")}))
    return 0


case.main(run)
