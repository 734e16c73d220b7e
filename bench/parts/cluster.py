# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A standalone Spark on this machine: a master and its workers."""

import contextlib
import pathlib
import subprocess

import harness
from soaking.session import SHORT_LIVED


@contextlib.contextmanager
def standalone(python, workers, cores, before_workers=(), memory="1g"):
    """A master and its workers on loopback, gone at the end; gives the master's URL. Each worker
    has an address of its own, for Spark runs no speculative copy on the host of the original. The
    words `before_workers` stand before a worker's command."""
    spark_class = spark_home(python) / "bin" / "spark-class"
    port = harness.free_port()
    url = "spark://127.0.0.1:%d" % port
    harness.RUN.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        def start(name, address, *arguments, before=()):
            stack.enter_context(harness.process(
                [*before, spark_class, "org.apache.spark.deploy." + name, "--host", address,
                 "--webui-port", "0", *arguments],
                harness.LOGS / "standalone.log", stdout=subprocess.DEVNULL, cwd=harness.RUN,
                env=harness.spark_environment(python, {"SPARK_LOCAL_IP": address})))
        start("master.Master", "127.0.0.1", "--port", str(port))
        for i in range(workers):
            start("worker.Worker", "127.0.0.%d" % (i + 1), "--cores", str(cores), "--memory", memory,
                  "--work-dir", harness.RUN / ("worker-%d" % i), url, before=before_workers)
        yield url


def executor_settings(case, master, cores, jar=None):
    """Of an application whose executors are all there from the beginning."""
    return {
        "spark.master": master,
        "spark.executor.cores": cores,
        "spark.executor.memory": "700m",
        "spark.executor.extraJavaOptions": SHORT_LIVED + " -XX:+UseSerialGC",
        "spark.executor.extraClassPath": jar or case.jars / "penstock-spark.jar",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "180s",
    }


def spark_home(python):
    asked = subprocess.run([str(python), "-c", "import pyspark; print(pyspark.__path__[0])"],
                           capture_output=True, text=True, check=True)
    return pathlib.Path(asked.stdout.strip())


def executors(application):
    """The processes of an application's executors on this machine: {executor id: pid}."""
    found = {}
    listed = subprocess.run(["ps", "-eww", "-o", "pid=,args="], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        words = line.split()
        # The worker's shell, if any, has the same words; Java's own come first in the real one.
        if ("org.apache.spark.executor.CoarseGrainedExecutorBackend" in words
                and application in words and words[1].endswith("java")):
            found[words[words.index("--executor-id") + 1]] = int(words[0])
    return found
