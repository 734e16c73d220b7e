# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What does Comet's native scan cost through Penstock, and what with Comet's own S3 client?

Reads two columns of a Parquet table, several times in one session each, so that the first turn has
a cold JVM. Through Penstock the requests are under its rate control and in its counts.
"""

import bench
import harness
import variants
from bench import Bench
from harness import number

COMET = "org.apache.datafusion:comet-spark-spark4.1_2.13:1.2.0"
NATIVE = {
    "spark.plugins": variants.PLUGIN["spark.plugins"] + ",org.apache.spark.CometPlugin",
    "spark.shuffle.manager": "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager",
    "spark.memory.offHeap.enabled": "true",
    "spark.memory.offHeap.size": "1g",
}
case = Bench(__doc__, {
    "spark": ("Spark's reader", variants.PLUGIN),
    "comet": ("Comet through Penstock", {
        **NATIVE, "spark.hadoop.fs.comet.libhdfs.schemes": "s3,s3a"}),
    "comet-own": ("Comet's own client", NATIVE),
}, latency="30ms")
case.option("--rows", 4000000)
case.option("--files", 8)
case.option("--turns", 3, "in a session")
case.option("--rounds", 2)
given = case.parse()


def one(name):
    native = name != "spark"
    jars = [harness.fetched("comet", COMET)] if native else []
    section = bench.section_name(name)
    job = {"section": section, "make": False, "native": native, "turns": given.turns}
    said = case.spark("comet.py", job, name, name, more_jars=jars)
    warm = bench.middle(said[1:] or said)
    requests = case.requests("%s-%d" % (section, given.turns - 1))
    return {"found": said[-1]["found"], "seconds": warm, "kinds": requests.kinds}


def run():
    with case.counted_store():
        case.spark("comet.py", {"make": True, "rows": given.rows, "files": given.files}, "make",
                   "spark")
        runs = case.rounds(given.rounds, one, lambda ran: "%.2f s" % ran["seconds"])
    bench.check_same({name: [{"rows": ran} for ran in mine] for name, mine in runs.items()})
    case.save(runs=runs)
    case.head("Two of three columns of %s rows in %d files, warm; %d sessions each" % (
        number(given.rows), given.files, given.rounds))
    print(bench.table_of("", {case.title(name): mine for name, mine in runs.items()}, {
        "seconds": bench.MEDIAN,
        "GET": lambda mine: number(mine[-1]["kinds"].get("GET", 0)),
        "LIST": lambda mine: number(mine[-1]["kinds"].get("LIST", 0)),
        "HEAD": lambda mine: number(mine[-1]["kinds"].get("HEAD", 0)),
    }))
    return 0


case.main(run)
