# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: the parts they need, the processes they start, and how requests are
counted. Python's standard library only.

Requests are counted by `penstock weather`, as a proxy before a store or as the store itself. It
writes an access log; the job puts a marker request before and after what is measured, and what
lies between two markers in the log is what was asked.
"""

import argparse
import collections
import contextlib
import datetime
import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

BENCH = pathlib.Path(__file__).resolve().parent.parent
HOME = BENCH.parent
WORK = BENCH / ".work"
JOBS = BENCH / "jobs"
SCRIPT = pathlib.Path(sys.argv[0]).name.split()[-1]
LOGS = WORK / "logs" / SCRIPT
# Of this run alone, so that two benchmarks do not get in each other's way; gone at its end.
RUN = WORK / ("run-%d" % os.getpid())

SPARK = "4.1.2"
# By version of Spark: the S3A of its Hadoop, and the SDK and the analytics stream which that
# hadoop-aws is built with.
S3A_JARS = {
    SPARK: {
        "hadoop-aws": "org.apache.hadoop:hadoop-aws:3.4.2",
        "bundle": "software.amazon.awssdk:bundle:2.29.52",
        "analyticsaccelerator-s3":
            "software.amazon.s3.analyticsaccelerator:analyticsaccelerator-s3:1.2.1",
        "spark-hadoop-cloud": "org.apache.spark:spark-hadoop-cloud_2.13:" + SPARK,
    },
    # Without S3A's committers: Maven Central has no spark-hadoop-cloud of it.
    "4.3.0": {
        "hadoop-aws": "org.apache.hadoop:hadoop-aws:3.5.0",
        "bundle": "software.amazon.awssdk:bundle:2.35.4",
        "analyticsaccelerator-s3":
            "software.amazon.s3.analyticsaccelerator:analyticsaccelerator-s3:1.3.1",
    },
}
COPY_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"

BUCKET = "bench"
ACCESS_KEY = "penstock-bench"
SECRET_KEY = "penstock-bench-secret"
REGION = "us-east-1"


class Problem(Exception):
    """Something that the user can put right; the text says how."""


class TooSlow(Problem):
    """A Spark session was given up."""


def say(text=""):
    print(text, file=sys.stderr, flush=True)


def made(directory):
    """The directory, which is there now."""
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def main(run):
    """Runs a benchmark: every error one line, every process gone at the end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(run())
    except Problem as e:
        say("%s: %s" % (SCRIPT, e))
        sys.exit(1)
    except KeyboardInterrupt:
        say("\nstopped; nothing is left running")
        sys.exit(130)
    finally:
        shutil.rmtree(RUN, ignore_errors=True)


def common_options(parser):
    parser.add_argument(
        "--server", default="minio", metavar="WHICH",
        help="minio (started here), embedded (Penstock's own), or the URL of an S3 endpoint whose"
        " keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (default: minio)")
    parser.add_argument(
        "--bucket", default=BUCKET, help="made when it is missing (default: %(default)s)")
    parser.add_argument(
        "--latency", default="none", metavar="LAW",
        help="added before each answer, as in 'penstock weather': 30ms, s3, … (default: %(default)s)")
    parser.add_argument(
        "--spark-python", type=pathlib.Path, metavar="PATH",
        help="a Python that has pyspark; otherwise one with pyspark %s is made in bench/.work"
        % SPARK)
    parser.add_argument(
        "--penstock-jars", type=pathlib.Path, metavar="DIR",
        help="measure the jars in this directory; otherwise './penstock jar' builds them")
    parser.add_argument(
        "--timeout", type=int, default=900, metavar="SECONDS",
        help="give a Spark session up after so long (default: %(default)s)")


# ---- what is needed

def java():
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=home + "/bin") if home else shutil.which("java")
    if not found:
        raise Problem("no java found; install a JDK 17 or later, or set JAVA_HOME")
    return found


def step(what, command, log_name, **more):
    """Runs a command that prepares something, with its output in a log."""
    log = LOGS / log_name
    log.parent.mkdir(parents=True, exist_ok=True)
    say("  " + what)
    with open(log, "wb") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        tail = "\n    ".join(log.read_text(errors="replace").strip().splitlines()[-8:])
        raise Problem("%s failed (exit %d); the end of %s:\n    %s"
                      % (what, done.returncode, log, tail))


def penstock_jars(given):
    """The jars to measure, copied so that a build meanwhile changes nothing under a run."""
    if given is None:
        built = subprocess.run([str(HOME / "penstock"), "jar"], stdout=subprocess.PIPE, text=True)
        if built.returncode != 0:
            raise Problem("./penstock jar failed; see above")
        given = pathlib.Path(built.stdout.strip()).parent
    copies = RUN / "jars"
    copies.mkdir(parents=True, exist_ok=True)
    for name in ("penstock-spark.jar", "penstock-sdk.jar", "penstock-cli.jar"):
        if not (given / name).is_file():
            raise Problem("no %s in %s; run ./mvnw -DskipTests package" % (name, given))
        shutil.copy2(given / name, copies / name)
    return copies


def spark_python(given, version=SPARK):
    if given is not None:
        if not shutil.which(str(given)):
            raise Problem("--spark-python %s is no program" % given)
        # Not resolved: the link in a venv is what makes it that venv's Python.
        return pathlib.Path(os.path.abspath(given))
    return python_with("spark-" + version, "pyspark==" + version, size=" (about 450 MB)")


def python_with(name, *packages, size=""):
    """A Python in bench/.work that has these packages."""
    venv = WORK / name
    python = venv / "bin" / "python"
    ready = venv / " ".join(["ready", *packages])
    if not ready.exists():
        step("making a Python environment", [sys.executable, "-m", "venv", str(venv)], "venv.log")
        step("installing %s%s" % (" and ".join(packages), size),
             [str(python), "-m", "pip", "install", *packages], "pip.log")
        ready.touch()
    return python


def spark_version(python):
    asked = subprocess.run([str(python), "-c", "import pyspark; print(pyspark.__version__)"],
                           capture_output=True, text=True)
    if asked.returncode != 0:
        raise Problem("%s has no pyspark; install it, or leave --spark-python out" % python)
    return asked.stdout.strip()


def s3a_jars(version):
    """S3A as a user of this version of Spark would add it, by name."""
    if version not in S3A_JARS:
        raise Problem("S3A's jars here are those of Spark %s, but this Python has %s; add"
                      " --only penstock, or leave --spark-python out"
                      % (" and ".join(S3A_JARS), version))
    return {name: fetched("s3a", artifact, " (about 620 MB)" if name == "bundle" else "")
            for name, artifact in S3A_JARS[version].items()}


def fetched(folder, artifact, size=""):
    """The jar of an artifact, "group:artifact:version" or "group:artifact:version:jar:classifier",
    in this folder of bench/.work."""
    _, artifact_id, version, *classifier = artifact.split(":")
    into = WORK / folder
    jar = into / ("%s.jar" % "-".join([artifact_id, version, *classifier[1:]]))
    if not jar.exists():
        into.mkdir(parents=True, exist_ok=True)
        step("fetching %s %s%s" % (artifact_id, version, size),
             [str(HOME / "mvnw"), "-B", COPY_GOAL, "-Dartifact=" + artifact,
              "-DoutputDirectory=" + str(into)], "fetch-%s.log" % artifact_id, cwd=WORK)
    if not jar.exists():
        raise Problem("%s was fetched but %s is not there" % (artifact, jar))
    return jar


def minio():
    with contextlib.suppress(Problem):
        return program("minio")
    return built_with_go("MinIO (some minutes, once)", "minio", ["install", pinned("minio")],
                         env=dict(os.environ, GOBIN=str(WORK / "bin")))


def seaweedfs():
    """Its go.mod replaces a module, so that `go install` refuses it by name: it
    is built as a dependency of a module of our own."""
    with contextlib.suppress(Problem):
        return program("weed")
    package, _, version = pinned("seaweedfs").partition("@")
    module, (old, new) = package.rpartition("/")[0], pinned("seaweedfs-replace").split("=>")
    folder = made(RUN / "seaweedfs")
    (folder / "go.mod").write_text(
        "module penstock.io/bench/seaweedfs\n\ngo 1.21\n\nrequire %s %s\n\nreplace %s => %s\n" % (
            module, version, old, new.replace("@", " ")))
    return built_with_go("SeaweedFS (half an hour, once)", "weed", [
        "build", "-mod=mod", "-ldflags", "-s -w", "-o", str(WORK / "bin" / "weed"), package],
        cwd=folder)


def built_with_go(what, name, words, **more):
    if not shutil.which("go"):
        raise Problem("neither %s nor go found: install one of them, or take --server embedded"
                      % name)
    step("building " + what, ["go", *words], name + "-build.log", **more)
    return str(WORK / "bin" / name)


def pinned(name):
    """The version of a program that CI installs too."""
    lines = (HOME / ".ci" / "versions").read_text().splitlines()
    return next(line.partition("=")[2] for line in lines if line.startswith(name + "="))


def program(name):
    """One that this machine has, that CI installed, that Go installed for its user, or that was put
    into bench/.work/bin."""
    go_home = pathlib.Path(os.environ.get("GOPATH", pathlib.Path.home() / "go"))
    folders = (HOME / ".ci" / "work" / "bin", WORK / "bin", go_home / "bin")
    found = next(filter(None, map(shutil.which, [name, *(str(f / name) for f in folders)])), None)
    if not found:
        raise Problem("no %s found; install it, or put it into %s" % (name, WORK / "bin"))
    return found


def bench_java(main, *arguments, jvm=()):
    """The command of a class of bench/src."""
    class_path = BENCH / "target" / "bench.classpath"
    if not class_path.is_file():
        raise Problem("no %s; run ./mvnw -DskipTests package" % class_path)
    whole = os.pathsep.join([str(BENCH / "target" / "classes"), class_path.read_text().strip()])
    return [str(word) for word in [java(), *jvm, "-cp", whole, main, *arguments]]


def timed(command, environment=None):
    """Runs a command: seconds, processor seconds, peak of memory in bytes, and what it printed."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as complaint:
        start = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=complaint,
                                   env=dict(os.environ, **(environment or {})))
        # The use of this process and its own children, not of all that ran before.
        _, status, use = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            complaint.seek(0)
            raise Problem("%s failed:\n%s" % (
                " ".join(str(word) for word in command[:6]), complaint.read()[-2000:]))
        out.seek(0)
        return {"seconds": seconds, "cpu": use.ru_utime + use.ru_stime,
                "peak": use.ru_maxrss * 1024, "printed": out.read()}


# ---- processes

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def process(command, log, **more):
    """A process and all that it starts, gone when the block ends."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "ab") as err:
        started = subprocess.Popen(
            [str(word) for word in command], stderr=err, start_new_session=True, **more)
    try:
        yield started
    finally:
        stop(started)


def stop(started, patience=10):
    """Asks it to end, then ends what is left of its group."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.wait(patience)


def until(condition, seconds, every=0.2):
    """Whether it became true in that time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


def answers(url):
    # The certificate of a server that was started here is nobody's.
    context = ssl._create_unverified_context() if url.startswith("https:") else None
    try:
        with urllib.request.urlopen(url, timeout=5, context=context) as answer:
            return answer.status == 200
    except OSError:
        return False


def make_certificate(folder):
    """A certificate for 127.0.0.1 and its key, and the options of a JVM that trusts it."""
    folder.mkdir(parents=True)
    key, certificate, trust = (folder / name for name in (
        "private.key", "public.crt", "trust.p12"))
    step("making a certificate", [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key,
        "-out", certificate], "openssl.log")
    keytool = os.path.join(os.path.dirname(os.path.realpath(java())), "keytool")
    step("making a trust store", [
        keytool, "-importcert", "-noprompt", "-alias", "bench", "-file", certificate,
        "-keystore", trust, "-storetype", "PKCS12", "-storepass", "changeit"], "keytool.log")
    return "-Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=changeit" % trust


Server = collections.namedtuple("Server", "name upstream access_key secret_key")
Store = collections.namedtuple("Store", "name endpoint bucket access_key secret_key access_log")


@contextlib.contextmanager
def server(options):
    """The S3 that is asked for; Penstock's own has no upstream, it is in the weather itself."""
    if options.server == "embedded":
        yield Server("Penstock's embedded S3", None, ACCESS_KEY, SECRET_KEY)
    elif options.server == "minio":
        from soaking import stores  # which knows of this module
        with stores.Minio([options.bucket], minio()) as started:
            yield Server("MinIO", started.endpoint, ACCESS_KEY, SECRET_KEY)
    else:
        keys = own_keys()
        make_bucket(options.server, options.bucket, keys)
        yield Server(options.server, options.server, *keys)


@contextlib.contextmanager
def weather(options, of, jars, *arguments, log_name="access.log", may_miss_lines=False,
            latency=None):
    """The server behind the counter, in weather of its own that begins anew with every call."""
    access_log = RUN / log_name
    access_log.parent.mkdir(parents=True, exist_ok=True)
    access_log.unlink(missing_ok=True)
    command = [java(), "-Xmx512m", "-jar", jars / "penstock-cli.jar", "weather", "--port", "0",
               "--latency", latency or options.latency, "--access-log", access_log, *arguments]
    command += ["--upstream", of.upstream] if of.upstream else ["--bucket", options.bucket]
    log = LOGS / "weather.log"
    with process(command, log, stdout=subprocess.PIPE, text=True) as started:
        first = started.stdout.readline()
        endpoint = re.search(r"https?://[^ ;]+", first)
        if not endpoint:
            started.wait(10)
            said = log.read_text(errors="replace").strip().splitlines()
            raise Problem("penstock weather did not start: %s" % (said[-1] if said else first))
        yield Store(of.name, endpoint.group(), options.bucket, of.access_key, of.secret_key,
                    access_log)
        stop(started)
        # A request that stalls when the proxy ends is counted, and has no line.
        stalls = "stall" in " ".join(map(str, arguments))
        check_sum(started.stdout.read(), access_log, stalls or may_miss_lines)


@contextlib.contextmanager
def counted_store(options, jars, arguments=()):
    """A store behind the counter, in the weather of these arguments beside its latency. At the end
    the counter's own sum must agree with its log."""
    with server(options) as started, weather(options, started, jars, *arguments) as store:
        yield store


def check_sum(table, access_log, may_miss_lines=False):
    total = re.search(r"^ *all +([\d,]+)", table, re.MULTILINE)
    logged = sum(1 for _ in open(access_log, encoding="utf-8"))
    counted = int(total.group(1).replace(",", "")) if total else logged
    if counted != logged and not (may_miss_lines and counted > logged):
        raise Problem("the access log has %d requests, the counter saw %d: do not trust this run"
                      % (logged, counted))


# ---- S3 by hand: only to make a bucket

def own_keys():
    try:
        return os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    except KeyError as e:
        raise Problem("--server URL needs %s in the environment" % e.args[0]) from e


def make_bucket(endpoint, bucket, keys, patience=60):
    """Makes it when it is missing. A server that is still starting gets time."""
    until = time.monotonic() + patience
    while True:
        try:
            urllib.request.urlopen(bucket_request(endpoint, bucket, keys), timeout=30).close()
            return
        except urllib.error.HTTPError as e:
            answer = e.read().decode(errors="replace")
            if "BucketAlreadyOwnedByYou" in answer:
                return
            if e.code != 503 or time.monotonic() > until:
                raise Problem("cannot make bucket %s at %s: %d %s"
                              % (bucket, endpoint, e.code, answer[:300])) from e
            time.sleep(0.5)
        except OSError as e:
            raise Problem("no S3 at %s: %s" % (endpoint, e)) from e


def bucket_request(endpoint, bucket, keys):
    return signed_request(endpoint, keys, "PUT", "/" + bucket)


def keep_versions(endpoint, keys, bucket):
    """Lets a bucket keep the versions of its objects from now on."""
    def asked():
        try:
            urllib.request.urlopen(signed_request(
                endpoint, keys, "PUT", "/" + bucket, {"versioning": ""},
                b'<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
                b"<Status>Enabled</Status></VersioningConfiguration>"), timeout=60).close()
            return True
        except urllib.error.HTTPError as e:
            if e.code != 503:  # MinIO, while it begins
                raise
            return False
    if not until(asked, 30, 0.5):
        raise Problem("the server at %s lets %s keep no versions: 503" % (endpoint, bucket))


def signed_request(endpoint, keys, method, path, query=None, body=b""):
    """A request with a signature; the path is not escaped yet."""
    host = urllib.parse.urlsplit(endpoint).netloc
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    content = hashlib.sha256(body).hexdigest()
    scope = "%s/%s/s3/aws4_request" % (now[:8], REGION)
    names = "host;x-amz-content-sha256;x-amz-date"
    path = urllib.parse.quote(path, safe="/~")
    asked = urllib.parse.urlencode(
        sorted((query or {}).items()), quote_via=urllib.parse.quote, safe="~")
    canonical = "\n".join([method, path, asked, "host:" + host, "x-amz-content-sha256:" + content,
                           "x-amz-date:" + now, "", names, content])
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", now, scope, digest])
    key = ("AWS4" + keys[1]).encode()
    for word in (now[:8], REGION, "s3", "aws4_request"):
        key = hmac.new(key, word.encode(), hashlib.sha256).digest()
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    url = "%s%s%s" % (endpoint, path, "?" + asked if asked else "")
    return urllib.request.Request(url, method=method, data=body or None, headers={
        "x-amz-date": now, "x-amz-content-sha256": content,
        "Authorization": "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
        % (keys[0], scope, names, signature)})


# ---- counting

KINDS = ("PUT", "POST", "HEAD", "LIST", "GET", "COPY", "DELETE")
LISTS = {"REST.GET.BUCKET", "REST.GET.UPLOADS", "REST.GET.UPLOAD"}
# S3 Standard, us-east-1, US dollars a request; deletes are free. A list is priced like a PUT.
PRICES = {"PUT": 5e-6, "POST": 5e-6, "COPY": 5e-6, "LIST": 5e-6, "GET": 4e-7, "HEAD": 4e-7}
# In the key of a request, or in the prefix of a listing.
MARK = re.compile(r"\.marker/(?P<event>start|end)/(?P<name>[^\s?&\"]+)")


SHORT = {"PUT": "P", "COPY": "C", "DELETE": "D", "POST": "O", "GET": "G", "HEAD": "H", "LIST": "L"}


def letters(kinds, one="1", between=""):
    """Requests by kind, in as many characters as a cell has room for."""
    return between.join("%s%s" % (one if kinds[k] == 1 else kinds[k], SHORT[k])
                        for k in SHORT if kinds[k])


def kind(operation):
    if operation in LISTS:
        return "LIST"
    if operation == "REST.POST.MULTI_OBJECT_DELETE":
        return "POST"
    return operation.split(".")[1]


def is_write(operation):
    return not operation.startswith(("REST.GET.", "REST.HEAD."))


class Requests:
    """What was asked in a stretch of the log."""

    SLOW_MILLIS = 5_000

    def __init__(self):
        self.answers = collections.Counter()
        self.writes_at = collections.Counter()
        self.slow = 0

    def add(self, line):
        """One line of the log; after the quoted request: status, error, bytes, size, millis."""
        status, _, _, _, millis = line.split('" ', 1)[1].split(" ", 5)[:5]
        fields = line.split(" ", 8)
        self.answers[fields[7], status] += 1
        if is_write(fields[7]):
            self.writes_at[fields[2]] += 1
        self.slow += int(millis) >= self.SLOW_MILLIS

    @property
    def operations(self):
        return self._summed(lambda operation, status: operation)

    @property
    def statuses(self):
        return self._summed(lambda operation, status: status)

    @property
    def kinds(self):
        return self._summed(lambda operation, status: kind(operation))

    def _summed(self, name):
        sums = collections.Counter()
        for answer, count in self.answers.items():
            sums[name(*answer)] += count
        return sums

    @property
    def total(self):
        return sum(self.answers.values())

    def writes(self, statuses=lambda status: True):
        """What S3 counts against a prefix's writes a second: all but GET, HEAD and LIST."""
        return sum(count for (operation, status), count in self.answers.items()
                   if is_write(operation) and statuses(status))

    @property
    def busiest_second(self):
        """The most writes of one second."""
        return max(self.writes_at.values(), default=0)

    @property
    def failed(self):
        return sum(n for status, n in self.statuses.items() if status == "-" or status >= "500")

    @property
    def dollars(self):
        return sum(PRICES.get(name, 0) * count for name, count in self.kinds.items())

    def as_json(self):
        return {"total": self.total, "kinds": dict(self.kinds),
                "operations": dict(self.operations), "statuses": dict(self.statuses),
                "slow": self.slow, "failed": self.failed,
                "writes": {"done": self.writes(lambda status: status.startswith("2")),
                           "throttled": self.writes(lambda status: status == "503"),
                           "all": self.writes()}}


def stretch(access_log, start, end):
    """The log from one position to another."""
    found = Requests()
    with open(access_log, "rb") as log:
        log.seek(start)
        for line in log.read(end - start).splitlines():
            found.add(line.decode())
    return found


def section_lines(access_log):
    """The lines between two markers, each with its section's name. Others are left out."""
    here = None
    with open(access_log, encoding="utf-8") as lines:
        for line in lines:
            mark = MARK.search(urllib.parse.unquote(line))
            if mark:
                here = mark.group("name").rstrip("/") if mark.group("event") == "start" else None
                if here:
                    yield here, None
            elif here is not None:
                yield here, line


def sections(access_log):
    """The log cut at its markers: {name: requests}. Requests outside any section are left out."""
    found = {}
    for name, line in section_lines(access_log):
        requests = found.setdefault(name, Requests())
        if line is not None:
            requests.add(line)
    return found


# ---- Spark

def storage_settings(store):
    """Where the store is: the same lines for S3A and for Penstock, which reads S3A's."""
    return {
        "spark.hadoop.fs.s3a.endpoint": store.endpoint,
        "spark.hadoop.fs.s3a.endpoint.region": REGION,
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.connection.ssl.enabled": "false",
        "spark.hadoop.fs.s3a.access.key": store.access_key,
        "spark.hadoop.fs.s3a.secret.key": store.secret_key,
    }


def spark_conf(scratch, store, jars, settings):
    """Makes a Spark's scratch directory, and in it the file of its settings."""
    scratch.mkdir(parents=True)
    properties = {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "2g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": scratch,
        "spark.sql.warehouse.dir": scratch,
        "spark.hadoop.hadoop.tmp.dir": scratch,
        "spark.driver.extraClassPath": os.pathsep.join(str(jar) for jar in jars),
        **storage_settings(store),
        **settings,
    }
    # In a file, not on the command line, where everybody could read the keys.
    conf = scratch / "spark.conf"
    conf.touch(mode=0o600)
    conf.write_text("".join("%s %s\n" % item for item in properties.items()))
    return conf


def run_spark(python, job, arguments, store, jars, settings, name, timeout, environment=None,
              before=()):
    """A Spark session of its own in a JVM of its own; returns what it said in lines of JSON. The
    words `before` stand before the command."""
    scratch = RUN / "scratch"
    conf = spark_conf(scratch, store, jars, settings)
    log = LOGS / ("%s.log" % re.sub(r"[^A-Za-z0-9.-]+", "-", name))
    log.unlink(missing_ok=True)
    environment = spark_environment(python, environment)
    command = [*before, python.parent / "spark-submit", "--properties-file", conf, JOBS / job,
               *arguments]
    with process(command, log, stdout=subprocess.PIPE, text=True, env=environment,
                 cwd=scratch) as spark:
        try:
            said, _ = spark.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as e:
            raise TooSlow("%s was not done after %d s; see %s" % (name, timeout, log)) from e
    shutil.rmtree(scratch, ignore_errors=True)
    with open(log, "a", encoding="utf-8") as more:
        more.write(said)  # spark-submit puts Python's errors into its output
    if spark.returncode != 0:
        raise Problem("%s failed: %s\n    the whole log is %s" % (name, reason(log), log))
    return [json.loads(line[1:]) for line in said.splitlines() if line.startswith("@")]


def spark_environment(python, more=None):
    """Without what this machine's own Spark is set to, which would otherwise be measured along."""
    environment = {name: value for name, value in os.environ.items()
                   if not re.match("SPARK_|PYSPARK_SUBMIT|HADOOP_|AWS_", name)}
    environment["PATH"] = "%s:%s" % (python.parent, os.environ["PATH"])
    environment["PYSPARK_PYTHON"] = str(python)
    return {**environment, **(more or {})}


def reason(log):
    lines = log.read_text(errors="replace").splitlines()
    failure = re.compile(r"(Caused by: |: )?[\w.$]*(Error|Exception)(: |$)")
    causes = [line for line in lines if failure.match(line)]
    return causes[-1][:300] if causes else "no exception in its log"


# ---- saying it

def table(rows, left=1):
    """Rows of text in columns; the first ones to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows if row) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if i < left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join(lines)


def number(value):
    return "{:,}".format(value)


def megabytes(size):
    return "%.1f MB" % (size / 1e6)


def rotated(cells, turn):
    """In another order each time, so that no cell always comes first."""
    shift = turn % len(cells)
    return cells[shift:] + cells[:shift]


def unpacked_bytes(directory):
    """What the gzipped files below a directory hold."""
    held = 0
    for file in directory.rglob("*.gz"):
        held += int(subprocess.run("gzip -dc '%s' | wc -c" % file, shell=True,
                                   capture_output=True, text=True, check=True).stdout)
    return held


def median(values):
    return statistics.median(values)


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    version = subprocess.run([java(), "-version"], capture_output=True, text=True).stderr
    jdk = re.search(r'"([^"]+)"', version)
    return "%d cores, %.0f GiB, %s, JDK %s" % (
        os.cpu_count(), memory, os.uname().sysname, jdk.group(1) if jdk else "?")


def goal_options(parser):
    goals = parser.add_mutually_exclusive_group()
    goals.add_argument("--assert-goal", action="store_true", help="exit 1 when it is not reached")
    goals.add_argument("--no-goal", action="store_true", help="do not judge: for tiny runs")


def goal(given, text, is_reached):
    """Says whether a goal is reached, and gives the exit code."""
    if given.no_goal:
        return 0
    print("Goal: %s: %s" % (text, "reached" if is_reached else "NOT reached"))
    return 1 if given.assert_goal and not is_reached else 0


def parser(description, epilog=None):
    return argparse.ArgumentParser(
        prog="bench/run " + SCRIPT, description=description, epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter)
