# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""An NFS export as a directory, without the kernel's NFS client: libnfs (Debian's libnfs13) behind
FUSE (PyPI's mfusepy). For tests of what runs on a mounted filesystem; not fast, and locks are
local.

    python nfsfuse.py nfs://127.0.0.1/export?nfsport=20490&mountport=20480 MOUNTPOINT

A context of libnfs is not thread-safe: each call takes one of some contexts, and an open file stays
on the context that opened it. A call waits for a server that is gone, as a hard mount does.
"""

import argparse
import contextlib
import ctypes
import errno
import itertools
import os
import stat
import threading
import time

os.environ.setdefault("FUSE_LIBRARY_PATH", "/lib/x86_64-linux-gnu/libfuse3.so.3")
import mfusepy as fuse

LIBNFS = ctypes.CDLL("libnfs.so.13")
POINTER, TEXT, LONG, INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_int
CONTEXTS = 4
UTIME_NOW, UTIME_OMIT = (1 << 30) - 1, (1 << 30) - 2
NANOS = 10**9


class Stat(ctypes.Structure):
    _fields_ = [(name, LONG) for name in (
        "dev ino mode nlink uid gid rdev size blksize blocks atime mtime ctime"
        " atime_nsec mtime_nsec ctime_nsec used").split()]

    def as_dict(self):
        found = {"st_" + name: getattr(self, name) for name in
                 ("ino", "mode", "nlink", "uid", "gid", "size", "blksize", "blocks", "rdev")}
        for name in ("atime", "mtime", "ctime"):
            found["st_" + name] = getattr(self, name) * NANOS + getattr(self, name + "_nsec")
        return found


class Statvfs(ctypes.Structure):
    _fields_ = [(name, LONG) for name in
                "bsize frsize blocks bfree bavail files ffree favail fsid flag namemax".split()]


class Url(ctypes.Structure):
    _fields_ = [("server", TEXT), ("path", TEXT), ("file", TEXT)]


class Timeval(ctypes.Structure):
    _fields_ = [("sec", ctypes.c_long), ("usec", ctypes.c_long)]


class Entry(ctypes.Structure):
    """The head of libnfs's struct nfsdirent."""
    _fields_ = [("next", POINTER), ("name", TEXT), ("inode", LONG), ("type", ctypes.c_uint32),
                ("mode", ctypes.c_uint32)]


def function(name, result, *arguments):
    found = getattr(LIBNFS, name)
    found.restype, found.argtypes = result, arguments
    return found


init_context = function("nfs_init_context", POINTER)
parse_url = function("nfs_parse_url_dir", ctypes.POINTER(Url), POINTER, TEXT)
mount = function("nfs_mount", INT, POINTER, TEXT, TEXT)
get_error = function("nfs_get_error", TEXT, POINTER)
set_uid = function("nfs_set_uid", None, POINTER, INT)
set_gid = function("nfs_set_gid", None, POINTER, INT)
umask = function("nfs_umask", ctypes.c_uint16, POINTER, ctypes.c_uint16)
read_entry = function("nfs_readdir", ctypes.POINTER(Entry), POINTER, POINTER)
close_directory = function("nfs_closedir", None, POINTER, POINTER)
HANDLE = ctypes.POINTER(POINTER)
CALLS = {name: function("nfs_" + name, INT, POINTER, *arguments) for name, arguments in {
    "lstat64": (TEXT, ctypes.POINTER(Stat)), "fstat64": (POINTER, ctypes.POINTER(Stat)),
    "statvfs64": (TEXT, ctypes.POINTER(Statvfs)),
    "open": (TEXT, INT, HANDLE), "create": (TEXT, INT, INT, HANDLE), "close": (POINTER,),
    "pread": (POINTER, LONG, LONG, POINTER), "pwrite": (POINTER, LONG, LONG, TEXT),
    "fsync": (POINTER,), "truncate": (TEXT, LONG), "ftruncate": (POINTER, LONG),
    "mkdir2": (TEXT, INT), "rmdir": (TEXT,), "unlink": (TEXT,), "opendir": (TEXT, HANDLE),
    "readlink": (TEXT, POINTER, INT), "chmod": (TEXT, INT), "lchown": (TEXT, INT, INT),
    "lutimes": (TEXT, POINTER), "symlink": (TEXT, TEXT), "rename": (TEXT, TEXT),
    "link": (TEXT, TEXT),
}.items()}


class Context:
    """One connection; whoever uses it holds its lock."""

    def __init__(self, url):
        self.lock, self.caller = threading.RLock(), None
        self.nfs = init_context()
        parsed = parse_url(self.nfs, url.encode())
        if not parsed:
            raise OSError(errno.EINVAL, get_error(self.nfs).decode())
        if mount(self.nfs, parsed.contents.server, parsed.contents.path):
            raise OSError(errno.EIO, get_error(self.nfs).decode())
        umask(self.nfs, 0)

    def call(self, name, *arguments):
        uid, gid, _ = fuse.fuse_get_context()
        if self.caller != (uid, gid):
            set_uid(self.nfs, uid)
            set_gid(self.nfs, gid)
            self.caller = (uid, gid)
        result = CALLS[name](self.nfs, *arguments)
        if result < 0:
            raise OSError(-result, (get_error(self.nfs) or b"").decode())
        return result


class Nfs(fuse.Operations):
    use_ns = True

    def __init__(self, url):
        self.contexts = [Context(url) for _ in range(CONTEXTS)]
        self.handles, self.numbers, self.turns = {}, itertools.count(1), itertools.count()

    @contextlib.contextmanager
    def context(self):
        """An idle one; else the next in turn."""
        first = next(self.turns)
        for i in range(CONTEXTS):
            taken = self.contexts[(first + i) % CONTEXTS]
            if taken.lock.acquire(blocking=False):
                break
        else:
            taken.lock.acquire()
        try:
            yield taken
        finally:
            taken.lock.release()

    def do(self, name, *arguments):
        with self.context() as context:
            return context.call(name, *arguments)

    def on(self, number, name, *arguments):
        context, handle = self.handles[number]
        with context.lock:
            return context.call(name, handle, *arguments)

    def opened(self, name, *arguments):
        handle = POINTER()
        with self.context() as context:
            context.call(name, *arguments, ctypes.byref(handle))
            number = next(self.numbers)
            self.handles[number] = (context, handle)
        return number

    def getattr(self, path, fh=None):
        found = Stat()
        if fh in self.handles:
            self.on(fh, "fstat64", ctypes.byref(found))
        else:
            self.do("lstat64", path.encode(), ctypes.byref(found))
        return found.as_dict()

    def readdir(self, path, fh):
        directory, found = POINTER(), [".", ".."]
        with self.context() as context:
            context.call("opendir", path.encode(), ctypes.byref(directory))
            while entry := read_entry(context.nfs, directory):
                name = entry.contents.name.decode("utf-8", "surrogateescape")
                if name not in (".", ".."):
                    # Programs skip a name whose inode is 0.
                    inode = {"st_ino": entry.contents.inode, "st_mode": entry.contents.mode}
                    found.append((name, inode, 0))
            close_directory(context.nfs, directory)
        return found

    def open(self, path, flags):
        # The kernel gives each write its place: O_APPEND must not reach libnfs.
        kept = flags & (os.O_ACCMODE | os.O_TRUNC | os.O_SYNC)
        return self.opened("open", path.encode(), kept)

    def create(self, path, mode, flags=0):
        kept = flags & (os.O_ACCMODE | os.O_EXCL | os.O_TRUNC | os.O_SYNC)
        return self.opened("create", path.encode(), kept, stat.S_IMODE(mode))

    def read(self, path, size, offset, fh):
        buffer = ctypes.create_string_buffer(size)
        count = self.on(fh, "pread", offset, size, buffer)
        return buffer.raw[:count]

    def write(self, path, data, offset, fh):
        return self.on(fh, "pwrite", offset, len(data), data)

    def fsync(self, path, datasync, fh):
        return self.on(fh, "fsync")

    def flush(self, path, fh):
        """At close(): NFS promises that what was written is on the server then."""
        return self.on(fh, "fsync")

    def release(self, path, fh):
        try:
            return self.on(fh, "close")
        finally:
            self.handles.pop(fh, None)

    def truncate(self, path, length, fh=None):
        if fh in self.handles:
            return self.on(fh, "ftruncate", length)
        return self.do("truncate", path.encode(), length)

    def utimens(self, path, times=None):
        before, now = Stat(), time.time_ns()
        self.do("lstat64", path.encode(), ctypes.byref(before))
        old = (before.atime * NANOS + before.atime_nsec, before.mtime * NANOS + before.mtime_nsec)
        nanos = [now if wanted == UTIME_NOW else kept if wanted == UTIME_OMIT else wanted
                 for wanted, kept in zip(times or (UTIME_NOW, UTIME_NOW), old)]
        both = (Timeval * 2)(*(Timeval(n // NANOS, n % NANOS // 1000) for n in nanos))
        return self.do("lutimes", path.encode(), both)

    def statfs(self, path):
        found = Statvfs()
        self.do("statvfs64", path.encode(), ctypes.byref(found))
        return {"f_" + name: getattr(found, name) for name, _ in Statvfs._fields_ if name != "fsid"}

    def readlink(self, path):
        buffer = ctypes.create_string_buffer(4097)
        self.do("readlink", path.encode(), buffer, 4096)
        return buffer.value.decode()

    def chown(self, path, uid, gid):
        before = Stat()
        self.do("lstat64", path.encode(), ctypes.byref(before))
        return self.do("lchown", path.encode(), before.uid if uid == -1 else uid,
                       before.gid if gid == -1 else gid)

    def mkdir(self, path, mode):
        return self.do("mkdir2", path.encode(), stat.S_IMODE(mode))

    def rmdir(self, path):
        return self.do("rmdir", path.encode())

    def unlink(self, path):
        return self.do("unlink", path.encode())

    def rename(self, old, new):
        return self.do("rename", old.encode(), new.encode())

    def chmod(self, path, mode):
        return self.do("chmod", path.encode(), stat.S_IMODE(mode))

    def symlink(self, target, source):
        return self.do("symlink", source.encode(), target.encode())

    def link(self, target, source):
        return self.do("link", source.encode(), target.encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("mountpoint")
    given = parser.parse_args()
    fuse.FUSE(Nfs(given.url), given.mountpoint, foreground=True, allow_other=True,
              default_permissions=True, use_ino=True, attr_timeout=1, entry_timeout=1,
              negative_timeout=0, fsname=given.url, subtype="nfs")


if __name__ == "__main__":
    main()
