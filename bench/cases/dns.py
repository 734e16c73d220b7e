# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""How many DNS queries does a request to S3 cost, with the ndots of a pod and with a smaller one?

Spark writes files and reads them in a mount namespace whose /etc/resolv.conf is that of a pod on
EKS, with a name server that runs here and counts. It knows S3's name, and answers NXDOMAIN to every
name that the search list makes of it. The JVM keeps an answer for 30 s; the cases "no cache" show
what clients cost that ask each time. Penstock looks S3's names up as absolute ones.

Needs root on Linux, for port 53 and the namespace. The rest of the machine is left as it is.
"""

import collections
import contextlib
import os
import shlex
import socket
import struct
import threading

import bench
import harness
import variants
from bench import Bench
from harness import number, say

HOST = "s3.us-east-1.amazonaws.com"
NAME_SERVER = "127.0.0.53"
RESOLV_CONF = """nameserver %s
search default.svc.cluster.local svc.cluster.local cluster.local ec2.internal
options ndots:%d
"""
# title -> (ndots, options of the JVM)
CASES = {
    "ndots:5": (5, ""),
    "ndots:2": (2, ""),
    "ndots:5, no cache": (5, "-Dsun.net.inetaddr.ttl=0 -Dsun.net.inetaddr.negative.ttl=0"),
    "ndots:2, no cache": (2, "-Dsun.net.inetaddr.ttl=0 -Dsun.net.inetaddr.negative.ttl=0"),
}
A, NO_ERROR, NXDOMAIN = 1, 0x8180, 0x8183
TTL_SECONDS = 5  # as S3's


class NameServer(threading.Thread):
    """One name with one address; every other name is not there."""

    def __init__(self):
        super().__init__(daemon=True)
        self.asked = collections.Counter()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self.socket.bind((NAME_SERVER, 53))
        except OSError as e:
            raise harness.Problem("cannot be a name server at %s: %s; run this as root"
                                  % (NAME_SERVER, e)) from e

    def run(self):
        with contextlib.suppress(OSError):  # closed
            while True:
                query, sender = self.socket.recvfrom(512)
                self.socket.sendto(self.answer(query), sender)

    def answer(self, query):
        name, end = name_in(query)
        kind, = struct.unpack_from(">H", query, end)
        found = name.lower() == HOST
        # The machine's own name is asked for too, and is no business of S3.
        if name.lower().startswith(HOST):
            self.asked[found] += 1
        record = b""
        if found and kind == A:
            record = (b"\xc0\x0c" + struct.pack(">HHIH", A, 1, TTL_SECONDS, 4)
                      + socket.inet_aton("127.0.0.1"))
        head = struct.pack(">HHHHH", NO_ERROR if found else NXDOMAIN, 1, 1 if record else 0, 0, 0)
        return query[:2] + head + query[12:end + 4] + record


def name_in(query):
    """The name that is asked for, and where it ends."""
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1:at + 1 + query[at]].decode("ascii", "replace"))
        at += 1 + query[at]
    return ".".join(labels), at + 1


case = Bench(__doc__, variants.some("penstock", "magic-memory"))
case.option("--files", 200, "that are written and read")
case.flag("--assert-goal", "exit 1 when Penstock asks for a name that does not exist")
case.parser.set_defaults(slots=4)
given = case.parse()


def in_pod(ndots):
    """The words before a command that let it see a pod's resolv.conf and an empty hosts file."""
    conf, hosts = harness.RUN / ("resolv-%d.conf" % ndots), harness.RUN / "hosts"
    conf.write_text(RESOLV_CONF % (NAME_SERVER, ndots))
    hosts.write_text("127.0.0.1 localhost %s\n" % socket.gethostname())
    return ["unshare", "--mount", "sh", "-c",
            "mount --bind %s /etc/resolv.conf && mount --bind %s /etc/hosts && exec \"$@\""
            % (shlex.quote(str(conf)), shlex.quote(str(hosts))), "in-pod"]


def one(server, names, name, title):
    ndots, jvm = CASES[title]
    with harness.weather(given, server, case.jars) as store:
        local = store._replace(endpoint=store.endpoint.replace("127.0.0.1", HOST))
        job = {"path": "s3a://%s/dns-%s-%d" % (store.bucket, name, len(jvm) + ndots),
               "log": str(store.access_log), "files": given.files, "rows": given.files * 10,
               "read": True}
        names.asked.clear()
        said, = case.spark("write.py", job, "%s-%s" % (name, title), name,
                           {"spark.driver.extraJavaOptions": jvm}, store=local,
                           before=in_pod(ndots))
        asked, missing = sum(names.asked.values()), names.asked[False]
        requests = harness.stretch(store.access_log, 0, os.path.getsize(store.access_log)).total
    error = said["write"]["error"] or said["read"]["error"]
    if error or said["read"]["found"] != said["expected"]:
        raise harness.Problem("%s, %s: %s" % (name, title, error or "read what was not written"))
    say("  %-18s %-18s %s requests, %s DNS queries, %s of them for names that do not exist" % (
        case.title(name), title, number(requests), number(asked), number(missing)))
    return {"variant": name, "case": title, "requests": requests, "queries": asked,
            "missing": missing}


def run():
    case.prepare()
    names = NameServer()
    names.start()
    with harness.server(given) as server:
        runs = [one(server, names, name, title) for name in given.variants for title in CASES]
    case.save(runs=runs)
    case.head("%d files written and read" % given.files)
    print(bench.columns_of(runs, [
        ("", lambda run: case.title(run["variant"])), ("resolv.conf", lambda run: run["case"]),
        ("requests", lambda run: number(run["requests"])),
        ("DNS queries", lambda run: number(run["queries"])),
        ("of no name", lambda run: number(run["missing"])),
        ("a request", lambda run: "%.2f" % (run["queries"] / run["requests"]))], left=2) + "\n")
    wasted = sum(r["missing"] for r in runs if variants.is_ours(r["variant"]))
    # Without any query nothing was measured.
    is_measured = all(r["queries"] > 0 for r in runs)
    return 1 if given.assert_goal and (wasted or not is_measured) else 0


case.main(run)
