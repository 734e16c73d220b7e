# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How fast does one task write one large file?

One task of Spark writes a text file (or several tasks one each), through Penstock and through S3A with its magic committer, both
with their defaults, in turn, on the same server. Each connection carries a limited number of bytes a
second, as with S3. A machine of few cores may be the limit instead: Spark, the counter and the server
all run on it. --bandwidth 10M shows the difference of the two writers on such a machine.
"""

import time

import harness
import variants
from harness import median, number, say

VARIANTS = variants.some("penstock", "magic-memory")


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.set_defaults(latency="30ms")
    parser.add_argument("--bandwidth", default="60M", metavar="SIZE",
                        help="a second, of a connection (default: %(default)s)")
    parser.add_argument("--megabytes", type=int, default=2048, metavar="MIB",
                        help="size of the file (default: %(default)s)")
    parser.add_argument("--tasks", type=int, default=1, metavar="N",
                        help="that write a file each, all at once (default: %(default)s)")
    parser.add_argument("--heap", default="2g", metavar="SIZE",
                        help="of the JVM (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE",
                        help="a setting of Spark for all, such as"
                             " spark.hadoop.penstock.upload.buffer=disk; may be repeated")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    if given.runs < 1 or given.megabytes < 1 or not set(given.variants) <= set(VARIANTS):
        parser.error("need a run, a megabyte, and variants of %s" % ", ".join(VARIANTS))
    return given


def one(given, store, python, ours, s3a, name):
    section = "%s-%d" % (name, int(time.time() * 1000))
    said = harness.run_spark(
        python, "lines.py",
        [store.endpoint, store.bucket, section, str(given.tasks), str(given.megabytes),
         str(1 << 20), "1"],
        store, variants.class_path(name, ours, s3a),
        {**VARIANTS[name][1], "spark.master": "local[%d]" % given.tasks,
         "spark.driver.memory": given.heap, **dict(pair.split("=", 1) for pair in given.conf)},
        name, given.timeout)
    requests = harness.sections(store.access_log)[section]
    return {"seconds": said[0]["seconds"][0], "cpu": said[0]["cpu"][0], "requests": requests.total}


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    runs = {name: [] for name in given.variants}
    with harness.counted_store(given, ours, ["--bandwidth", given.bandwidth]) as store:
        where = "Spark %s, local[%d], heap %s, %s, latency %s, %s/s a connection" % (
            version, given.tasks, given.heap, store.name, given.latency, given.bandwidth)
        what = "%d task%s, each one file of %s MiB" % (
            given.tasks, "" if given.tasks == 1 else "s", number(given.megabytes))
        say("%s; %s" % (what, where))
        for turn in range(given.runs):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                runs[name].append(one(given, store, python, ours, s3a, name))
                say("  %-18s %6.1f s, %5.1f s CPU, %d requests" % (
                    VARIANTS[name][0], *(runs[name][-1][k] for k in ("seconds", "cpu", "requests"))))
    rows = [["", "median", "MB/s", "CPU a GB", "requests", "all runs"]]
    for name, mine in runs.items():
        seconds = median([r["seconds"] for r in mine])
        gigabytes = given.tasks * given.megabytes * (1 << 20) / 1e9
        rows.append([
            VARIANTS[name][0], "%.1f s" % seconds, "%.0f" % (gigabytes * 1000 / seconds),
            "%.1f s" % (median([r["cpu"] for r in mine]) / gigabytes),
            number(mine[0]["requests"]), " ".join("%.1f" % r["seconds"] for r in mine) + " s"])
    print("\n%s\n%s\n%s\n\n%s" % (what, where, harness.machine(), harness.table(rows)))
    return 0


harness.main(run)
