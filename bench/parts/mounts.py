# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""A directory that is mounted over NFS, for benchmarks of checkpoints on mounted filesystems: a
server and a client in user space, on loopback. Needs root, Linux with FUSE, and Debian's
packages."""

import contextlib
import os
import shutil
import subprocess

import harness
from harness import Problem, say

PACKAGES = "nfs-ganesha nfs-ganesha-vfs rpcbind libnfs13 fuse3 libfuse3-3"
MFUSEPY = "mfusepy==3.1.1"
CONF = """
NFS_CORE_PARAM { Protocols = 3; NFS_Port = %(nfs)d; MNT_Port = %(mount)d; Bind_addr = 127.0.0.1;
  Enable_NLM = false; Enable_RQUOTA = false; }
EXPORT_DEFAULTS { Access_Type = RW; Squash = No_Root_Squash; SecType = sys; Protocols = 3;
  Transports = TCP; }
NFSv4 { Graceless = true; RecoveryBackend = fs; }
EXPORT { Export_Id = 1; Path = %(export)s; Pseudo = /export; FSAL { Name = VFS; }
  CLIENT { Clients = 127.0.0.1; Access_Type = RW; } }
LOG { Default_Log_Level = EVENT; }
"""
PATIENCE_SECONDS = 30


@contextlib.contextmanager
def nfs(folder="nfs"):
    """The path of a directory of its own on NFS, gone when the block ends."""
    need_programs()
    base = harness.RUN / folder
    export, mounted = base / "export", base / "mounted"
    for directory in (export, mounted):
        directory.mkdir(parents=True)
    for directory in ("/var/run/ganesha", "/var/lib/nfs/ganesha"):
        os.makedirs(directory, exist_ok=True)
    ports = {"nfs": harness.free_port(), "mount": harness.free_port()}
    conf = base / "ganesha.conf"
    conf.write_text(CONF % {**ports, "export": export})
    url = "nfs://127.0.0.1%s?nfsport=%d&mountport=%d" % (export, ports["nfs"], ports["mount"])
    with contextlib.ExitStack() as running:
        if not is_listening(111):
            running.enter_context(harness.process(
                ["rpcbind", "-f", "-w"], harness.LOGS / "rpcbind.log", stdout=subprocess.DEVNULL))
            until("rpcbind", lambda: is_listening(111))
        running.enter_context(harness.process(
            ["ganesha.nfsd", "-F", "-f", conf, "-L", harness.LOGS / "ganesha.log",
             "-p", base / "ganesha.pid"], harness.LOGS / "ganesha.err", stdout=subprocess.DEVNULL))
        until("the NFS server", lambda: is_listening(ports["nfs"]))
        running.enter_context(harness.process(
            [client_python(), harness.BENCH / "parts" / "nfsfuse.py", url, mounted],
            harness.LOGS / "nfsfuse.log", stdout=subprocess.DEVNULL))
        running.callback(subprocess.run, ["fusermount3", "-uz", str(mounted)], check=False)
        until("the NFS client", lambda: os.path.ismount(mounted))
        say("  NFS: %s" % mounted)
        yield mounted


def need_programs():
    missing = [name for name in ("ganesha.nfsd", "rpcbind", "fusermount3") if not shutil.which(name)]
    if os.geteuid() != 0 or missing:
        raise Problem("NFS needs root and these packages: apt-get install -y --no-install-recommends"
                      " %s%s" % (PACKAGES, "; missing: " + ", ".join(missing) if missing else ""))


def client_python():
    return harness.python_with("nfs-client", MFUSEPY)


def is_listening(port):
    """From the kernel's table: a connection would disturb a server that is just starting."""
    wanted = ":%04X" % port
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(table, encoding="ascii") as lines:
            if any(fields[1].endswith(wanted) and fields[3] == "0A"
                   for fields in (line.split() for line in lines)):
                return True
    return False


def until(what, is_there):
    if not harness.until(is_there, PATIENCE_SECONDS, 0.1):
        raise Problem("%s did not start within %d s; see %s" % (
            what, PATIENCE_SECONDS, harness.LOGS))
