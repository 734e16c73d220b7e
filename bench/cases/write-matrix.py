# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does every way in which Spark writes leave the same on S3 as on a local disk?

bench/jobs/matrix.py has the cells: a write path, its formats and its catalogs. Each cell runs on
the local disk and on the store, with the plugin's defaults. Compared are: the rows that readers
find, the directories and the number of files in each, what the catalog says, the files, rows,
partitions and bytes that Spark reports, and errors. Exit code 1 when a cell differs that is not
known to differ. With --failing every file is an upload, and a fifth of the parts is refused, so
that tasks of many cells fail on S3 and are run again.
"""

import json
import re
import shutil

import cluster
import harness
from bench import Bench
from harness import say

CATALOGS = ("in-memory", "hive")
# A refused part fails its task. The driver would send parts only to test for conditional writes, so
# it is told that the store has them.
FAULTS = ["--faults", "UploadPart@0.2=412", "--seed", "14"]
SIGNS = {"same": "=", "different": "≠", "impossible": "-"}

# Cell (and catalog) -> why it differs. docs/guarantees.md says the same to users.
KNOWN = {
    "a job fails in an overwrite":
        "on a disk, Spark deletes the old data before it writes; Penstock keeps it",
}


case = Bench(__doc__)
case.option("--pythons", str, "Pythons with the Sparks to try, instead of one", "PATH,…")
case.option("--formats", "", "only these, of the cells that have formats", "NAME,…")
case.flag("--failing", "let tasks fail in many cells")
case.flag("--markdown", "print the table for the docs")
given = case.parse()
VARIANT = "penstock-uploads" if given.failing else "penstock"


def avro():
    """Spark's Avro data source, which is a jar of its own, of this Spark or of the same line."""
    library = next((cluster.spark_home(case.python) / "jars").glob("scala-library-*.jar"))
    scala = re.search(r"scala-library-(\d+\.\d+)", library.name).group(1)
    line = case.version.rpartition(".")[0]
    for candidate in (case.version, line + ".1", line + ".0"):
        try:
            artifact = "org.apache.spark:spark-avro_%s:%s" % (scala, candidate)
            return [harness.fetched("avro", artifact)]
        except harness.Problem:
            say("  there is no spark-avro %s" % candidate)
    return []


def cells_of_this_spark():
    jars, cells = avro(), []
    for catalog in CATALOGS:
        name = "matrix-%s-%s" % (case.version, catalog)
        disk = harness.made(harness.RUN / ("disk-" + name))
        said = case.spark("matrix.py", {
            "section": name, "catalog": catalog, "disk": str(disk),
            "only": given.formats and given.formats + ","}, name, VARIANT, {
                **({"spark.hadoop.penstock.conditional.writes": "true"} if given.failing else {}),
                "spark.master": "local[2,%d]" % (8 if given.failing else 2),
                "spark.sql.shuffle.partitions": "2",
                "spark.sql.adaptive.enabled": "false",
                "spark.sql.catalogImplementation": catalog,
                "spark.hadoop.javax.jdo.option.ConnectionURL":
                    "jdbc:derby:;databaseName=%s/metastore;create=true" % disk,
                "spark.hadoop.datanucleus.schema.autoCreateAll": "true",
                "spark.hadoop.hive.metastore.schema.verification": "false"}, jars)
        shutil.rmtree(disk, ignore_errors=True)
        cells += [{"spark": case.version, "catalog": catalog, **cell} for cell in said]
        counts = {verdict: sum(c["verdict"] == verdict for c in said) for verdict in SIGNS}
        say("  Spark %-6s %-10s %s" % (case.version, catalog, ", ".join(
            "%d %s" % (count, verdict) for verdict, count in counts.items())))
    return cells


def grid(cells):
    """A row for each write path and catalog, a column for each Spark; in it the formats by sign."""
    versions = sorted({c["spark"] for c in cells},
                      key=lambda v: [int(n) for n in re.findall(r"\d+", v)])
    rows = [["write path", "catalog", *versions]]
    for name, catalog in dict.fromkeys((c["cell"], c["catalog"]) for c in cells):
        row = [name, catalog]
        for version in versions:
            mine = [c for c in cells
                    if (c["cell"], c["catalog"], c["spark"]) == (name, catalog, version)]
            signs = []
            for verdict, sign in SIGNS.items():
                formats = [c["format"] for c in mine if c["verdict"] == verdict]
                if formats:
                    signs.append(("%s %s" % (sign, " ".join(formats))).strip())
            row.append("; ".join(signs))
        rows.append(row)
    return rows


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def run():
    pythons = given.pythons.split(",") if given.pythons else [given.spark_python]
    cells = []
    with harness.counted_store(given, case.jars, FAULTS if given.failing else []) as case.store:
        say("every write path on %s and on a local disk" % case.store.name)
        for python in pythons:
            case.python = harness.spark_python(python)
            case.version = harness.spark_version(case.python)
            cells += cells_of_this_spark()
        if given.failing:
            refused = sum("REST.PUT.PART" in line and " 412 " in line
                          for line in case.store.access_log.open(encoding="utf-8"))
            say("  %d parts were refused" % refused)
            if not refused:
                raise harness.Problem("no part was refused, so no task has failed")
    case.save(cells=cells)
    rows = grid(cells)
    print(markdown(rows) if given.markdown else harness.table(rows, left=9))
    reasons = sorted({"%s, %s: %s" % (c["cell"], c["format"], c["detail"])
                      for c in cells if c["verdict"] == "impossible"})
    print("\n= the same as on the disk; - Spark refuses it on both:\n  " + "\n  ".join(reasons))
    bad = [c for c in cells if c["verdict"] == "different"]
    for c in bad:
        detail = {k: v for k, v in c["detail"].items() if k != "trace"}
        print("≠ Spark %s, %s, %s, %s [disk, S3]: %s%s" % (
            c["spark"], c["catalog"], c["cell"], c["format"], json.dumps(detail)[:600],
            " (known: %s)" % KNOWN[c["cell"]] if c["cell"] in KNOWN else ""))
        for cause in c["detail"].get("trace") or []:
            print("    " + cause)
    return 1 if any(c["cell"] not in KNOWN for c in bad) else 0


case.main(run)
