# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many requests do Delta and Iceberg make through Penstock, and how many through S3A and S3FileIO?

Each session does 20 steps with one table of 4 partitions, such as people do them. Both formats use
their own commit protocol and the file system underneath. Iceberg has its Hadoop catalog with
HadoopFileIO, and its JDBC catalog (on SQLite) with HadoopFileIO and with its own S3FileIO. All must
read the same.
"""

import bench
import harness
import tableformats
import variants
from bench import Bench
from harness import number

FILE_IO = "s3fileio"
VARIANTS = {**variants.some("penstock", "s3a", "s3a-flags"), FILE_IO: ("S3FileIO", {})}
KINDS = {
    "delta": ("Delta 4.4.0", "delta"),
    "iceberg": ("Iceberg 1.12.0, Hadoop catalog", "iceberg"),
    "iceberg-jdbc": ("Iceberg 1.12.0, JDBC catalog", "iceberg"),
}

case = Bench(__doc__, VARIANTS, ["penstock", "s3a", FILE_IO])
case.names("--formats", {name: title for name, (title, _) in KINDS.items()})
case.option("--repetitions", 1, "of each")
given = case.parse()


def set_up(kind, name, warehouse):
    """Settings and jars."""
    jars = tableformats.jars(KINDS[kind][1])
    settings = dict(tableformats.FORMATS[KINDS[kind][1]]["settings"])
    if kind == "delta":
        settings["spark.sql.warehouse.dir"] = "s3a://%s/%s" % (given.bucket, warehouse)
    else:
        settings.update(tableformats.catalog(case.store, given.bucket, name == FILE_IO, warehouse))
    if kind == "iceberg-jdbc":
        jars.append(harness.fetched("formats", tableformats.SQLITE))
        settings = tableformats.jdbc(settings, warehouse)
    if name == FILE_IO:
        jars.append(harness.fetched("formats", tableformats.S3_FILE_IO))
    return {"settings": settings, "more_jars": jars}


def one(kind, name):
    section = bench.section_name("%s-%s" % (kind, name))
    return case.counted("formats.py", {"kind": KINDS[kind][1]}, name, name=section,
                        **set_up(kind, name, section))


def suits(kind, name):
    return name != FILE_IO or kind == "iceberg-jdbc"


def table(kind, runs):
    steps = list(next(iter(runs.values()))[0])
    rows = {step.replace("-", " "): step for step in steps}

    def count(name, step):
        return bench.middle([run[step] for run in runs[name]], "requests")
    text = bench.table_of(KINDS[kind][0], {**rows, "all": None}, {
        case.title(name): lambda step, name=name: number(int(
            count(name, step) if step else sum(count(name, one) for one in steps)))
        for name in runs})
    kinds = {case.title(name): {kind: sum(run[step]["kinds"].get(kind, 0) for step in steps)
                                for kind in harness.KINDS}
             for name, (run, *_) in runs.items()}
    return "%s\n\n%s" % (text, bench.table_of("by kind", kinds, {
        kind: lambda mine, kind=kind: number(mine[kind]) for kind in harness.KINDS}))


def run():
    with case.counted_store():
        runs = {kind: case.rounds(
            given.repetitions, lambda name, kind=kind: one(kind, name),
            lambda ran: "%4d requests, %.1f s" % tuple(
                sum(step[what] for step in ran.values()) for what in ("requests", "seconds")),
            names=[name for name in given.variants if suits(kind, name)])
                for kind in given.formats}
    for kind, mine in runs.items():
        bench.check_same(mine, kind + ", ")
    case.save(runs=runs)
    case.head("20 steps with one table, median of %d" % given.repetitions)
    print("\n\n".join(table(kind, mine) for kind, mine in runs.items()))
    return 0


case.main(run)
