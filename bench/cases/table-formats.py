# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests do Delta and Iceberg make through Penstock, and how many through S3A?

Each job creates a table and appends one file to it five times. Both use their own commit protocol
and the file system underneath; Iceberg has its Hadoop catalog with HadoopFileIO.
"""

import time

import harness
import tableformats
import variants
from harness import median, number, say
from tableformats import FORMATS

VARIANTS = variants.some("penstock", "s3a", "s3a-flags")


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.add_argument("--formats", default=",".join(FORMATS), metavar="NAME,…",
                        help="default: %(default)s")
    parser.add_argument("--appends", type=int, default=5, metavar="N", help="default: %(default)s")
    parser.add_argument("--repetitions", type=int, default=3, metavar="N",
                        help="of each (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    given = parser.parse_args()
    given.formats = given.formats.split(",")
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    if not set(given.formats) <= set(FORMATS) or not set(given.variants) <= set(VARIANTS):
        parser.error("there are the formats %s and the variants %s"
                     % (", ".join(FORMATS), ", ".join(VARIANTS)))
    return given


def measure(given, store, python, ours, s3a, kind):
    jars = tableformats.jars(kind)
    runs = {name: [] for name in given.variants}
    for _ in range(given.repetitions):
        for name in given.variants:
            section = "%s-%s-%d" % (kind, name, int(time.time() * 1000))
            said = harness.run_spark(
                python, "formats.py",
                [store.endpoint, store.bucket, section, kind, str(given.appends)],
                store, [*variants.class_path(name, ours, s3a), *jars],
                {**VARIANTS[name][1], **FORMATS[kind]["settings"]},
                "%s-%s" % (kind, name), given.timeout)
            requests = harness.sections(store.access_log)[section]
            runs[name].append((requests, said[0]["seconds"]))
            say("  %-8s %-10s %4d requests, %.1f s" % (
                kind, name, requests.total, said[0]["seconds"]))
    return runs


def table(given, kind, runs):
    rows = [[FORMATS[kind]["title"], "all", *harness.KINDS, "of S3A's", "median"]]
    for name, mine in runs.items():
        middle = sorted((r for r, _ in mine), key=lambda r: r.total)[len(mine) // 2]
        base = median([r.total for r, _ in runs["s3a"]]) if "s3a" in runs else None
        rows.append([
            VARIANTS[name][0], number(middle.total),
            *(number(middle.as_json()["kinds"].get(k, 0)) for k in harness.KINDS),
            "%.2f" % (middle.total / base) if base else "-",
            "%.1f s" % median([seconds for _, seconds in mine])])
    return harness.table(rows)


def run():
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    tables = []
    with harness.counted_store(given, ours) as store:
        where = "Spark %s, local[2], %s, latency %s" % (version, store.name, given.latency)
        say("a table is created, and %d files are appended; %s" % (given.appends, where))
        for kind in given.formats:
            tables.append(table(given, kind, measure(given, store, python, ours, s3a, kind)))
    print("\nA table and %d one-file appends, %d runs each\n%s\n%s\n\n%s" % (
        given.appends, given.repetitions, where, harness.machine(), "\n\n".join(tables)))
    return 0


harness.main(run)
