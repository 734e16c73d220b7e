# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A driver that does what it is told, a line of JSON at a time, and says in such lines what became
of it: writes and reads tables, runs streaming queries, cancels jobs, measures its own heap.

Every command runs in a thread of its own, so that many are under way at once; its answer carries
the command's id. Whatever fails is said and leaves the driver alive; it ends with its standard
input.
"""

import json
import re
import sys
import threading
import time
import traceback

from pyspark.sql import SparkSession, functions as f

SCHEMA = "id long, text string, p int"
SAYING = threading.Lock()
POLL_SECONDS = 0.02
IDLE = "ThreadPoolExecutor.getTask"
TASK = re.compile(r"(?:Array\(\")?Executor task launch worker for task [\d.]+ in stage (\d+)")
# Rows whose content is compared: how many, their sum, and a hash over all of them.
CONTENT = ("count(*)", "coalesce(sum(id), 0)", "coalesce(bit_xor(xxhash64(id, text)), 0)")
# The rows of one trigger of a stream, and how far they move its time.
STREAM_ROWS, STREAM_MILLIS, WINDOW_SECONDS = 200, 1000, 5
queries = {}


def say(**event):
    with SAYING:
        print("@" + json.dumps(event), flush=True)


# ---- batch jobs

def made(start, rows, tasks=8, width=64, by=4, step=1, sleep=None, fail=None, **_):
    """Rows that depend on their number alone; a row may sleep, and one may throw."""
    text = "rpad(sha2(cast(id as string), 256), %d, 'x')" % width
    if fail is not None:
        text = "if(id = %d, raise_error('a failure that is planned'), %s)" % (fail, text)
    if sleep:
        # Its result is the text 'null'; nothing of it is kept, but it must not be optimized away.
        text = "concat(substring(reflect('java.lang.Thread', 'sleep', %s), 1, 0), %s)" % (
            sleep, text)
    return spark.range(start, start + rows * step, step, tasks).selectExpr(
        "id", text + " as text", "cast(id %% %d as int) as p" % by)


def write(path, mode="append", dynamic=False, partitioned=False, format="parquet", records=None,
          options=None, **rows):
    writer = made(**rows).write.mode(mode).format(format)
    for name, value in (options or {}).items():
        writer = writer.option(name, value)
    if dynamic:
        writer = writer.option("partitionOverwriteMode", "dynamic")
    if records:
        writer = writer.option("maxRecordsPerFile", records)
    (writer.partitionBy("p") if partitioned else writer).save(path)


def rows_of(path, format="parquet", times=1, sleep=None, base=None):
    reader = spark.read.schema(SCHEMA).format(format)
    if base:
        reader = reader.option("basePath", base)
    rows = reader.load(path)
    for _ in range(times - 1):
        rows = rows.unionAll(reader.load(path))
    if sleep:
        rows = rows.withColumn("text", f.expr(
            "concat(substring(reflect('java.lang.Thread', 'sleep', %s), 1, 0), text)" % sleep))
    return rows


def content(rows):
    return list(rows.agg(*map(f.expr, CONTENT)).first())


def by_partition(rows):
    return {str(row[0]): list(row[1:]) for row in rows.groupBy("p").agg(*map(f.expr, CONTENT)).collect()}


def read(path, parts=False, **how):
    rows = rows_of(path, **how)
    return by_partition(rows) if parts else content(rows)


def written(path, size):
    """How many rows of each job are there; the first row's number of each is a multiple of a size."""
    jobs = (spark.read.schema(SCHEMA).parquet(path)
            .groupBy(f.expr("cast(id div %d as int)" % size).alias("job")).count())
    return {str(row["job"]): row["count"] for row in jobs.collect()}


def expect(parts=False, **rows):
    """What a table of these rows must hold; asks no store."""
    plain = made(**{**rows, "sleep": None, "fail": None})
    return by_partition(plain) if parts else content(plain)


def text_of(path):
    """A small file's content, also of one whose name hides it."""
    file = jvm.org.apache.hadoop.fs.Path(path)
    stream = file.getFileSystem(sc._jsc.hadoopConfiguration()).open(file)
    try:
        return jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
    finally:
        stream.close()


# ---- streams

def rate():
    return (spark.readStream.format("rate-micro-batch")
            .option("rowsPerBatch", STREAM_ROWS).option("numPartitions", 2)
            .option("startTimestamp", 0).option("advanceMillisPerBatch", STREAM_MILLIS).load())


def start_stream(name, path, sink, provider=None):
    """A query that counts: all rows by key into memory, or windows of time into Parquet."""
    if provider:
        spark.conf.set("spark.sql.streaming.stateStore.providerClass", provider)
    else:
        spark.conf.unset("spark.sql.streaming.stateStore.providerClass")
    if sink == "memory":
        rows = rate().groupBy((f.col("value") % 50).alias("key")).count()
        writer = rows.writeStream.outputMode("complete").format("memory").queryName(name)
    else:
        rows = (rate().withWatermark("timestamp", "0 seconds")
                .groupBy(f.window("timestamp", "%d seconds" % WINDOW_SECONDS)).count()
                .selectExpr("window.start", "count"))
        writer = (rows.writeStream.outputMode("append").format("parquet").queryName(name)
                  .option("path", path + "/sink"))
    queries[name] = [writer.option("checkpointLocation", path + "/checkpoint").start(), sink, path]


def streams():
    found = {}
    for name, (query, *_) in queries.items():
        error = None if query.isActive else query.exception()
        last = query.lastProgress
        found[name] = {
            "active": query.isActive, "error": causes(error) if error else None,
            "batch": last["batchId"] if last else -1,
            "millis": last["durationMs"].get("triggerExecution") if last else None}
    return found


def stop_stream(name):
    """Stops it, and compares what it wrote with what must be there after so many batches."""
    query, sink, path = queries.pop(name)
    last = query.lastProgress
    query.stop()
    done = last["batchId"] + 1 if last else 0
    if sink == "memory":
        return memory_problem(name, done)
    return sink_problem(path, done)


def memory_problem(name, done):
    counts = [row["count"] for row in spark.table(name).collect()]
    # Another batch may have been done between the last progress and the stop.
    wrong = len(counts) != 50 or len(set(counts)) != 1 or (
        sum(counts) < done * STREAM_ROWS or sum(counts) % STREAM_ROWS)
    if done and wrong:
        return "%d batches of %d rows, but counted %d in %d keys" % (
            done, STREAM_ROWS, sum(counts), len(counts))
    return None


def sink_problem(path, done):
    in_window = WINDOW_SECONDS * 1000 // STREAM_MILLIS * STREAM_ROWS
    # Every window but the one whose time is not over, and one that may wait for the next batch.
    closed = done * STREAM_MILLIS // (WINDOW_SECONDS * 1000) - 2
    if closed < 1:
        return None
    found = sorted((row["start"], row["count"])
                   for row in spark.read.parquet(path + "/sink").collect())
    starts = [start.timestamp() for start, _ in found]
    gaps = [b - a for a, b in zip(starts, starts[1:]) if b - a != WINDOW_SECONDS]
    wrong = [count for _, count in found if count != in_window]
    if len(found) < closed or gaps or wrong:
        return "%d windows of at least %d, %d gaps or doubles, %d wrong counts" % (
            len(found), closed, len(gaps), len(wrong))
    return None


# ---- slots and memory

def stacks():
    """The upper frames of all threads, a text for each; one call, however many there are. Scala
    makes a text of any array, for which py4j finds no method of Java's."""
    threads = jvm.java.lang.management.ManagementFactory.getThreadMXBean().dumpAllThreads(
        False, False)
    return jvm.scala.runtime.ScalaRunTime.stringOf(threads).split(', "')


def busy(stages=None):
    """Tasks that hold a slot of this driver, also those that the scheduler has given up. A thread
    keeps the name of its last task, so one that waits for the next is told by its stack."""
    found = [TASK.match(text) for text in stacks() if IDLE not in text]
    return sum(stages is None or int(task[1]) in stages for task in found if task)


def stages_of(group):
    tracker = sc.statusTracker()
    found = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    return {stage for info in found if info for stage in info.stageIds}


def cancel(group, patience):
    """Cancels a group of jobs; the seconds until none of its tasks holds a slot."""
    stages = stages_of(group)
    start = time.monotonic()
    sc.cancelJobGroup(group)
    while time.monotonic() - start < patience:
        if busy(stages) == 0:
            return time.monotonic() - start
        time.sleep(POLL_SECONDS)
    raise TimeoutError("%d slots are still held %d s after the cancel" % (busy(stages), patience))


def completed(group):
    """Tasks of a group that have ended."""
    infos = map(sc.statusTracker().getStageInfo, stages_of(group))
    return sum(info.numCompletedTasks for info in infos if info)


def heap():
    """Bytes in use after a collection. A reference that the first one clears frees more in the
    second."""
    runtime = jvm.java.lang.Runtime.getRuntime()
    jvm.java.lang.System.gc()
    jvm.java.lang.System.gc()
    return runtime.totalMemory() - runtime.freeMemory()


# ---- being told

def causes(e):
    """The messages of an exception and of what caused it, the outermost first."""
    thrown = getattr(e, "java_exception", None) or getattr(e, "_origin", None)
    if not hasattr(thrown, "getCause"):
        return [traceback.format_exception_only(type(e), e)[-1].strip(), str(e)[:2000]]
    texts = []
    while thrown is not None and len(texts) < 20:
        texts.append(str(thrown.toString())[:2000] + failed_in(thrown))
        thrown = thrown.getCause()
    return texts


def failed_in(thrown):
    """The method of Spark whose assertion failed: most of them have no words."""
    if not thrown.toString().startswith("java.lang.AssertionError"):
        return ""
    frames = [frame.toString() for frame in thrown.getStackTrace()]
    return ", in " + next((frame for frame in frames if "org.apache.spark" in frame), "no frame")


COMMANDS = {"write": write, "read": read, "written": written, "text_of": text_of, "expect": expect,
            "start_stream": start_stream, "streams": streams, "stop_stream": stop_stream,
            "busy": busy, "cancel": cancel, "completed": completed, "heap": heap}


def do(command):
    name, number = command.pop("do"), command.pop("number")
    start = time.monotonic()
    try:
        group = command.pop("job", None)
        if group:
            sc.setJobGroup(group, group, interruptOnCancel=command.pop("interrupt", True))
        answer = {"result": COMMANDS[name](**command), "error": None}
    except BaseException as e:  # whatever it is, it is the result
        answer = {"result": None, "error": causes(e)}
    say(number=number, seconds=time.monotonic() - start, **answer)


spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
jvm = sc._jvm


def serve():
    """Does what it is told until its input ends."""
    say(event="ready", application=sc.applicationId,
        jvm=jvm.java.lang.ProcessHandle.current().pid())
    for line in sys.stdin:
        threading.Thread(target=do, args=[json.loads(line)], daemon=True).start()


if __name__ == "__main__":
    serve()
