# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""An HTTP proxy before an S3 server, with rules for chosen requests: it holds them, answers them
itself, sends them later, or refuses all connections. Each driver has a proxy of its own."""

import contextlib
import dataclasses
import http.client
import http.server
import re
import select
import socket
import threading
import time
import urllib.parse

from harness import Problem
from soaking.listener import Listener, shut

POLL_SECONDS = 0.05
HOP = {"connection", "keep-alive", "transfer-encoding", "expect"}


@dataclasses.dataclass
class Request:
    method: str
    target: str
    headers: list
    body: bytes

    def __post_init__(self):
        path, _, query = self.target.partition("?")
        self.bucket, _, self.key = urllib.parse.unquote(path).lstrip("/").partition("/")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    @property
    def name(self):
        return self.key.rpartition("/")[2]

    @property
    def is_bulk_delete(self):
        return self.method == "POST" and "delete" in self.query

    @property
    def is_conditional(self):
        """Whether it requires something of each object that it writes or deletes."""
        if self.is_bulk_delete:
            return self.body.count(b"<ETag>") == self.body.count(b"<Key>")
        return any(name.lower() in ("if-match", "if-none-match") for name, _ in self.headers)

    @property
    def deleted(self):
        """The keys that it deletes."""
        if self.is_bulk_delete:
            text = self.body.decode()
            return [unescaped(key) for key in re.findall(r"<Key>(.*?)</Key>", text, re.S)]
        is_upload = "uploadId" in self.query
        return [self.key] if self.method == "DELETE" and not is_upload else []

    @property
    def shows(self):
        """Whether it makes a data file visible."""
        is_complete = self.method == "POST" and "uploadId" in self.query
        is_put = self.method == "PUT" and "uploadId" not in self.query
        return self.name.startswith("part-") and (is_put or is_complete)


def unescaped(text):
    for entity, plain in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("apos", "'")):
        text = text.replace("&%s;" % entity, plain)
    text = re.sub(r"&#(x?)([0-9A-Fa-f]+);", lambda m: chr(int(m[2], 16 if m[1] else 10)), text)
    return text.replace("&amp;", "&")


@dataclasses.dataclass
class Answer:
    status: int
    body: bytes = b""
    headers: tuple = (("Content-Type", "application/xml"),)


def error(status, code):
    """An answer as S3 gives it when it refuses."""
    return Answer(status, b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>%s</Code>"
                  b"<Message>scripted</Message><RequestId>0</RequestId></Error>" % code.encode())


# ---- rules

class Rule:
    """What becomes of the requests that match. The first `skip` keys that match pass freely; after
    `times` requests, and once the rule has been lifted, all do."""

    def __init__(self, matches, skip=0, times=None):
        self.matches, self.skip, self.times = matches, skip, times
        self.passed, self.taken = set(), 0
        self.lock = threading.Lock()
        self.reached, self.lifted = threading.Event(), threading.Event()

    def takes(self, request):
        if self.lifted.is_set() or not self.matches(request):
            return False
        with self.lock:
            if request.key in self.passed or len(self.passed) < self.skip:
                self.passed.add(request.key)
                return False
            if self.times is not None and self.taken >= self.times:
                return False
            self.taken += 1
        return True

    def act(self, request, send, is_gone):
        """The answer; None cuts the connection."""
        raise NotImplementedError

    def wait(self, what, seconds=90):
        """Until the rule takes its first request."""
        if not self.reached.wait(seconds):
            raise Problem("the request to strike at never came: %s" % what)
        return self

    def lift(self):
        self.lifted.set()


class Hold(Rule):
    """Keeps a request until the rule is lifted. If its client goes away meanwhile, the request is
    lost, or, if it `lands`, is carried out all the same. With `after`, only the answer is kept."""

    def __init__(self, matches, skip=0, times=None, lands=False, after=False):
        super().__init__(matches, skip, times)
        self.lands, self.after, self.is_lost = lands, after, False
        self.landed = threading.Event()

    def lose(self):
        """Lifts the rule, and cuts the connections of what it holds."""
        self.is_lost = True
        self.lift()

    def act(self, request, send, is_gone):
        answer = send(request) if self.after else None
        self.reached.set()
        while not self.lifted.wait(POLL_SECONDS):
            if is_gone() and not self.lands:
                return None
        if self.is_lost or is_gone() and not self.lands:
            return None
        answer = answer or send(request)
        self.landed.set()
        return answer


class Say(Rule):
    """Answers by itself; nothing is carried out. What it says may depend on the request, and None
    passes this one on."""

    def __init__(self, matches, answer, skip=0, times=None):
        super().__init__(matches, skip, times)
        self.answer = answer

    def act(self, request, send, is_gone):
        self.reached.set()
        said = self.answer(request, send) if callable(self.answer) else self.answer
        return said or send(request)


# ---- the proxy

class Proxy(Listener):
    """Listens on a port of its own, which it keeps while it refuses connections."""

    def __init__(self, upstream, log):
        super().__init__()
        self.upstream = urllib.parse.urlsplit(upstream).netloc
        self.log, self.rules = log, []
        self.delay_seconds = 0.0
        self.open = set()
        self.listen()

    @property
    def endpoint(self):
        return "http://127.0.0.1:%d" % self.port

    def refuse(self):
        """Takes no connection any more, and cuts those that there are."""
        self.close()
        with self.lock:
            cut = list(self.open)
        for connection in cut:
            shut(connection)

    @contextlib.contextmanager
    def rule(self, rule):
        """In force until the block ends."""
        self.rules.append(rule)
        try:
            yield rule
        finally:
            rule.lift()
            self.rules.remove(rule)

    def _serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.lock:
            self.open.add(connection)
        try:
            Handler(connection, self)
        except OSError:
            pass
        finally:
            with self.lock:
                self.open.discard(connection)
            connection.close()

    def told(self, request, answer, is_ruled):
        self.log.write("%.3f %d %s %s %s%s\n" % (
            time.time(), self.port, request.method, request.target,
            answer.status if answer else "-", " by a rule" if is_ruled else ""))
        self.log.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection of a client, with one to the server behind it."""

    protocol_version = "HTTP/1.1"

    def __init__(self, connection, proxy):
        self.proxy, self.server_side = proxy, None
        try:
            super().__init__(connection, ("", 0), None)
        finally:
            self.forget()

    def handle_any(self):
        request = Request(self.command, self.path, list(self.headers.items()), self.read_body())
        if self.proxy.delay_seconds:
            time.sleep(self.proxy.delay_seconds)
        rule = next((rule for rule in self.proxy.rules if rule.takes(request)), None)
        answer = rule.act(request, self.send, self.is_gone) if rule else self.send(request)
        self.proxy.told(request, answer, rule is not None)
        if answer is None:
            self.close_connection = True
            return
        self.send_response_only(answer.status)
        names = {name.lower() for name, _ in answer.headers}
        for name, value in answer.headers:
            self.send_header(name, value)
        if "content-length" not in names and answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any

    def read_body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def is_gone(self):
        """Whether the client has closed its end."""
        with contextlib.suppress(OSError, ValueError):
            if not select.select([self.connection], [], [], 0)[0]:
                return False
            return not self.connection.recv(1, socket.MSG_PEEK)
        return True

    def send(self, request):
        """Carries a request out. A connection that the server has closed meanwhile is replaced."""
        for _ in range(2):
            try:
                return self.exchange(request)
            except (OSError, http.client.HTTPException):
                self.forget()
        return None

    def exchange(self, request):
        if self.server_side is None:
            self.server_side = http.client.HTTPConnection(self.proxy.upstream, timeout=120)
        to = self.server_side
        to.putrequest(request.method, request.target, skip_host=True, skip_accept_encoding=True)
        names = {name.lower() for name, _ in request.headers}
        for name, value in request.headers:
            if name.lower() not in HOP:
                to.putheader(name, value)
        if "content-length" not in names and request.body:
            to.putheader("Content-Length", str(len(request.body)))
        to.endheaders(request.body or None)
        got = to.getresponse()
        body = got.read()
        headers = [(name, value) for name, value in got.getheaders() if name.lower() not in HOP]
        return Answer(got.status, body, tuple(headers))

    def forget(self):
        if self.server_side is not None:
            self.server_side.close()
        self.server_side = None

    def log_message(self, *_):
        pass
