# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Are the request budgets held, and is what was written what is read?

Runs many benchmarks at their smallest, on the embedded S3, without the alternatives, also in bad
weather and with a streaming query whose driver is killed or raced. Nothing is downloaded when
--spark-python is given. Times are not judged: this machine may be busy.

Exit code 0 when every count is within its budget and all content is right.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import harness
from bench import Bench
from harness import say

# A hundred small files by one request each, and six for the job.
COMMIT_BUDGET = 108
# A batch of a streaming query: above the files that it writes.
CHECKPOINT_BUDGET = 2
JAR_LIMIT_BYTES = 20_000_000
EMBEDDED = "--server embedded --timeout 300"
OURS = EMBEDDED + " --only penstock"
ONCE = OURS + " --no-goal --runs 1 --rows 4000 --cores 2"
COMMIT = "commit-requests %s --repetitions 1 --rows 10000 --files 100 --budget %d" % (
    OURS, COMMIT_BUDGET)
ALWAYS = [
    COMMIT,
    "checkpoint-requests %s --no-goal --repetitions 1 --latency none --warm-up 1 --batches 4"
    " --budget %d" % (OURS, CHECKPOINT_BUDGET),
]
# A checkpoint on a directory is as one on a mount, which not every machine lets us make.
PARTS = [[
    # A busy machine is slow by chance, and a hedge is no request that reading needs.
    "reads %s --rounds 1 --files 3 --rows 20000 --megabytes 8 --small 12 --latency none"
    " --bandwidth none --assert-budgets --conf spark.hadoop.penstock.hedge.enabled=false" % OURS,
    COMMIT + " --statement insert",
    "checkpoint-kills %s --providers changelog --kills 3 --files 4" % EMBEDDED,
], [
    "stragglers %s --files 10 --no-calm --rule *@0.05=stall:1s --only penstock,iceberg-engine"
    % ONCE,
    "dns %s --files 4 --assert-goal" % OURS,
    "analyze-scale %s --no-goal --requests 20000 --cluster-requests 20000 --trail-requests 10000"
    % EMBEDDED,
], [
    "many-files %s --rounds 1 --tasks 10 --partitions 150 --latency none --assert-budgets" % OURS,
    "checkpoint-kills %s --providers hdfs --kills 2 --files 3 --queries aggregate --checkpoints"
    " DIRECTORY" % EMBEDDED,
    "throttled %s --files 40 --no-calm" % ONCE,
], [
    "dstream-kills %s --places penstock,disk --kills 1 --latency none" % EMBEDDED,
    "table-formats %s --formats iceberg-jdbc" % OURS,
    "engine-cost %s --no-goal --operations get --threads 2 --jmh"
    " '-f 1 -wi 1 -w 100ms -i 1 -r 100ms' --runs 2 --files 4 --rows 4000" % EMBEDDED,
], [
    "filesystem-requests %s --repetitions 1 --assert-budgets" % OURS,
    "undo %s --files 300 --new-files 100 --latency none --requests 30" % EMBEDDED,
    "rdd-checkpoint-requests %s --partitions 4 --batches 4 --assert-budgets" % OURS,
    "commit-scale --no-goal --files 2000,6000 --rollback-files 2000",
], [
    "checkpoint-race %s --providers hdfs --trials 2 --files 4" % EMBEDDED,
    "faults %s --files 20" % ONCE,
    "analyze --no-goal --requests 60000 --trail-requests 20000 --runs 1 --rows 9 --scale 0.05",
]]
WITHOUT_SPARK = {"analyze": ["--penstock-jars"], "commit-scale": []}

case = Bench(__doc__, has_store=False, has_json=False)
case.parser.add_argument("--spark-python", metavar="PATH", help="a Python that has pyspark")
case.parser.add_argument("--penstock-jars", metavar="DIR", help="as in commit-requests")
case.parser.add_argument("--part", type=int, choices=range(1, len(PARTS) + 1),
                         help="only this part, besides the budgets that each run holds")
given = case.parse()


def is_held(words):
    """Whether the benchmark ended well."""
    name, *arguments = shlex.split(words)
    if name == "dns" and (os.geteuid() != 0 or not shutil.which("unshare")):
        say("skipped: bench/run dns needs root on Linux")
        return True
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, harness.BENCH / "run", name, "--json",
                   harness.WORK / ("smoke-%s.json" % name),
                   *(directory if word == "DIRECTORY" else word for word in arguments)]
        for option in WITHOUT_SPARK.get(name, ["--spark-python", "--penstock-jars"]):
            value = getattr(given, option.strip("-").replace("-", "_"))
            command += [option, value] if value else []
        benchmark = subprocess.Popen(command)
        try:
            return benchmark.wait() == 0
        except BaseException:
            benchmark.terminate()  # it has processes of its own to stop
            benchmark.wait(60)
            raise
        finally:
            print("-- %.0f s" % (time.monotonic() - start), flush=True)


def jar_is_small():
    folder = harness.pathlib.Path(given.penstock_jars or harness.HOME / "dist" / "target")
    size = (folder / "penstock-spark.jar").stat().st_size
    if size > JAR_LIMIT_BYTES:
        say("over budget: penstock-spark.jar is %d bytes, %d are allowed" % (size, JAR_LIMIT_BYTES))
    return size <= JAR_LIMIT_BYTES


def run():
    start = time.monotonic()
    chosen = sum(PARTS, []) if given.part is None else PARTS[given.part - 1]
    # All of them, so that one run tells everything that is over its budget.
    held = [is_held(words) for words in [*ALWAYS, *chosen]] + [jar_is_small()]
    print("\n%s in %.0f s" % ("all held" if all(held) else "FAILED, see above",
                              time.monotonic() - start))
    return 0 if all(held) else 1


case.main(run)
