# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Where the corners are played: one server, two drivers behind a proxy each, a reader that goes to
the server itself, and what lies there by the server's own listing."""

import contextlib
import dataclasses
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree

import drivers
import harness
from attacks import is_running, paused
from harness import until
from corners.proxy import Proxy
from soaking.session import INLINE, SHORT_LIVED, Session

BUCKET, OTHER_BUCKET = "corners", "corners-other"
KEYS = (harness.ACCESS_KEY, harness.SECRET_KEY)
# The numbers of a job's rows begin here.
FIRST = {"old": 0, "a": 10_000, "b": 20_000}
BY_FOUR = "cast(id % 4 as int)"
# A job that was killed counts as dead after a minute without a sign of life.
DEAD_SECONDS = 62
# What is not locked ends in this time; what waits for a lock that nobody holds takes a minute.
UNLOCKED_SECONDS = 50
PATIENCE = 240
SUCCESS = "_SUCCESS"
INTENT = re.compile(r"_penstock_intent_.*\.([a-z]+)(?:-\d+)?$")
NAMESPACE = "{http://s3.amazonaws.com/doc/2006-03-01/}"


@dataclasses.dataclass
class Line:
    """One row of the table."""

    case: str
    what: str
    expected: str
    found: str
    is_right: bool
    note: str = ""


def select(tag, count, tasks=8, p=BY_FOUR, wait_millis=0, more=""):
    """SQL that makes a job's rows in so many tasks; its first task may take longer."""
    start = FIRST[tag]
    text = "'x'"
    if wait_millis:
        text = ("concat('x', substring(reflect('java.lang.Thread', 'sleep',"
                " if(id = %d, %dL, 0L)), 1, 0))" % (start, wait_millis))
    return "SELECT id, %s AS text, %s AS p%s FROM range(%d, %d, 1, %d)" % (
        text, p, more, start, start + count, tasks)


def inside(path):
    """The start of the keys below a path."""
    return path.partition("://")[2].partition("/")[2] + "/"


def told(tags):
    return " + ".join("%s %d" % (name, tags[name]) for name in sorted(tags)) or "no rows"


def end_of(*jobs):
    """Which jobs succeeded, in words."""
    return ", ".join("%s %s" % (name, "runs" if not job.done.is_set() else "fails" if job.error
                                else "ok") for name, job in jobs)


def line(case, what, expected, jobs, tags, is_right, hidden=(), more="", note=""):
    """One about jobs and the rows that they left; nothing may be hidden."""
    text = "%s: %s%s%s" % (end_of(*jobs), told(tags), more,
                           ", left: " + " ".join(hidden) if hidden else "")
    return Line(case, what, expected, text, bool(is_right and not hidden), note or errors(*jobs))


def saving(path, tag, count, tasks=8, mode="overwrite"):
    """What a driver is told of such a job on a table of partitions."""
    return {"path": path, "mode": mode, "by": ["p"], "rows": select(tag, count, tasks)}


def marked(marker):
    return ", _SUCCESS" if marker else ", no _SUCCESS"


def errors(*jobs):
    return "; ".join("%s: %s" % (name, reason(job)) for name, job in jobs if job.error)


def reason(job):
    """What Penstock says in its innermost error, rather than the SDK that it wraps."""
    texts = [text.strip().splitlines()[0] for text in (job.answer or {"error": []})["error"] if
             text.strip() and "penstock." in text and "penstock.shaded." not in text]
    # Names can be long; the end of the sentence says more.
    text = re.sub(r"(\S{60})\S{60,}", r"\1…", texts[-1] if texts else job.error)
    return text[:400]


class Stage:
    """Drivers are started when they are needed first, and again once they are gone."""

    def __init__(self, setup, server, stack):
        self.setup, self.server, self.stack = setup, server, stack
        self.requests = harness.LOGS / "requests.log"
        self.requests.parent.mkdir(parents=True, exist_ok=True)
        self.log = stack.enter_context(open(self.requests, "w", encoding="utf-8"))
        self.proxies, self.drivers, self.count = {}, {}, 0

    @property
    def reader(self):
        return self.driver("reader")

    @property
    def a(self):
        return self.driver("a")

    @property
    def b(self):
        return self.driver("b")

    @property
    def hive(self):
        """One with a metastore: Spark's own catalog makes directories of partitions by the file
        system of their table."""
        return self.driver("hive", {"spark.sql.catalogImplementation": "hive"})

    def proxy(self, name):
        if name not in self.proxies:
            self.proxies[name] = Proxy(self.server.endpoint, self.log)
            self.stack.callback(self.proxies[name].refuse)
        return self.proxies[name]

    def driver(self, name, settings=None):
        known = self.drivers.get(name)
        if known is None or known.is_gone:
            is_direct = name not in ("a", "b")
            endpoint = self.server.endpoint if is_direct else self.proxy(name).endpoint
            known = Session(self.setup, endpoint, {
                INLINE: "0" if self.setup.given.uploads else "768K",
                "spark.master": "local[2]",
                "spark.sql.warehouse.dir": "s3a://%s/warehouse" % BUCKET, **(settings or {})},
                java=SHORT_LIVED, job="corners.py")
            self.stack.callback(known.close)
            with contextlib.suppress(KeyError):
                del self.drivers[name]
            known.__enter__()
            self.drivers[name] = known
            # What a first job loads would otherwise be the head start of another.
            known.result("save", rows=select("old", 8), mode="overwrite", by=["p"],
                         path="s3a://%s/warm-up-%s" % (BUCKET, name))
        return known

    def pair(self):
        return self.a, self.b

    @contextlib.contextmanager
    def delay(self, seconds):
        """Of every request of both drivers."""
        for name in ("a", "b"):
            self.proxy(name).delay_seconds = seconds
        try:
            yield
        finally:
            for name in ("a", "b"):
                self.proxy(name).delay_seconds = 0.0

    def kill(self, name):
        """Kills a driver without a chance to finish anything. Its connections are closed then."""
        jvm = self.drivers[name].jvm
        self.drivers[name].close()
        until(lambda: not is_running(jvm), 30, every=0.05)

    @contextlib.contextmanager
    def paused(self, name):
        with paused(self.drivers[name].jvm):
            yield

    # ---- places and what lies there

    def place(self, what="table"):
        """A path that nobody has used; its name is a table's, too."""
        self.count += 1
        return "s3a://%s/%s_%d" % (BUCKET, re.sub(r"\W", "_", what), self.count)

    def prepare(self, path, count=100, tasks=4, by=("p",)):
        """The old rows, with a _SUCCESS."""
        self.reader.result("save", rows=select("old", count, tasks), mode="overwrite", path=path,
                           by=list(by))

    def tags(self, path, parts=False):
        return self.reader.result("tags", path=path, parts=parts)

    def keys(self, path):
        """What lies below a path, by name and ETag, as the server lists it."""
        bucket, _, prefix = path.partition("://")[2].partition("/")
        found, more = {}, {}
        while True:
            request = harness.signed_request(self.server.endpoint, KEYS, "GET", "/" + bucket, {
                "list-type": "2", "prefix": prefix + "/", "encoding-type": "url", **more})
            with urllib.request.urlopen(request, timeout=30) as answer:
                page = xml.etree.ElementTree.fromstring(answer.read())
            space = NAMESPACE if page.tag.startswith("{") else ""
            for one in page.iter(space + "Contents"):
                key = urllib.parse.unquote_plus(one.findtext(space + "Key"))
                found[key[len(prefix) + 1:]] = one.findtext(space + "ETag")
            token = page.findtext(space + "NextContinuationToken")
            if not token:
                return found
            more = {"continuation-token": token}

    def has_marker(self, path):
        return SUCCESS in self.keys(path)

    def hidden(self, path, strays=("decision", "settling")):
        """Kinds of what is left of intents below a path; strays may stay for a day."""
        kinds = [INTENT.search(key) for key in self.keys(path)]
        return sorted(kind[1] for kind in kinds if kind and kind[1] not in strays)

    def hand(self, method, path, body=b"", headers=()):
        """One request of our own; the answer's body, or None when nothing is there."""
        target = "/" + path.partition("://")[2]
        request = harness.signed_request(self.server.endpoint, KEYS, method, target, body=body)
        for name, value in dict(headers).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as e:
            if e.code == 404:
                return None
            raise

    def recover(self, paths):
        """`penstock recover --write` on all of them at once; what each said."""
        with contextlib.ExitStack() as all_of_them:
            running = [all_of_them.enter_context(subprocess.Popen(
                drivers.tool(self.setup.jars, "recover", path, "--write", "--endpoint",
                             self.server.endpoint, heap="128m"),
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env=drivers.tool_environment()))
                       for path in paths]
            return [(one.communicate(timeout=PATIENCE)[0], one.returncode) for one in running]


def ended(job, seconds=PATIENCE):
    """Whether a job has ended by then."""
    return job.wait(seconds)


