# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""Marks in the store's access log: what lies between two of them is one section.

A request is logged a moment after its answer was read, so a mark must not overtake it.
"""

import contextlib
import time
import urllib.error
import urllib.request


class Marks:
    """Marks by a client of their own, each after a wait that is long against that moment."""

    settle_seconds = 1.5

    def __init__(self, endpoint, bucket):
        self.base = "%s/%s/.marker" % (endpoint, bucket)

    def put(self, event, name):
        try:
            urllib.request.urlopen("%s/%s/%s" % (self.base, event, name), timeout=60).close()
        except urllib.error.HTTPError:
            pass  # not signed, or not there: it is in the log all the same

    @contextlib.contextmanager
    def section(self, name):
        time.sleep(self.settle_seconds)
        self.put("start", name)
        try:
            yield
        finally:
            time.sleep(self.settle_seconds)
            self.put("end", name)


class MarksInLine(Marks):
    """Marks through the measured file system itself. Its client uses the connection last used, and
    a connection's next request waits for the log line of the one before: none is overtaken."""

    settle_seconds = 0.1

    def __init__(self, exists, bucket):
        self.exists = exists
        self.base = "s3a://%s/.marker" % bucket

    def put(self, event, name):
        self.exists("%s/%s/%s" % (self.base, event, name))
