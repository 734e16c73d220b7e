# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Does what we read from a Spark log agree with what the server counted?

Spark writes a partitioned table through S3A and reads it back, on a server that throttles, with the
HTTP client logged at DEBUG; once for each layout of the log. The requests that are read from the
log must be those of the server's access log: as many of each call, and as many throttled.

--jars and --spark-python take another S3A: Hadoop 3.3's and its SDK v1, for example.
"""

import collections
import os
import subprocess

import harness
from bench import Bench
from harness import Problem, number, say

LEVELS = """
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
"""
SDKS = ("com.amazonaws", "software.amazon.awssdk")
HTTP = (".thirdparty.apache.http.", ".thirdparty.org.apache.http.")
PATTERN = """appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %s
"""
PAGE = harness.HOME / "docs" / "analyze.md"


def page():
    """The lines that the documentation says to paste."""
    return PAGE.read_text(encoding="utf-8").split("```properties\n", 1)[1].split("```", 1)[0]


# name -> (layout, whether headers are logged)
LAYOUTS = {
    "spark": (PATTERN % "%d{yy/MM/dd HH:mm:ss.SSS} %p %c{1}: %m%n%ex", True),
    "hadoop": (PATTERN % "%d{ISO8601} [%t] %p %c (%F:%M(%L)) - %m%n", True),
    "structured": ("""appender.console.layout.type = JsonTemplateLayout
appender.console.layout.eventTemplateUri = classpath:org/apache/spark/SparkLayout.json
""", True),
    # What costs least. SDK v1 still says each answer; of v2 only the requests can be counted.
    "requests-only": (PATTERN % "%d{yy/MM/dd HH:mm:ss} %p %c{1}: %m%n%ex", False),
    # As docs/analyze.md#requests-from-the-logs-of-drivers-and-executors has it.
    "page": (None, True),
}
APIS = {
    "REST.COPY.OBJECT": "CopyObject", "REST.COPY.PART": "UploadPartCopy",
    "REST.DELETE.OBJECT": "DeleteObject", "REST.DELETE.UPLOAD": "AbortMultipartUpload",
    "REST.GET.BUCKET": "ListObjects", "REST.GET.OBJECT": "GetObject",
    "REST.GET.UPLOADS": "ListMultipartUploads", "REST.HEAD.BUCKET": "HeadBucket",
    "REST.HEAD.OBJECT": "HeadObject", "REST.POST.MULTI_OBJECT_DELETE": "DeleteObjects",
    "REST.POST.UPLOAD": "CompleteMultipartUpload", "REST.POST.UPLOADS": "CreateMultipartUpload",
    "REST.PUT.OBJECT": "PutObject", "REST.PUT.PART": "UploadPart",
}


case = Bench(__doc__, has_json=False, server="embedded")
case.names("--layouts", list(LAYOUTS), "of the log", ["spark", "hadoop", "structured", "page"])
case.option("--throttle", "20,30", "as in 'penstock weather'", "WRITES,READS")
case.option("--files", 12, "written")
case.option("--jars", harness.pathlib.Path, "with S3A and its SDK for the Spark of --spark-python",
            "DIR")
given = case.parse()


def s3a_jars():
    if given.jars is None:
        return list(harness.s3a_jars(case.version).values())
    jars = sorted(given.jars.glob("*.jar"))
    if not jars:
        raise Problem("no jars in %s; put hadoop-aws and its SDK's bundle there" % given.jars)
    return jars


def log_config(layout):
    if layout == "page":
        return written(layout, LEVELS + page())
    text, headers = LAYOUTS[layout]
    names = [sdk + ".request" for sdk in SDKS]
    for sdk, http in zip(SDKS, HTTP):
        names.append(sdk + http + "impl.execchain.MainClientExec")
        if headers:
            names.append(sdk + http + "headers")
    lines = LEVELS + text
    for i, name in enumerate(names):
        lines += "logger.l%d.name = %s\nlogger.l%d.level = debug\n" % (i, name, i)
    return written(layout, lines)


def written(layout, lines):
    config = harness.made(harness.RUN) / ("log4j2-%s.properties" % layout)
    config.write_text(lines)
    return config


def from_server(access_log):
    """{(call, status): requests}"""
    counted = harness.stretch(access_log, 0, os.path.getsize(access_log))
    found = collections.Counter()
    for (operation, status), requests in counted.answers.items():
        found[APIS.get(operation, operation), status] += requests
    return found


def from_client(log):
    said = subprocess.run(harness.bench_java(
        "io.penstock.bench.ClientLogCounts", log, jvm=["-Xmx256m"]), capture_output=True, text=True)
    if said.returncode != 0:
        raise Problem("the log %s cannot be read: %s" % (log, said.stderr.strip()[-300:]))
    found = collections.Counter()
    for line in said.stdout.splitlines():
        api, status, count = line.split(" ")
        found[api, status] += int(count)
    return found


def measure(layout, jars):
    """What the server counted, and what was read from the client's log."""
    name = "client-log-" + layout
    with case.counted_store("--throttle", given.throttle) as store:
        harness.run_spark(
            case.python, "partitioned.py", ["s3a://%s/%s" % (store.bucket, name), str(given.files)],
            store, jars,
            {"spark.driver.extraJavaOptions":
                 "-Dlog4j2.configurationFile=file:%s" % log_config(layout)},
            name, given.timeout)
        access_log = store.access_log
    return from_server(access_log), from_client(harness.LOGS / (name + ".log"))


def by_call(found, status=None):
    sums = collections.Counter()
    for (api, answer), requests in found.items():
        if status in (None, answer):
            sums[api] += requests
    return sums


def differences(server, client):
    """Calls of which the two do not say the same."""
    wrong = []
    for title, status in (("requests", None), ("throttled", "503")):
        counted, read = by_call(server, status), by_call(client, status)
        wrong += ["%s %s: the server counted %d, the log says %d"
                  % (api, title, counted[api], read[api])
                  for api in sorted(set(counted) | set(read)) if counted[api] != read[api]]
    return wrong


def run():
    jars = s3a_jars()
    rows, wrong = [["layout", "server", "throttled", "log", "throttled"]], []
    for layout in given.layouts:
        say("  " + layout)
        server, client = measure(layout, jars)
        rows.append([layout, *(number(sum(by_call(found, status).values()))
                               for found in (server, client) for status in (None, "503"))])
        wrong += ["%s: %s" % (layout, line) for line in differences(server, client)]
    case.head("Requests that the server counted, and that were read from Spark's log; %s"
              % ", ".join(jar.name for jar in jars))
    print(harness.table(rows))
    for line in wrong:
        say(line)
    return 1 if wrong else 0


case.main(run)
