# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The 22 queries of TPC-H: does Spark find what DuckDB finds, and how fast?

Penstock writes the tables and copies them back to the local disk, where DuckDB runs the same queries.
Then Penstock and S3A with its two streams run them, all with their defaults, in turn, on the same
server. Each session first runs all queries on a small database.
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys
import time
import zipfile

import harness
import shaped
import variants
from harness import median, number, say

VARIANTS = variants.some("penstock", "classic", "analytics")
QUERIES = list(range(1, 23))
WARM_UP_SCALE = 0.01
# Spark's own test suite runs the queries of the TPC's specification from this jar.
QUERIES_JAR = "org.apache.spark:spark-sql_2.13:%s:jar:tests" % harness.SPARK
PACKAGES = ("tpchgen-cli==2.0.2", "duckdb==1.5.6")


def options():
    parser = harness.parser(__doc__)
    harness.common_options(parser)
    shaped.options(parser)
    parser.add_argument("--scale", type=float, default=1, metavar="SF",
                        help="of the database; 1 is 1 GB of text (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default: %(default)s")
    parser.add_argument("--queries", metavar="N,…", help="only these (default: all 22)")
    parser.add_argument("--only", metavar="NAME,…", help="of %s, only these" % ", ".join(VARIANTS))
    parser.add_argument("--json", type=pathlib.Path, default=harness.WORK / "tpch.json",
                        metavar="FILE", help="default: bench/.work/tpch.json")
    given = parser.parse_args()
    given.variants = given.only.split(",") if given.only else list(VARIANTS)
    if given.rounds < 1 or not set(given.variants) <= set(VARIANTS):
        parser.error("need a round, and variants of %s" % ", ".join(VARIANTS))
    try:
        given.queries = [int(q) for q in given.queries.split(",")] if given.queries else QUERIES
    except ValueError:
        parser.error("--queries are numbers")
    if not set(given.queries) <= set(QUERIES):
        parser.error("queries are 1 to 22")
    return given


# ---- what is needed

def tools():
    """A Python that has the generator and DuckDB."""
    venv = harness.WORK / "tpch-tools"
    ready = venv / " ".join(PACKAGES).replace("/", "")
    if not ready.exists():
        harness.step("making a Python environment", [sys.executable, "-m", "venv", str(venv)],
                     "venv.log")
        harness.step("installing " + " and ".join(PACKAGES),
                     [str(venv / "bin" / "pip"), "install", *PACKAGES], "pip.log")
        ready.touch()
    return venv / "bin"


def generated(programs, scale):
    """The tables as Parquet files of the local disk, one a table."""
    folder = harness.WORK / ("tpch-sf%g" % scale)
    if not (folder / "ready").exists():
        harness.step("generating the tables, scale %g" % scale,
                     [str(programs / "tpchgen-cli"), "-s", "%g" % scale, "--format", "parquet",
                      "--output-dir", str(folder)], "tpchgen.log")
        (folder / "ready").touch()
    return folder


def sql(queries):
    """The text of each query."""
    jar = harness.fetched("tpch", QUERIES_JAR)
    with zipfile.ZipFile(jar) as opened:
        return {q: opened.read("tpch/q%d.sql" % q).decode() for q in queries}


# ---- the runs

def session(given, store, python, path, settings, name, job):
    job = {"endpoint": store.endpoint, "bucket": store.bucket, **job}
    request = harness.RUN / "tpch-job.json"
    request.write_text(json.dumps(job))
    return harness.run_spark(
        python, "tpch.py", [str(request)], store, path,
        {"spark.master": "local[%d]" % given.slots, "spark.driver.memory": "4g",
         "spark.sql.shuffle.partitions": str(2 * given.slots), **settings},
        name, given.timeout)


def one(given, store, python, path, settings, name, texts):
    section = "%s-%d" % (name, int(time.time() * 1000))
    ran = session(given, store, python, path, settings, name,
                  {"section": section, "queries": texts})
    requests = harness.sections(store.access_log)[section]
    return {"queries": {str(q["query"]): q for q in ran}, "requests": requests.total,
            "operations": dict(requests.operations)}


def by_duckdb(programs, copies, texts):
    request = harness.RUN / "duckdb.json"
    request.write_text(json.dumps({"tables": str(copies), "queries": texts}))
    done = subprocess.run([str(programs / "python"), str(harness.JOBS / "tpch_duckdb.py"), str(request)],
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


def tables(given, runs):
    rows = [["query"] + [VARIANTS[name][0] for name in runs]]
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
    given = options()
    python = harness.spark_python(given.spark_python)
    version = harness.spark_version(python)
    s3a = {} if given.variants == ["penstock"] else harness.s3a_jars(version)
    ours = harness.penstock_jars(given.penstock_jars)
    programs = tools()
    source = {"database": generated(programs, given.scale), "warm-up": generated(programs, WARM_UP_SCALE)}
    texts = sql(given.queries)
    copies = harness.RUN / "tpch-copies"
    penstock = [ours / "penstock-spark.jar"]

    def make(store):
        shutil.rmtree(copies, ignore_errors=True)
        session(given, store, python, penstock, VARIANTS["penstock"][1], "tpch-make",
                {"make": {name: str(folder) for name, folder in source.items()},
                 "copies": str(copies)})

    runs = {name: [] for name in given.variants}
    with shaped.store(given, ours, make) as store:
        say("  DuckDB runs the queries")
        reference = by_duckdb(programs, copies, texts)
        where = "Spark %s, local[%d], %s, latency %s, bandwidth %s a connection" % (
            version, given.slots, store.name, given.latency, given.bandwidth)
        for turn in range(given.rounds):
            for name in given.variants[:: 1 if turn % 2 == 0 else -1]:
                ran = one(given, store, python, variants.class_path(name, ours, s3a),
                          VARIANTS[name][1], name, texts)
                runs[name].append(ran)
                say("  %-10s %.1f s" % (name, sum(q["seconds"] for q in ran["queries"].values())))
    check(runs, reference)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(
        {"machine": harness.machine(), "where": where, "runs": runs}, indent=1) + "\n")
    print("\nTPC-H, scale %g, %d queries; all results as DuckDB's on the same files\n%s\n%s\n" % (
        given.scale, len(given.queries), where, harness.machine()))
    print(tables(given, runs) + "\n")
    return 0


harness.main(run)
