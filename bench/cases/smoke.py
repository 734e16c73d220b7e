# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Are the request budgets held, and is what was written what is read?

Runs many benchmarks at their smallest, on the embedded S3, without the alternatives, also in bad
weather and with a streaming query whose driver is killed or raced. Nothing is downloaded when
--spark-python is given. Times are not judged: this machine may be busy.

Exit code 0 when every count is within its budget and all content is right.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parent.parent
# A hundred small files by one request each, and six for the job.
COMMIT_BUDGET = 108
# A batch of a streaming query: above the files that it writes.
CHECKPOINT_BUDGET = 2
JAR_LIMIT_BYTES = 20_000_000
OURS = ("--only", "penstock")
ONCE = ("--no-goal", "--runs", "1", "--rows", "4000", "--cores", "2")


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spark-python", metavar="PATH", help="a Python that has pyspark")
    parser.add_argument("--penstock-jars", metavar="DIR", help="as in commit-requests")
    parser.add_argument("--third", type=int, choices=(1, 2, 3),
                        help="only this third, besides the budgets that each run holds")
    return parser.parse_args()


def run(name, given, *arguments):
    """Whether the benchmark ended well."""
    command = [sys.executable, str(BENCH / "run"), name, "--server", "embedded", "--timeout", "300",
               "--json", str(BENCH / ".work" / ("smoke-%s.json" % name)), *arguments]
    for option, value in (("--spark-python", given.spark_python),
                          ("--penstock-jars", given.penstock_jars)):
        if value:
            command += [option, value]
    benchmark = subprocess.Popen(command)
    try:
        return benchmark.wait() == 0
    except BaseException:
        benchmark.terminate()  # it has processes of its own to stop
        benchmark.wait(60)
        raise


def timed(benchmark):
    start = time.monotonic()
    is_held = benchmark()
    print("-- %.0f s" % (time.monotonic() - start), flush=True)
    return is_held


def checkpoints_on_a_directory(given):
    """As on a mount, which not every machine lets us make."""
    with tempfile.TemporaryDirectory() as directory:
        return run("checkpoint-kills", given, "--providers", "hdfs", "--kills", "2", "--files", "3",
                   "--queries", "aggregate", "--checkpoints", directory)


def dns(given):
    if os.geteuid() != 0 or not shutil.which("unshare"):
        print("skipped: bench/run dns needs root on Linux", file=sys.stderr)
        return True
    return run("dns", given, *OURS, "--files", "4", "--assert-goal")


def analyze(given):
    """Its benchmark has no server and no Spark."""
    command = [sys.executable, str(BENCH / "run"), "analyze", "--no-goal", "--requests", "60000",
               "--trail-requests", "20000", "--runs", "1", "--rows", "9", "--scale", "0.05",
               "--json", str(BENCH / ".work" / "smoke-analyze.json")]
    if given.penstock_jars:
        command += ["--penstock-jars", given.penstock_jars]
    return subprocess.run(command).returncode == 0


def commit_scale():
    """Nor has that of huge commits."""
    command = [sys.executable, str(BENCH / "run"), "commit-scale", "--no-goal", "--files", "2000,6000",
               "--rollback-files", "2000", "--json",
               str(BENCH / ".work" / "smoke-commit-scale.json")]
    return subprocess.run(command).returncode == 0


def jar_is_small(given):
    folder = pathlib.Path(given.penstock_jars or BENCH.parent / "dist" / "target")
    size = (folder / "penstock-spark.jar").stat().st_size
    if size > JAR_LIMIT_BYTES:
        print("over budget: penstock-spark.jar is %d bytes, %d are allowed"
              % (size, JAR_LIMIT_BYTES), file=sys.stderr)
    return size <= JAR_LIMIT_BYTES


def main():
    given = options()
    start = time.monotonic()
    always = [
        lambda: run("commit-requests", given, *OURS, "--repetitions", "1", "--rows", "10000",
                    "--files", "100", "--budget", str(COMMIT_BUDGET)),
        lambda: run("reads", given, *OURS, "--rounds", "1", "--files", "3", "--rows", "20000",
                    "--megabytes", "8", "--small", "12", "--latency", "none", "--bandwidth", "none",
                    # A busy machine is slow by chance, and a hedge is no request that reading needs.
                    "--assert-budgets", "--conf", "spark.hadoop.penstock.hedge.enabled=false"),
        lambda: run("checkpoint-requests", given, *OURS, "--no-goal", "--repetitions", "1",
                    "--latency", "none", "--warm-up", "1", "--batches", "4",
                    "--budget", str(CHECKPOINT_BUDGET)),
        lambda: jar_is_small(given),
    ]
    thirds = [
        [
            lambda: run("commit-requests", given, *OURS, "--repetitions", "1", "--rows", "10000",
                        "--files", "100", "--budget", str(COMMIT_BUDGET), "--statement", "insert"),
            lambda: run("checkpoint-kills", given, "--providers", "changelog", "--kills", "3",
                        "--files", "4"),
            lambda: run("stragglers", given, *OURS, *ONCE, "--files", "10", "--no-calm",
                        "--rule", "*@0.05=stall:1s"),
            lambda: dns(given),
            lambda: run("analyze-scale", given, "--no-goal", "--requests", "20000",
                        "--cluster-requests", "20000", "--trail-requests", "10000"),
        ],
        [
            lambda: run("many-files", given, *OURS, "--rounds", "1", "--tasks", "10",
                        "--partitions", "150", "--latency", "none", "--assert-budgets"),
            lambda: checkpoints_on_a_directory(given),
            lambda: run("dstream-kills", given, "--places", "penstock,disk", "--kills", "1",
                        "--latency", "none"),
            lambda: run("throttled", given, *OURS, *ONCE, "--files", "40", "--no-calm"),
            lambda: run("engine-cost", given, "--no-goal", "--operations", "get", "--threads", "2",
                        "--jmh", "-f 1 -wi 1 -w 100ms -i 1 -r 100ms",
                        "--runs", "2", "--files", "4", "--rows", "4000"),
        ],
        [
            lambda: run("filesystem-requests", given, *OURS, "--repetitions", "1",
                        "--assert-budgets"),
            lambda: run("rdd-checkpoint-requests", given, *OURS, "--partitions", "4",
                        "--batches", "4", "--assert-budgets"),
            lambda: run("checkpoint-race", given, "--providers", "hdfs", "--trials", "2",
                        "--files", "4"),
            lambda: run("faults", given, *OURS, *ONCE, "--files", "20"),
            lambda: analyze(given),
            commit_scale,
        ],
    ]
    chosen = [one for third in thirds for one in third] if given.third is None else (
        thirds[given.third - 1])
    # All of them, so that one run tells everything that is over its budget.
    held = [timed(one) for one in [*always, *chosen]]
    print("\n%s in %.0f s" % ("all held" if all(held) else "FAILED, see above",
                              time.monotonic() - start))
    return 0 if all(held) else 1


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
try:
    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
