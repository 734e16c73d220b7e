# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The 22 queries of TPC-H: does Spark find what DuckDB finds, and how fast?

Penstock writes the tables and copies them back to the local disk, where DuckDB runs the same
queries. Then Penstock and S3A with its two streams run them, all with their defaults, in turn, on
the same server. Each session first runs all queries on a small database.
"""

import json
import math
import shutil
import subprocess
import zipfile

import harness
import variants
from bench import Bench, section_name
from harness import median, number, say

QUERIES = list(range(1, 23))
WARM_UP_SCALE = 0.01
# Spark's own test suite runs the queries of the TPC's specification from this jar.
QUERIES_JAR = "org.apache.spark:spark-sql_2.13:%s:jar:tests" % harness.SPARK
PACKAGES = ("tpchgen-cli==2.0.2", "duckdb==1.5.6")

case = Bench(__doc__, variants.some("penstock", "classic", "analytics"))
case.shaped_options()
case.option("--scale", 1.0, "of the database; 1 is 1 GB of text", "SF")
case.option("--rounds", 3)
case.numbers("--queries", ",".join(map(str, QUERIES)), "only these", known=QUERIES)
given = case.parse()
COPIES = harness.RUN / "tpch-copies"


# ---- what is needed

def tools():
    """Programs of a Python that has the generator and DuckDB."""
    return harness.python_with("tpch-tools", *PACKAGES).parent


def generated(programs, scale):
    """The tables as Parquet files of the local disk, one a table."""
    folder = harness.WORK / ("tpch-sf%g" % scale)
    if not (folder / "ready").exists():
        harness.step("generating the tables, scale %g" % scale,
                     [str(programs / "tpchgen-cli"), "-s", "%g" % scale, "--format", "parquet",
                      "--output-dir", str(folder)], "tpchgen.log")
        (folder / "ready").touch()
    return folder


def sql():
    """The text of each query."""
    jar = harness.fetched("tpch", QUERIES_JAR)
    with zipfile.ZipFile(jar) as opened:
        return {q: opened.read("tpch/q%d.sql" % q).decode() for q in given.queries}


# ---- the runs

def session(job, name, variant="penstock"):
    request = harness.made(harness.RUN) / "tpch-job.json"
    request.write_text(json.dumps(job))
    return case.spark("tpch.py", {"file": str(request)}, name, variant, {
        "spark.driver.memory": "4g", "spark.sql.shuffle.partitions": str(2 * given.slots)})


def one(name, texts):
    section = section_name(name)
    ran = session({"section": section, "queries": texts}, name, name)
    requests = case.requests(section)
    return {"queries": {str(q["query"]): q for q in ran}, "requests": requests.total,
            "operations": dict(requests.operations)}


def by_duckdb(programs, texts):
    request = harness.RUN / "duckdb.json"
    request.write_text(json.dumps({"tables": str(COPIES), "queries": texts}))
    done = subprocess.run([programs / "python", harness.JOBS / "tpch_duckdb.py", request],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise harness.Problem("DuckDB failed; see above")
    return json.loads(done.stdout)


# ---- what they found

def is_same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        # Spark rounds the average of decimals to six digits, DuckDB's is a floating number.
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)
    return a == b


def order(row):
    """By the cells that are exact first: rows that differ in the last digit keep their places."""
    return [str(cell) for cell in row if not isinstance(cell, float)] + [
        "%020.2f" % cell for cell in row if isinstance(cell, float)]


def difference(ours, theirs):
    if len(ours) != len(theirs):
        return "%d rows, DuckDB has %d" % (len(ours), len(theirs))
    for a, b in zip(sorted(ours, key=order), sorted(theirs, key=order)):
        if len(a) != len(b) or not all(map(is_same, a, b)):
            return "%s, DuckDB has %s" % (a, b)
    return None


def check(runs, reference):
    """Wrong rows are worse than slow ones."""
    for name, mine in runs.items():
        for query, ran in mine[-1]["queries"].items():
            wrong = difference(ran["rows"], reference[query])
            if wrong:
                raise harness.Problem("query %s, %s: %s" % (query, name, wrong))


def seconds(mine, query):
    return median([run["queries"][str(query)]["seconds"] for run in mine])


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def tables(runs):
    rows = [["query"] + [case.title(name) for name in runs]]
    for query in given.queries:
        rows.append([str(query)] + ["%.2f s" % seconds(mine, query) for mine in runs.values()])
    means = {name: geometric_mean([seconds(mine, q) for q in given.queries])
             for name, mine in runs.items()}
    rows.append(["geometric mean"] + ["%.2f s" % mean for mean in means.values()])
    rows.append(["against Penstock"] + ["%.2fx" % (mean / means.get("penstock", mean))
                                        for mean in means.values()])
    rows.append(["CPU"] + ["%.0f s" % median([sum(q["cpu"] for q in run["queries"].values())
                                              for run in mine]) for mine in runs.values()])
    for title, kind in (("requests", None), ("GET", "REST.GET.OBJECT"), ("HEAD", "REST.HEAD.OBJECT"),
                        ("list", "REST.GET.BUCKET")):
        rows.append([title] + [number(
            mine[-1]["operations"].get(kind, 0) if kind else mine[-1]["requests"])
            for mine in runs.values()])
    return harness.table(rows)


def run():
    case.prepare()
    programs = tools()
    source = {"database": generated(programs, given.scale),
              "warm-up": generated(programs, WARM_UP_SCALE)}
    texts = sql()

    def make():
        shutil.rmtree(COPIES, ignore_errors=True)
        session({"make": {name: str(folder) for name, folder in source.items()},
                 "copies": str(COPIES)}, "tpch-make")

    with case.shaped_store(make):
        say("  DuckDB runs the queries")
        reference = by_duckdb(programs, texts)
        runs = case.rounds(given.rounds, lambda name: one(name, texts), lambda ran: "%.1f s" % sum(
            query["seconds"] for query in ran["queries"].values()))
    check(runs, reference)
    case.save(runs=runs)
    case.head("TPC-H, scale %g, %d queries; all results as DuckDB's on the same files" % (
        given.scale, len(given.queries)))
    print(tables(runs) + "\n")
    return 0


case.main(run)
