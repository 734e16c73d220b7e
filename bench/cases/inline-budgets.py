# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How large may a file be that the driver writes, and how much of them does a driver's heap hold?

Each task writes one file. It goes to the driver in the task's message, or it is uploaded by the
task. The first table has the times of both ways by the size of the files; the second shows with
how much content in all messages of a job a driver of a small heap still commits. The executors are
processes of their own, so that the messages travel through sockets.
"""

import time

import cluster
import harness
import variants
from harness import median, number, say

INLINE = "spark.hadoop.penstock.commit.inline."
UNBOUNDED = {
    INLINE + "file.max": "64m",
    "spark.task.maxDirectResultSize": "96m",
    "spark.driver.maxResultSize": "0",
}
UPLOADS = {INLINE + "file.max": "0"}
WORKERS = 2
CORES = 4


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.set_defaults(latency="30ms")
    parser.add_argument("--bandwidth", default="60M", metavar="SIZE",
                        help="a second, of a connection, as in 'penstock weather' (default: %(default)s)")
    parser.add_argument("--sizes", default="16,64,256,768,2048", metavar="KIB,…",
                        help="of a file (default: %(default)s)")
    parser.add_argument("--files", type=int, default=64, help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=5, metavar="N",
                        help="measured in each Spark, after one that is not (default: %(default)s)")
    parser.add_argument("--heaps", default="512m,1g", metavar="SIZE,…",
                        help="of the driver; empty for none (default: %(default)s)")
    parser.add_argument("--contents", default="64,128,192,256", metavar="MIB,…",
                        help="of a job, in files of 1 MiB; Penstock sends at most 256 MiB so"
                             " (default: %(default)s)")
    given = parser.parse_args()
    try:
        given.sizes = [int(size) for size in given.sizes.split(",")]
        given.contents = [int(content) for content in given.contents.split(",")]
    except ValueError:
        parser.error("--sizes and --contents are whole numbers with commas between them")
    given.heaps = [heap for heap in given.heaps.split(",") if heap]
    return given


class Bench:
    def __init__(self, given, store, python, ours, master):
        self.given = given
        self.store = store
        self.python = python
        self.jars = [ours / "penstock-spark.jar"]
        self.master = master

    def run(self, name, files, size, jobs, settings, environment=None):
        """Returns the seconds of the jobs and their requests."""
        section = "%s-%d" % (name, int(time.time() * 1000))
        said = harness.run_spark(
            self.python, "lines.py",
            [self.store.endpoint, self.store.bucket, section, str(files), "1", str(size), str(jobs)],
            self.store, self.jars,
            {**variants.PLUGIN, "spark.master": self.master, "spark.executor.memory": "1g",
             "spark.executor.extraClassPath": str(self.jars[0]), **settings},
            name, self.given.timeout, environment)
        return said[0]["seconds"], harness.sections(self.store.access_log)[section]

    def sizes(self):
        rows = [["size of a file", "inline", "uploads", "ratio", "requests a file", ""]]
        for kib in self.given.sizes:
            found = {}
            for name, settings in (("inline", UNBOUNDED), ("uploads", UPLOADS)):
                seconds, requests = self.run("%s-%d" % (name, kib), self.given.files, kib << 10,
                                             self.given.jobs, settings)
                found[name] = median(seconds), requests.total / self.given.files / len(seconds)
                say("  %6d KiB  %-8s  %.2f s, %.2f requests a file"
                    % (kib, name, *found[name]))
            inline, uploads = found["inline"], found["uploads"]
            rows.append(["%s KiB" % number(kib), "%.2f s" % inline[0], "%.2f s" % uploads[0],
                         "%.2f" % (inline[0] / uploads[0]), "%.2f" % inline[1],
                         "%.2f" % uploads[1]])
        return harness.table(rows)

    def heaps(self):
        rows = [["driver's heap", *("%d MiB" % content for content in self.given.contents)]]
        for heap in self.given.heaps:
            row = [heap]
            for content in self.given.contents:
                row.append(self.outcome(heap, content))
                say("  heap %-5s %4d MiB of content: %s" % (heap, content, row[-1]))
            rows.append(row)
        return harness.table(rows)

    def outcome(self, heap, content):
        name = "heap-%s-%d" % (heap, content)
        try:
            # Penstock keeps to a part of the heap that Spark is set to; so the JVM is told of less.
            _, requests = self.run(
                name, content, 1 << 20, 1,
                {**UNBOUNDED, "spark.driver.memory": "64g"},
                {"_JAVA_OPTIONS": "-Xmx%s -XX:+ExitOnOutOfMemoryError" % heap})
            return "commits" if requests.total < 2 * content else "uploads"
        except harness.TooSlow:
            return "too slow"
        except harness.Problem:
            log = (harness.LOGS / (name + ".log")).read_text(errors="replace")
            return "no heap" if "OutOfMemoryError" in log else "fails"


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    ours = harness.penstock_jars(given.penstock_jars)
    arguments = ["--bandwidth", given.bandwidth] if given.bandwidth else []
    with harness.counted_store(given, ours, arguments) as store, \
            cluster.standalone(python, WORKERS, CORES) as master:
        bench = Bench(given, store, python, ours, master)
        where = "Spark %s, %d executors of %d cores, %s, latency %s, %s/s a connection" % (
            harness.spark_version(python), WORKERS, CORES, store.name, given.latency,
            given.bandwidth)
        say(where)
        tables = [
            "%d files, one a task; medians of %d jobs\n\n%s"
            % (given.files, given.jobs, bench.sizes())]
        if given.heaps:
            tables.append("Content in the messages of one job\n\n" + bench.heaps())
    print("\n%s\n%s\n\n%s" % (where, harness.machine(), "\n\n".join(tables)))
    return 0


harness.main(run)
