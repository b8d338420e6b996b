"""The system calls that Python does not offer, each raising OSError with its own name when it fails."""

from __future__ import annotations

import _socket
import ctypes
import errno
import fcntl
import os
import signal
import socket
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_NODIRATIME, MS_BIND, MS_REC, MS_PRIVATE, MS_SLAVE = 32, 2048, 4096, 16384, 1 << 18, 1 << 19
MNT_DETACH = 2
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
CLONE_NAMESPACES = (
    CLONE_NEWNS,
    CLONE_NEWCGROUP,
    CLONE_NEWUTS,
    CLONE_NEWIPC,
    CLONE_NEWUSER,
    CLONE_NEWPID,
    CLONE_NEWNET,
    0x80,
)

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 4, 24, 38, 47
PR_SET_CHILD_SUBREAPER = 36
CAP_DAC_READ_SEARCH, CAP_SETGID, CAP_SETUID, CAP_CHECKPOINT_RESTORE = 1 << 2, 1 << 6, 1 << 7, 1 << 40

# System calls younger than 424 have one number on every architecture.
OPEN_TREE, MOVE_MOUNT, PIDFD_OPEN, CLOSE_RANGE, OPENAT2, MOUNT_SETATTR = 428, 429, 434, 436, 437, 442
_BY_MACHINE = {
    "x86_64": {"clone": 56, "pivot_root": 155, "capset": 126, "seccomp": 317, "keyctl": 250, "setns": 308},
    "aarch64": {"clone": 220, "pivot_root": 41, "capset": 91, "seccomp": 277, "keyctl": 219, "setns": 268},
}
# As filters of system calls name them.
AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
MACHINE = os.uname().machine
NUMBERS = _BY_MACHINE.get(MACHINE, {})

libc = ctypes.PyDLL(None, use_errno=True)
libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
libc.syscall.restype = ctypes.c_long


def _checked(returned: int, what: str, *about: object) -> int:
    if returned < 0:
        error = ctypes.get_errno()
        raise OSError(error, "%s: %s" % (" ".join((what, *map(str, about))), os.strerror(error)))
    return returned


def _encoded(text: str | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def syscall(number: int, *arguments: Any, what: str) -> int:
    return _checked(libc.syscall(ctypes.c_long(number), *arguments), what)


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    _checked(libc.mount(_encoded(source), _encoded(target), _encoded(kind), flags, _encoded(options)), "mount", target)


def overlay_readonly(below: str, empty: str, target: str) -> None:
    """The directory `below` as a file system of its own: the same contents, in files that have locks and watches of
    their own. The kernel wants a second layer, which is empty."""
    mount("overlay", target, "overlay", MS_RDONLY | MS_NOSUID | MS_NODEV, "lowerdir=%s:%s,userxattr" % (below, empty))


def bind_readonly(source: str, target: str) -> None:
    mount(source, target, None, MS_BIND)
    mount(None, target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)


def bind_device(source: str, target: str) -> None:
    """Through a read-only mount a device still works; what is refused is to change the times and the mode of the host's
    file."""
    mount(source, target, None, MS_BIND)
    mount(None, target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NOEXEC)


def unmount(target: str) -> None:
    _checked(libc.umount2(target.encode(), MNT_DETACH), "umount %s" % target)


def unshare(flags: int) -> None:
    _checked(libc.unshare(flags), "unshare")


def enter_mounts(namespace: int) -> None:
    """Makes a mount namespace this process's own, given by its descriptor; the current directory is its root then."""
    _checked(libc.setns(namespace, CLONE_NEWNS), "setns")


def set_hostname(name: str) -> None:
    _checked(libc.sethostname(name.encode(), len(name)), "sethostname")


def prctl(option: int, argument: int = 0, second: int = 0) -> int:
    return _checked(libc.prctl(option, argument, second, 0, 0), "prctl", option)


def require_init() -> None:
    """Checked before all visible processes are ended: anywhere but in pid 1 of a namespace these are the host's."""
    if os.getpid() != 1:
        raise RuntimeError("only pid 1 of a namespace may end everything in it")


def die_with_parent() -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def pivot_root_here() -> None:
    """The current directory becomes the root; what was the root is gone."""
    syscall(NUMBERS["pivot_root"], b".", b".", what="pivot_root")
    unmount(".")
    os.chdir("/")


def pidfd_open(pid: int) -> int:
    """A descriptor that can be read when the process has ended."""
    try:
        return syscall(PIDFD_OPEN, ctypes.c_int(pid), ctypes.c_uint(0), what="pidfd_open")
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
        return _watch_child(pid)


def _watch_child(pid: int) -> int:
    """The same for a child where the kernel has no such descriptors, as gVisor's: a thread waits for it."""
    import threading

    ended, held = os.pipe()

    def wait() -> None:
        try:
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            pass
        os.close(held)

    threading.Thread(target=wait, daemon=True).start()
    return ended


def close_descriptors(first: int, last: int = 0x7FFFFFFF) -> None:
    syscall(CLOSE_RANGE, ctypes.c_uint(first), ctypes.c_uint(last), ctypes.c_uint(0), what="close_range")


def close_all_but(kept: Iterable[int]) -> None:
    first = 3
    for descriptor in sorted(kept):
        if descriptor > first:
            close_descriptors(first, descriptor - 1)
        first = max(first, descriptor + 1)
    close_descriptors(first)


def open_beneath(directory: int, path: str, flags: int) -> int:
    """Opens `path` below the directory, and fails where a link stands on the way or `..` leads out."""
    return syscall(
        OPENAT2,
        ctypes.c_int(directory),
        path.encode("utf-8", "surrogateescape"),
        struct.pack("QQQ", flags, 0, 0x02 | 0x04 | 0x08),
        ctypes.c_size_t(24),
        what="openat2 %s" % path,
    )


def clone_mount(path: str, recursive: bool = False) -> int:
    """A detached copy of the mount at `path`, without what is mounted below it, or with all of it."""
    flags = 1 | 0x80000 | (0x8000 if recursive else 0)
    return syscall(OPEN_TREE, ctypes.c_int(-100), path.encode(), ctypes.c_uint(flags), what="open_tree %s" % path)


def clone_opened(directory: int) -> int:
    """The same of a directory that is open already: what its name leads to by now does not matter."""
    return syscall(OPEN_TREE, ctypes.c_int(directory), b"", ctypes.c_uint(1 | 0x80000 | 0x1000), what="open_tree")


def set_mount_attributes(descriptor: int, attributes: int, idmap_namespace: int = -1) -> None:
    packed = struct.pack("QQQQ", attributes | (0x100000 if idmap_namespace >= 0 else 0), 0, 0, max(idmap_namespace, 0))
    syscall(
        MOUNT_SETATTR,
        ctypes.c_int(descriptor),
        b"",
        ctypes.c_uint(0x1000),
        packed,
        ctypes.c_size_t(len(packed)),
        what="mount_setattr",
    )


def attach_mount(descriptor: int, target: str) -> None:
    syscall(
        MOVE_MOUNT,
        ctypes.c_int(descriptor),
        b"",
        ctypes.c_int(-100),
        target.encode(),
        ctypes.c_uint(4),
        what="move_mount %s" % target,
    )


def drop_capabilities(but: int = 0) -> None:
    """Empties the effective, permitted, inheritable and ambient sets of this process; `but` are the bits of those that
    it keeps."""
    header = struct.pack("Ii", 0x20080522, 0)
    low, high = but & 0xFFFFFFFF, but >> 32
    syscall(NUMBERS["capset"], header, struct.pack("6I", low, low, 0, high, high, 0), what="capset")
    try:
        prctl(PR_CAP_AMBIENT, 4)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a kernel without ambient capabilities: gVisor's
            raise


def drop_bounding_set() -> None:
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # the first number that this kernel does not know


def new_session_keyring() -> None:
    """Joins an anonymous keyring, so that keys of the starting process are out of reach. Kernels without keys have
    none to hide."""
    libc.syscall(ctypes.c_long(NUMBERS["keyctl"]), ctypes.c_int(1), ctypes.c_void_p(0))


_LOOPBACK_UP = struct.pack("16sH14s", b"lo", 0x1 | 0x40, b"")


def raise_loopback() -> None:
    link = _socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(link.fileno(), 0x8914, _LOOPBACK_UP)
    link.close()


def write_file(path: str, text: str) -> None:
    """For the kernel's own files: one system call each, and none of what a text file brings along."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def merge_heap_pages() -> None:
    """Asks for huge pages under the heap: a fork then copies a page table of hundreds of entries instead of tens of
    thousands."""
    import re

    page = 2 << 20
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    with open("/proc/self/maps") as maps:
        lines = maps.read().splitlines()
    for line in lines:
        found = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ \d+\s*(.*)", line)
        if not found or found.group(3) not in ("", "[heap]"):
            continue
        start = (int(found.group(1), 16) + page - 1) & ~(page - 1)
        for address in range(start, int(found.group(2), 16) & ~(page - 1), page):
            libc.madvise(address, page, 25)
