# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Runs the commands of bench/run hadoop-fs, each between two marks, in the JVM of a Spark session."""

import filecmp
import pathlib
import sys

from job import conf, counted, file_system, job, jvm, sc, say, spark

base = "s3a://%s/%s" % (job["bucket"], job["section"])
# Directories with 16 files at once; by default the shell copies one after the other.
THREADS = ("-t", "16")
source, target = pathlib.Path(job["source"]), pathlib.Path(job["target"])

hadoop = jvm.org.apache.hadoop
fs = file_system(base)


def tool(made, *arguments):
    words = sc._gateway.new_array(jvm.java.lang.String, len(arguments))
    for i, word in enumerate(arguments):
        words[i] = str(word)
    code = hadoop.util.ToolRunner.run(conf, made, words)
    if code != 0:
        sys.exit("%s ended with %d" % (" ".join(map(str, arguments)), code))


def shell(*arguments):
    tool(hadoop.fs.FsShell(), *arguments)


def distcp():
    tool(hadoop.tools.DistCp(conf, None), base + "/many", base + "/many-distcp")


COPIES = ("many-put-t", "many-copy", "many-copy-t", "many-distcp")
COMMANDS = {
    "put": lambda: shell("-put", source / "large", base + "/large"),
    "get": lambda: shell("-get", base + "/large", target / "large"),
    "cp": lambda: shell("-cp", base + "/large", base + "/large-copy"),
    "put-many": lambda: shell("-put", source / "many", base + "/many"),
    "put-many-t": lambda: shell("-put", *THREADS, source / "many", base + "/many-put-t"),
    "ls": lambda: shell("-ls", "-R", base + "/many"),
    "count": lambda: shell("-count", base + "/many"),
    "du": lambda: shell("-du", "-s", base + "/many"),
    "get-many": lambda: shell("-get", base + "/many", target / "many"),
    "get-many-t": lambda: shell("-get", *THREADS, base + "/many", target / "many-t"),
    "cp-many": lambda: shell("-cp", base + "/many", base + "/many-copy"),
    "cp-many-t": lambda: shell("-cp", *THREADS, base + "/many", base + "/many-copy-t"),
    "distcp": distcp,
    "rm": lambda: shell("-rm", "-r", "-skipTrash", base + "/many"),
}


def warm_up():
    """The JVM compiles, and the client learns the store."""
    small = source / "many" / "d000"
    shell("-mkdir", "-p", base)
    shell("-put", small, base + "/warm-up")
    shell("-cp", base + "/warm-up", base + "/warm-up-copy")
    shell("-count", base + "/warm-up")
    shell("-rm", "-r", "-skipTrash", base + "/warm-up", base + "/warm-up-copy")


def check():
    """All copies are whole."""
    files = [f.relative_to(source) for f in source.rglob("*") if f.is_file()]
    for file in files:
        if not filecmp.cmp(source / file, target / file, shallow=False):
            sys.exit("%s is not what was put" % file)
    for file in (source / "many").rglob("*"):
        copy = target / "many-t" / file.relative_to(source / "many")
        if file.is_file() and not filecmp.cmp(file, copy, shallow=False):
            sys.exit("%s is not what was put" % copy)
    sizes = {name: fs.getContentSummary(hadoop.fs.Path("%s/%s" % (base, name))).getLength()
             for name in ("large-copy", *COPIES)}
    expected = {"large-copy": job["megabytes"] << 20,
                **{name: job["files"] << 20 for name in COPIES}}
    if sizes != expected or fs.exists(hadoop.fs.Path(base + "/many")):
        sys.exit("sizes are %s" % sizes)


warm_up()
for command in job["commands"]:
    say(counted(command, COMMANDS[command]))
check()
shell("-rm", "-r", "-skipTrash", base)
spark.stop()
