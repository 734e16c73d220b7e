# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A control group of Linux, version 1 or 2, for benchmarks of what runs in a container: its limits,
and what was used. Needs root."""

import contextlib
import os
import pathlib

from harness import Problem

ROOT = pathlib.Path("/sys/fs/cgroup")
PERIOD_MICROS = 100_000


class Group:
    def __init__(self, name):
        self.is_v2 = "cpu" in read(ROOT / "cgroup.controllers").split()
        if self.is_v2:
            (ROOT / "cgroup.subtree_control").write_text("+cpu +memory")
        controllers = ("",) if self.is_v2 else ("cpu", "cpuacct", "memory")
        self.folders = {name_: ROOT / name_ / name for name_ in controllers}

    @contextlib.contextmanager
    def made(self, cpus=None, memory_bytes=None):
        """With these limits; without them it only measures."""
        try:
            for folder in self.folders.values():
                folder.mkdir()
        except OSError as e:
            raise Problem("cannot make a control group (%s); run this as root on Linux" % e) from e
        try:
            self.limit(cpus, memory_bytes)
            yield self
        finally:
            for folder in self.folders.values():
                with contextlib.suppress(OSError):
                    folder.rmdir()

    def limit(self, cpus, memory_bytes):
        quota = None if cpus is None else round(cpus * PERIOD_MICROS)
        if quota and self.is_v2:
            (self.folders[""] / "cpu.max").write_text("%d %d" % (quota, PERIOD_MICROS))
        elif quota:
            (self.folders["cpu"] / "cpu.cfs_period_us").write_text(str(PERIOD_MICROS))
            (self.folders["cpu"] / "cpu.cfs_quota_us").write_text(str(quota))
        if memory_bytes and self.is_v2:
            (self.folders[""] / "memory.max").write_text(str(memory_bytes))
        elif memory_bytes:
            (self.folders["memory"] / "memory.limit_in_bytes").write_text(str(memory_bytes))

    def words_before(self):
        """Before a command that runs in the group with all that it starts."""
        joins = "".join("echo $$ > %s/cgroup.procs && " % folder for folder in self.folders.values())
        return ["sh", "-c", joins + 'exec "$@"', "in-group"]

    def cpu_seconds(self):
        if self.is_v2:
            return stat(self.folders[""] / "cpu.stat")["usage_usec"] / 1e6
        return int(read(self.folders["cpuacct"] / "cpuacct.usage")) / 1e9

    def throttled(self):
        """Seconds, summed over the threads that were stopped, and the share of the periods."""
        found = stat(self.folders["" if self.is_v2 else "cpu"] / "cpu.stat")
        seconds = (found.get("throttled_usec", 0) / 1e6 if self.is_v2
                   else found.get("throttled_time", 0) / 1e9)
        return seconds, found.get("nr_throttled", 0) / max(1, found.get("nr_periods", 0))

    def peak_bytes(self):
        """Without the page cache in version 1: what an executor cannot give back."""
        if self.is_v2:
            return int(read(self.folders[""] / "memory.peak") or 0)
        return stat(self.folders["memory"] / "memory.stat")["total_rss"]


def read(file):
    return file.read_text() if os.path.exists(file) else ""


def stat(file):
    return {line.split()[0]: int(line.split()[1]) for line in read(file).splitlines()}
