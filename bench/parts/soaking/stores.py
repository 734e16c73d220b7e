# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""S3 servers that can be killed, paused and started again on their data, and what stands before
them: the weather, and a switch that cuts, silences and redirects connections.

What is pending is read from a server's own directory: MinIO lists uploads for exact keys only.
"""

import contextlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request
import uuid

import harness
from harness import Problem
from soaking.listener import Listener, shut

START_SECONDS = 60
COUNT = itertools.count(1)
PART = re.compile(r"part\.\d+$")
RECORD = re.compile(r"part\.\d+\.meta$")
UPLOAD_ID = re.compile(rb"<UploadId>([^<]+)<")


class Process:
    """A server process on a port of its own, which it keeps when it is started again."""

    def __init__(self, name):
        self.name = "%s-%d" % (name, next(COUNT))
        self.log = harness.LOGS / (self.name + ".log")
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)
        self.port = harness.free_port()
        self.process = None

    scheme = "http"

    @property
    def endpoint(self):
        return "%s://127.0.0.1:%d" % (self.scheme, self.port)

    def command(self):
        raise NotImplementedError

    def environment(self):
        return None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process:
            harness.stop(self.process)

    def start(self):
        """Starts it without waiting; a server that was killed needs its port to be free again."""
        with open(self.log, "ab") as out:
            self.process = subprocess.Popen(
                [str(word) for word in self.command()], stdout=out, stderr=out,
                start_new_session=True, env=self.environment())
        self.wait()

    def wait(self):
        until = time.monotonic() + START_SECONDS
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            if self.process.poll() is not None or time.monotonic() > until:
                raise Problem("%s did not start within %d s; see %s"
                              % (self.name, START_SECONDS, self.log))
            time.sleep(0.05)

    def kill(self):
        """Ends it without a chance to finish anything."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def pause(self):
        os.killpg(self.process.pid, signal.SIGSTOP)

    def resume(self):
        os.killpg(self.process.pid, signal.SIGCONT)


class DataServer(Process):
    """An S3 server that keeps its objects below a directory, in which a bucket is a directory."""

    can_be_killed = True

    def __init__(self, name, buckets):
        super().__init__(name)
        self.data = harness.RUN / ("data-" + self.name)
        self.told = set()
        for bucket in buckets:
            (self.data / bucket).mkdir(parents=True)

    def __exit__(self, *_):
        super().__exit__()
        shutil.rmtree(self.data, ignore_errors=True)

    def pending(self):
        """How many uploads are pending: all of them, and those that hold data."""
        return count(self.uploads())

    def settled(self, patience=30):
        """What is pending once it is quiet, without what was told before."""
        harness.until(lambda: not self.new_uploads(), patience)
        found = self.new_uploads()
        self.told.update(found)
        return count(found)

    def half_completed(self):
        """Uploads in whose Complete a server died that does not do it at once: nobody can complete
        them any more. Asked while it is dead."""
        raise NotImplementedError

    def new_uploads(self):
        return {upload: data for upload, data in self.uploads().items() if upload not in self.told}


def count(uploads):
    return len(uploads), sum(uploads.values())


def subdirectories(path):
    with contextlib.suppress(OSError):
        with os.scandir(path) as entries:
            return [pathlib.Path(entry.path) for entry in entries if entry.is_dir()]
    return []


def files(path):
    """Of a directory tree that others change meanwhile."""
    return (pathlib.Path(folder) / name
            for folder, _, names in os.walk(path, onerror=lambda _: None) for name in names)


class Minio(DataServer):
    """MinIO on one drive."""

    def __init__(self, buckets, binary, certificates=None):
        super().__init__("minio", buckets)
        self.binary, self.certificates = binary, certificates
        self.scheme = "https" if certificates else "http"

    def command(self):
        secured = ["--certs-dir", self.certificates] if self.certificates else []
        return [self.binary, "server", "--address", "127.0.0.1:%d" % self.port, *secured, self.data]

    def environment(self):
        return dict(os.environ, MINIO_ROOT_USER=harness.ACCESS_KEY,
                    MINIO_ROOT_PASSWORD=harness.SECRET_KEY, MINIO_UPDATE="off", MINIO_BROWSER="off")

    def wait(self):
        super().wait()
        if not self.certificates and not harness.until(lambda: harness.answers(
                self.endpoint + "/minio/health/ready"), START_SECONDS, 0.05):
            raise Problem("MinIO is not ready after %d s; see %s" % (START_SECONDS, self.log))

    def uploads(self):
        """Those that are pending, and whether each holds data."""
        return {upload: any(PART.match(f.name) for f in files(upload))
                for key in subdirectories(self.data / ".minio.sys" / "multipart")
                for upload in subdirectories(key) if (upload / "xl.meta").exists()}

    def half_completed(self):
        """Either the parts' records are gone, or the data has its new place and no name yet."""
        halves = {upload for upload, has_data in self.uploads().items()
                  if has_data and not any(RECORD.match(f.name) for f in files(upload))}
        for bucket in subdirectories(self.data):
            if not bucket.name.startswith("."):
                halves.update(f.parent.parent for f in files(bucket) if PART.match(f.name)
                              and not (f.parent.parent / "xl.meta").exists())
        return halves

    def intents(self, bucket, strays=(".decision", ".settling")):
        """Names of what is left of intents; strays stay for a day, so that a job that was taken for
        dead knows them."""
        return [f.parent.name for f in files(self.data / bucket)
                if f.name == "xl.meta" and "_penstock_intent_" in f.parent.name
                and not f.parent.name.endswith(strays)]

    def visible(self, bucket, path):
        """Objects below a path that readers see."""
        return sum(f.name == "xl.meta" and not f.parent.name.startswith("_")
                   for f in files(self.data / bucket / path))


class Versitygw(DataServer):
    """versitygw over a directory."""

    def __init__(self, buckets, binary):
        super().__init__("versitygw", buckets)
        self.binary = binary

    def command(self):
        return [self.binary, "--port", "127.0.0.1:%d" % self.port, "posix", self.data]

    def environment(self):
        return dict(os.environ, ROOT_ACCESS_KEY=harness.ACCESS_KEY,
                    ROOT_SECRET_KEY=harness.SECRET_KEY)

    def uploads(self):
        """Those that are pending, and whether each holds data."""
        return {upload: any(True for _ in files(upload))
                for bucket in subdirectories(self.data)
                for key in subdirectories(bucket / ".sgwtmp" / "multipart")
                for upload in subdirectories(key)}

    def half_completed(self):
        """It says that these are completed, whoever asks."""
        return {upload for upload in self.uploads() if upload.name.endswith(".inprogress")}

    def visible(self, bucket, path):
        return sum(not f.name.startswith("_") for f in files(self.data / bucket / path))


class Seaweed(DataServer):
    """SeaweedFS: master, volumes, filer and S3 in one process. Nobody looks below its directory."""

    def __init__(self, buckets, binary):
        super().__init__("seaweedfs", ())
        self.binary, self.buckets = binary, buckets
        self.keys = harness.made(self.data) / "s3.json"
        self.keys.write_text(json.dumps({"identities": [{
            "name": "bench", "actions": ["Admin", "Read", "Write", "List", "Tagging"],
            "credentials": [{"accessKey": harness.ACCESS_KEY,
                             "secretKey": harness.SECRET_KEY}]}]}))
        self.ports = {name: (harness.free_port(), harness.free_port())
                      for name in ("master", "volume", "filer")}
        self.grpc_port = harness.free_port()

    def command(self):
        # Each part has a port and another for the others; small volumes, as the disk is shared.
        ports = ["-%s.port%s=%d" % (name, kind, port) for name, pair in self.ports.items()
                 for kind, port in zip(("", ".grpc"), pair)]
        return [self.binary, "server", "-dir", self.data, "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                *ports, "-master.volumeSizeLimitMB=64", "-volume.max=0", "-filer", "-s3",
                "-s3.port=%d" % self.port, "-s3.port.grpc=%d" % self.grpc_port,
                "-s3.config", self.keys]

    def wait(self):
        super().wait()
        # Its S3 answers before its volumes are there.
        for bucket in self.buckets:
            harness.make_bucket(self.endpoint, bucket, (harness.ACCESS_KEY, harness.SECRET_KEY))


CEPH_CONF = """
[global]
fsid = {fsid}
mon host = v1:127.0.0.1:{mon}
auth cluster required = none
auth service required = none
auth client required = none
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
mon allow pool size one = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 4294967296
osd max object name len = 2048
log file = {data}/$name.log
admin socket = {data}/$name.asok
[mon.a]
mon data = {data}/mon
[osd.0]
osd data = {data}/osd
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:{port} tcp_nodelay=1
"""


class Ceph(DataServer):
    """Ceph's gateway before a monitor and a store in memory. Only the gateway is killed and paused.
    Its programs are Debian's packages."""

    def __init__(self, buckets):
        super().__init__("ceph", ())
        self.buckets, self.others = buckets, []
        for name in ("mon", "osd"):
            harness.made(self.data / name)
        self.fsid, self.osd_id = str(uuid.uuid4()), str(uuid.uuid4())
        self.conf = self.data / "ceph.conf"
        self.conf.write_text(CEPH_CONF.format(
            fsid=self.fsid, mon=harness.free_port(), port=self.port, data=self.data))

    def command(self):
        return [found("radosgw"), "-f", "-c", self.conf, "-n", "client.rgw"]

    def start(self):
        if not self.others:
            self.start_cluster()
        super().start()

    def start_cluster(self):
        keys, mons = self.data / "keyring", self.data / "monmap"
        host = re.search("mon host = (.*)", self.conf.read_text()).group(1)
        self.run("monmaptool", "--create", "--fsid", self.fsid, "--addv", "a", "[%s]" % host, mons)
        self.run("ceph-authtool", "--create-keyring", keys, "--gen-key", "-n", "mon.",
                 "--cap", "mon", "allow *")
        self.run("ceph-mon", "-c", self.conf, "--mkfs", "-i", "a", "--monmap", mons,
                 "--keyring", keys)
        self.aside("ceph-mon", "-i", "a")
        self.run("ceph", "-c", self.conf, "--connect-timeout", "30", "osd", "new", self.osd_id)
        self.run("ceph-osd", "-c", self.conf, "-i", "0", "--mkfs", "--osd-uuid", self.osd_id)
        self.aside("ceph-osd", "-i", "0")

    def aside(self, program, *words):
        with open(self.log, "ab") as out:
            self.others.append(subprocess.Popen(
                [found(program), "-f", "-c", str(self.conf), *words], stdout=out, stderr=out,
                start_new_session=True))

    def run(self, program, *words):
        with open(self.log, "ab") as out:
            with contextlib.suppress(subprocess.SubprocessError):
                subprocess.run([found(program), *map(str, words)], stdout=out, stderr=out,
                               timeout=START_SECONDS, check=True)
                return
        raise Problem("%s failed, or took over %d s; see %s" % (program, START_SECONDS, self.log))

    def wait(self):
        super().wait()
        if self.buckets:
            self.run("radosgw-admin", "-c", self.conf, "user", "create", "--uid=bench",
                     "--display-name=bench", "--access-key=" + harness.ACCESS_KEY,
                     "--secret=" + harness.SECRET_KEY)
        for bucket in self.buckets:
            harness.make_bucket(self.endpoint, bucket, (harness.ACCESS_KEY, harness.SECRET_KEY))
        self.buckets = ()

    def __exit__(self, *_):
        super().__exit__()
        for process in reversed(self.others):
            harness.stop(process)


def found(program):
    path = shutil.which(program)
    if not path:
        raise Problem("%s is not there: as root, apt-get install --no-install-recommends"
                      " radosgw ceph-mon ceph-osd ceph-common" % program)
    return path


def server(case, kind, buckets, certificates=None):
    """A new and empty server of that kind. An option may name its program; it is found else, or
    built."""
    binary = getattr(case.given, kind, None)
    if kind == "minio":
        return Minio(buckets, binary or harness.minio(), certificates)
    if kind == "versitygw":
        return Versitygw(buckets, binary or harness.program("versitygw"))
    if kind == "ceph":
        return Ceph(buckets)
    return Embedded(case.jars, buckets) if kind == "embedded" else (
        Seaweed(buckets, harness.seaweedfs()))


def server_of(case, buckets, certificates=None):
    """A new one of the kind that is asked for; only MinIO speaks TLS here."""
    return server(case, "minio" if certificates else case.given.server, buckets, certificates)


class Weather(Process):
    """`penstock weather`: a proxy before a server, or Penstock's own S3 when there is none."""

    def __init__(self, jars, upstream, arguments=(), buckets=(), logs=False):
        super().__init__("weather")
        self.jars, self.arguments = jars, [*arguments]
        self.access_log = None
        if logs:
            self.access_log = harness.RUN / (self.name + ".access.log")
            self.access_log.parent.mkdir(parents=True, exist_ok=True)
            self.access_log.touch()
            self.arguments += ["--access-log", self.access_log]
        if upstream:
            self.arguments += ["--upstream", upstream]
        for bucket in buckets:
            self.arguments += ["--bucket", bucket]

    def command(self):
        return [harness.java(), "-Xmx512m", "-jar", self.jars / "penstock-cli.jar", "weather",
                "--port", self.port, *self.arguments]


class Embedded(Weather):
    """Penstock's own S3, in memory: what is killed is gone, so it has no part in outages."""

    can_be_killed = False

    def __init__(self, jars, buckets):
        super().__init__(jars, None, buckets=buckets)
        self.buckets, self.told = buckets, set()

    def uploads(self):
        """Asks without a signature: everybody may come in. Whether one holds data is not asked."""
        found = {}
        for bucket in self.buckets:
            with urllib.request.urlopen("%s/%s?uploads" % (self.endpoint, bucket),
                                        timeout=30) as answer:
                found.update((upload, True) for upload in UPLOAD_ID.findall(answer.read()))
        return found

    pending, settled = DataServer.pending, DataServer.settled
    new_uploads = DataServer.new_uploads


# ---- a switch before a server

class Gate(Listener):
    """One address of a switch. Open: passes everything on. Closed: refuses and cuts. Silent: takes
    connections and says nothing. Slow: every answer comes so much later."""

    def __init__(self, address, port, target):
        super().__init__(address, port)
        self.target = target
        self.mode, self.delay_seconds = "open", 0.0
        self.pairs = {}

    def _serve(self, client):
        pair = [client, None]
        with self.lock:
            self.pairs[id(pair)] = pair
        try:
            if self.mode == "silent":
                return self._wait_for_sound(client)
            pair[1] = server = socket.create_connection(self.target, 10)
            server.settimeout(None)
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            up = threading.Thread(target=self._pump, args=[client, server, False], daemon=True)
            up.start()
            self._pump(server, client, True)
            up.join()
        except OSError:
            pass
        finally:
            self._forget(pair)

    def _pump(self, source, sink, is_answer):
        with contextlib.suppress(OSError):
            while True:
                some = source.recv(262_144)
                if not some:
                    break
                if is_answer and self.mode == "slow":
                    time.sleep(self.delay_seconds)
                if self.mode == "silent":
                    self._wait_for_sound(source)
                sink.sendall(some)
        shut(source), shut(sink)

    def _wait_for_sound(self, end):
        while self.mode == "silent" and end.fileno() >= 0:
            time.sleep(0.1)

    def _forget(self, pair):
        for end in pair:
            if end is not None:
                end.close()
        with self.lock:
            self.pairs.pop(id(pair), None)

    def cut(self):
        """Ends all connections that are open."""
        with self.lock:
            pairs = list(self.pairs.values())
        for end in itertools.chain.from_iterable(pairs):
            if end is not None:
                shut(end)

    def be(self, mode, delay_seconds=0.0):
        was, self.mode, self.delay_seconds = self.mode, mode, delay_seconds
        if mode == "closed":
            self.close()
        elif was == "closed":
            self.listen()

    def lead_to(self, target):
        """Other connections than now: those to the former server are cut."""
        self.target = target
        self.cut()

    def close(self):
        super().close()
        self.cut()


@contextlib.contextmanager
def switch(target, addresses=("127.0.0.1",)):
    """Gates with one port on several addresses, in front of one server."""
    gates, port = [], harness.free_port()
    try:
        for address in addresses:
            gate = Gate(address, port, ("127.0.0.1", target))
            gate.listen()
            gates.append(gate)
        yield gates
    finally:
        for gate in gates:
            gate.be("closed")
