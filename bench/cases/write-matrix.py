# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does every way in which Spark writes leave the same on S3 as on a local disk?

bench/jobs/matrix.py has the cells: a write path, its formats and its catalogs. Each cell runs on the
local disk and on the store, with the plugin's defaults. Compared are: the rows that readers find, the
directories and the number of files in each, what the catalog says, the files, rows, partitions and
bytes that Spark reports, and errors. Exit code 1 when a cell differs that is not known to differ.
With --failing every file is an upload, and a fifth of the parts is refused, so that tasks of many
cells fail on S3 and are run again.
"""

import json
import pathlib
import re
import shutil
import subprocess

import harness
import variants
from harness import say

CATALOGS = ("in-memory", "hive")
# A refused part fails its task, which no request of the driver does.
FAULTS = ["--faults", "UploadPart@0.2=412", "--seed", "14"]
FAILING = {"spark.hadoop.penstock.commit.inline.file.max": "0"}
SIGNS = {"same": "=", "different": "≠", "impossible": "-"}

# Cell (and catalog) -> why it differs. docs/guarantees.md says the same to users.
KNOWN = {
    "a job fails in an overwrite":
        "on a disk, Spark deletes the old data before it writes; Penstock keeps it",
}


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    parser.add_argument("--pythons", type=lambda text: [
        pathlib.Path(p).absolute() for p in text.split(",")],
                        metavar="PATH,…", help="Pythons with the Sparks to try, instead of one")
    parser.add_argument("--formats", default="", metavar="NAME,…",
                        help="only these, of the cells that have formats (default: all)")
    parser.add_argument("--failing", action="store_true", help="let tasks fail in many cells")
    parser.add_argument("--markdown", action="store_true", help="print the table for the docs")
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "write-matrix.json",
                        metavar="FILE", help="all cells (default: bench/.work/write-matrix.json)")
    return parser.parse_args()


def avro(python, version):
    """Spark's Avro data source, which is a jar of its own, of this Spark or of the same line."""
    asked = subprocess.run(
        [str(python), "-c", "import glob, os, pyspark; print(glob.glob(os.path.join("
         "os.path.dirname(pyspark.__file__), 'jars', 'scala-library-*.jar'))[0])"],
        stdout=subprocess.PIPE, text=True, check=True)
    scala = re.search(r"scala-library-(\d+\.\d+)", asked.stdout).group(1)
    line = version.rpartition(".")[0]
    for candidate in (version, line + ".1", line + ".0"):
        try:
            return [harness.fetched("avro", "org.apache.spark:spark-avro_%s:%s" % (scala, candidate))]
        except harness.Problem:
            say("  there is no spark-avro %s" % candidate)
    return []


def cells_of(given, store, python, ours):
    version = harness.spark_version(python)
    path = variants.class_path("penstock", ours, {}) + avro(python, version)
    cells = []
    for catalog in CATALOGS:
        disk = harness.RUN / ("disk-%s-%s" % (version, catalog))
        disk.mkdir(parents=True)
        settings = {
            **variants.PLUGIN,
            "spark.master": "local[2,%d]" % (8 if given.failing else 2),
            **(FAILING if given.failing else {}),
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.adaptive.enabled": "false",
            "spark.hadoop.javax.jdo.option.ConnectionURL":
                "jdbc:derby:;databaseName=%s/metastore;create=true" % disk,
            "spark.hadoop.datanucleus.schema.autoCreateAll": "true",
            "spark.hadoop.hive.metastore.schema.verification": "false",
        }
        said = harness.run_spark(
            python, "matrix.py",
            [store.endpoint, store.bucket, "matrix-%s-%s" % (version, catalog), catalog, str(disk),
             given.formats and given.formats + ","],
            store, path, settings,
            "matrix-%s-%s" % (version, catalog), given.timeout)
        shutil.rmtree(disk, ignore_errors=True)
        for cell in said:
            cells.append({"spark": version, "catalog": catalog, **cell})
        counts = {verdict: sum(c["verdict"] == verdict for c in said) for verdict in SIGNS}
        say("  Spark %-6s %-10s %s" % (version, catalog, ", ".join(
            "%d %s" % (count, verdict) for verdict, count in counts.items())))
    return cells


def grid(cells):
    """A row for each write path and catalog, a column for each Spark; in it the formats by sign."""
    versions = sorted({c["spark"] for c in cells}, key=lambda v: [int(n) for n in re.findall(r"\d+", v)])
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
    given = options()
    pythons = given.pythons or [harness.spark_python(given.spark_python)]
    ours = harness.penstock_jars(given.penstock_jars)
    cells = []
    with harness.counted_store(given, ours, FAULTS if given.failing else []) as store:
        say("every write path on %s and on a local disk" % store.name)
        for python in pythons:
            cells += cells_of(given, store, python, ours)
        if given.failing:
            refused = sum("REST.PUT.PART" in line and " 412 " in line
                          for line in store.access_log.open(encoding="utf-8"))
            say("  %d parts were refused" % refused)
            if not refused:
                raise harness.Problem("no part was refused, so no task has failed")
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(cells, indent=1) + "\n")
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
    return 1 if any(c["cell"] not in KNOWN for c in bad) else 0


harness.main(run)
