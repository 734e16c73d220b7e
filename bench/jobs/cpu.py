# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""CPU time of a job's JVM."""

import os


def cpu_seconds():
    """Of Spark's JVM so far, which is this process's parent; 0 where there is no /proc."""
    try:
        with open("/proc/%d/stat" % os.getppid(), encoding="utf-8") as stat:
            fields = stat.read().rsplit(") ", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
