# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests do Delta and Iceberg make through Penstock, and how many through S3A?

Each job creates a table and appends one file to it five times. Both use their own commit protocol
and the file system underneath; Iceberg has its Hadoop catalog with HadoopFileIO.
"""

import bench
import tableformats
import variants
from bench import Bench
from harness import number
from tableformats import FORMATS

case = Bench(__doc__, variants.some("penstock", "s3a", "s3a-flags"))
case.names("--formats", list(FORMATS))
case.option("--appends", 5)
case.option("--repetitions", 3, "of each")
given = case.parse()


def one(name, kind):
    section = bench.section_name("%s-%s" % (kind, name))
    said, = case.spark("formats.py", {"section": section, "kind": kind, "appends": given.appends},
                       "%s-%s" % (kind, name), name, FORMATS[kind]["settings"],
                       tableformats.jars(kind))
    requests = case.requests(section)
    return {"total": requests.total, "kinds": requests.kinds, "seconds": said["seconds"]}


def table(kind, runs):
    base = bench.middle(runs["s3a"], "total") if "s3a" in runs else None
    return bench.table_of(FORMATS[kind]["title"], {
        case.title(name): mine for name, mine in runs.items()}, {
            "all": lambda mine: number(bench.typical(mine)["total"]),
            **bench.kinds(lambda mine, kind: number(bench.typical(mine)["kinds"].get(kind, 0))),
            "of S3A's": lambda mine: (
                "%.2f" % (bench.typical(mine)["total"] / base) if base else "-"),
            "median": bench.median_of("seconds", "%.1f s")})


def run():
    with case.counted_store():
        runs = {kind: case.rounds(
            given.repetitions, lambda name: one(name, kind),
            lambda ran: "%-8s %4d requests, %.1f s" % (kind, ran["total"], ran["seconds"]))
                for kind in given.formats}
    case.save(runs=runs)
    case.head("A table and %d one-file appends, %d runs each" % (given.appends, given.repetitions))
    print("\n\n".join(table(kind, mine) for kind, mine in runs.items()))
    return 0


case.main(run)
