# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A Spark driver that is told what to do, many things at a time, and looked at from outside."""

import collections
import contextlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading

import harness
from harness import Problem

COUNT = itertools.count(1)
READY_SECONDS = 180
# A driver that lives for a minute or two: what is compiled well never pays.
# With one compiler the JVM reserves 48 MB for code, which four rounds of Spark fill.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
# A line of a class histogram: number, instances, bytes, class.
CLASS = re.compile(r"^ *\d+: +\d+ +(\d+)  (\S+)", re.M)
INLINE = "spark.hadoop.penstock.commit.inline.file.max"
SETTINGS = {
    # These files are small, and uploads are what outages can lose.
    INLINE: "0",
    "spark.plugins": "io.penstock.spark.PenstockPlugin",
    "spark.master": "local[8]",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.streaming.metricsEnabled": "false",
    "spark.sql.streaming.minBatchesToRetain": "10",
    "spark.sql.streaming.stateStore.maintenanceInterval": "10s",
    # What Spark itself remembers of past jobs would look like a leak.
    "spark.ui.retainedJobs": "30",
    "spark.ui.retainedStages": "30",
    "spark.ui.retainedTasks": "300",
    "spark.sql.ui.retainedExecutions": "5",
    "spark.sql.streaming.ui.retainedQueries": "2",
    "spark.sql.streaming.ui.retainedProgressUpdates": "5",
    "spark.sql.streaming.numRecentProgressUpdates": "5",
    # Statuses of files that a DataFrame has listed stay until they are 250 MB.
    "spark.sql.hive.filesourcePartitionFileCacheSize": "0",
}


class Asked:
    """Something that a driver was told to do; it may still be under way."""

    def __init__(self, what):
        self.what = what
        self.done = threading.Event()
        self.answer = None

    def end(self, answer):
        self.answer = answer
        self.done.set()

    def wait(self, seconds):
        """Whether it is done by then."""
        return self.done.wait(max(0, seconds))

    @property
    def error(self):
        """The innermost cause in one line, or None when all went well."""
        if self.answer is None:
            return "not done"
        return short(self.answer["error"]) if self.answer["error"] else None

    @property
    def result(self):
        return self.answer["result"] if self.answer else None

    @property
    def seconds(self):
        return self.answer["seconds"] if self.answer else 0


def short(causes):
    """A chain of causes in one line: what S3 said, rather than that a task failed."""
    texts = [text.strip().splitlines()[0] for text in causes if text.strip()]
    ours = [text for text in texts if "penstock" in text] or texts
    return re.sub(r"\s+", " ", ours[-1] if ours else "no message")[:300]


class NoDriver(Problem):
    """Not even started: nothing that a test could go on after."""


class Session:
    """One driver from start to end, gone with all that it started when its block ends. It is ready
    when the block begins."""

    def __init__(self, setup, store, settings=None, memory="1g", java="", environment=None,
                 job="soak.py", base=SETTINGS, jars=None):
        self.number = next(COUNT)
        self.scratch = harness.RUN / ("session-%d" % self.number)
        self.spool = self.scratch / "spool"
        self.log = harness.made(harness.LOGS) / ("session-%03d.log" % self.number)
        self.log.unlink(missing_ok=True)
        self.asked, self.numbers = {}, itertools.count(1)
        self.lock = threading.Lock()
        self.ready = threading.Event()
        self.jvm = self.application = None
        self.is_gone = self.is_closed = False
        if isinstance(store, str):
            store = harness.Store("", store, "", harness.ACCESS_KEY, harness.SECRET_KEY, None)
        conf = harness.spark_conf(self.scratch, store, jars or [setup.jars / "penstock-spark.jar"], {
            **base,
            "spark.driver.memory": memory,
            "spark.driver.extraJavaOptions": "-XX:+UseG1GC -Xss4m " + java,
            "spark.hadoop.penstock.upload.buffer.dir": self.spool,
            **(settings or {})})
        self.spool.mkdir()
        with open(self.log, "ab") as err:
            self.process = subprocess.Popen(
                [str(setup.python), "-u", str(harness.JOBS / job)], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=err, text=True, cwd=self.scratch,
                start_new_session=True, env=harness.spark_environment(setup.python, {
                    "PYSPARK_SUBMIT_ARGS": "--properties-file %s pyspark-shell" % conf,
                    "SPARK_LOCAL_IP": "127.0.0.1",
                    "SPARK_LAUNCHER_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
                    **(environment or {})}))
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self):
        try:
            self.ready.wait(READY_SECONDS)
        except BaseException:
            self.close()
            raise
        if self.jvm is None:
            self.close()
            raise NoDriver("a driver ended at its start, or was not ready after %d s; see %s" % (
                READY_SECONDS, self.log))
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends it and all that it started; a second time does nothing."""
        if self.is_closed:
            return
        self.is_closed = True
        for how in (signal.SIGCONT, signal.SIGKILL):
            self.signal(how)
        self.process.wait(30)
        self.is_gone = True
        shutil.rmtree(self.scratch, ignore_errors=True)

    def signal(self, how):
        """To it and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)

    def _listen(self):
        for line in self.process.stdout:
            if not line.startswith("@"):
                continue
            said = json.loads(line[1:])
            if said.get("event") == "ready":
                self.jvm, self.application = said["jvm"], said["application"]
                self.ready.set()
            else:
                with self.lock:
                    asked = self.asked.pop(said["number"], None)
                if asked:
                    asked.end(said)
        with self.lock:
            self.is_gone = True
            left, self.asked = list(self.asked.values()), {}
        for asked in left:
            asked.end({"result": None, "seconds": 0, "error": ["the driver is gone"]})
        self.ready.set()

    def begin(self, do, **more):
        """Tells it to do something; what it answers comes into what is returned."""
        asked, number = Asked(do), next(self.numbers)
        with self.lock:
            if not self.is_gone:
                self.asked[number] = asked
        try:
            self.process.stdin.write(json.dumps({"do": do, "number": number, **more}) + "\n")
            self.process.stdin.flush()
        except (BrokenPipeError, OSError):
            self.is_gone = True
        if self.is_gone and not asked.done.is_set():
            asked.end({"result": None, "seconds": 0, "error": ["the driver is gone"]})
        return asked

    def ask(self, do, patience=600, **more):
        """Tells it to do something and waits until it is done."""
        asked = self.begin(do, **more)
        if not asked.wait(patience):
            self.stacks()
            raise Problem("%s was not done after %d s; see %s" % (do, patience, self.log))
        return asked

    def result(self, do, patience=600, **more):
        """As ask, for what must succeed."""
        asked = self.ask(do, patience, **more)
        if asked.error:
            raise Problem("%s failed: %s; see %s" % (do, asked.error, self.log))
        return asked.result

    def cancel(self, group, patience):
        """Cancels a group of jobs; its result is how long their tasks held their slots."""
        stopped = self.begin("cancel", group=group, patience=patience)
        stopped.wait(patience + 30)
        return stopped

    def stacks(self):
        """Where its threads are, into its log: for a driver that does nothing any more."""
        with open(self.log, "ab") as out, contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(["jstack", str(self.jvm)], stdout=out, stderr=out, timeout=30)

    def said(self, text):
        """How many lines of its log contain a text."""
        with open(self.log, errors="replace") as lines:
            return sum(text in line for line in lines)

    # ---- looked at from outside

    def classes(self):
        """Bytes in use of each class after a collection; nothing without a JDK's jcmd."""
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            text = subprocess.run(["jcmd", str(self.jvm), "GC.class_histogram"], text=True,
                                  capture_output=True, timeout=60, check=True).stdout
            return {name: int(size) for size, name in CLASS.findall(text)}
        return {}

    def facts(self):
        process = pathlib.Path("/proc/%d" % self.jvm)
        groups = collections.Counter(group(name) for name in thread_names(process))
        with contextlib.suppress(OSError):
            return {
                "threads": sum(groups.values()), "ours": groups["penstock"],
                "tasks": groups["Executor task l"], "groups": dict(groups.most_common(12)),
                "fds": len(os.listdir(process / "fd")),
                "spool": len(list(self.spool.glob("penstock-*.part"))),
                "rss": rss(process)}
        return {}


def thread_names(process):
    """As Linux has them: 15 characters."""
    for thread in process.glob("task/*/comm"):
        with contextlib.suppress(OSError):
            yield thread.read_text().strip()


def group(name):
    return "penstock" if name.startswith("penstock") else re.sub(r"[-#\s]*[\d-]+$", "", name)


def rss(process):
    with open(process / "statm") as sizes:
        return int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
