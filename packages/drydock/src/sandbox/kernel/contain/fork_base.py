"""What the wardens of forks are cloned from: the mounts of their session, without what a member brings itself."""

from __future__ import annotations

import os

import clone
import linux
from contain.steps import INNER_UID
from linux import MS_NODEV, MS_NOEXEC, MS_NOSUID

FORK_NAMESPACES = linux.CLONE_NEWPID | linux.CLONE_NEWNS | linux.CLONE_NEWIPC | linux.CLONE_NEWUSER
_KINDS = ("user", "mnt", "pid", "ipc", "net")
# Mounted by each member for itself, the outer before the inner; and what covers the scratch.
_OWN_MOUNTS = ("/work", "/work", "/var/tmp", "/var/tmp", "/tmp", "/tmp", "/dev/shm", "/dev/shm")
_OWN_MOUNTS += ("/home/dock", "/home/dock", "/dev/pts", "/.scratch", "/.lower")
_ENOUGH = 1 << 20


class ForkBase:
    """`covered` are mounts that who is cloned from it does not need to see. Without a network of its own it has that of
    the run."""

    def __init__(self, rootless: bool, covered: tuple[str, ...] = _OWN_MOUNTS) -> None:
        self._rootless = rootless
        self._own = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
        _allow_namespaces()
        linux.unshare(linux.CLONE_NEWNS)
        try:
            for place in covered:
                if _is_mount(place):
                    linux.unmount(place)
            linux.unmount("/proc")  # below it is a whole one, without which no other could be mounted
            self._base = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
        finally:
            linux.enter_mounts(self._own)

    def clone_warden(self, own_network: bool = True) -> int:
        """Returns its pid, and 0 in the warden itself, which has no identity until that is mapped. Its user namespace
        belongs to the user that the code is: so copies of the code may enter it."""
        linux.enter_mounts(self._base)
        if not self._rootless:
            os.seteuid(INNER_UID)
        # Its map can be written as long as it can be looked into; nothing of the session runs meanwhile.
        linux.prctl(linux.PR_SET_DUMPABLE, 1)
        pid = -1
        try:
            pid = clone.clone_child(FORK_NAMESPACES | (linux.CLONE_NEWNET if own_network else 0))
        finally:
            if pid != 0:
                self._return()
        return pid

    def _return(self) -> None:
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
        if not self._rootless:
            os.seteuid(0)
            linux.die_with_parent()  # a change of identity clears it
        linux.enter_mounts(self._own)

    def map_identity(self, pid: int) -> None:
        text = "%d %d 1" % (INNER_UID, INNER_UID) if self._rootless else "0 0 1\n%d %d 1" % (INNER_UID, INNER_UID)
        for name in ("uid_map", "gid_map"):
            linux.write_file("/proc/%d/%s" % (pid, name), text)


def _allow_namespaces() -> None:
    """Every member starts with a limit of none, and a fork has that limit again. The kernel asks all namespaces above,
    so a session's own stays open once it was forked: its forks may be forked, too. In /proc of the session the limits
    are read-only; this is another one, which is gone before anything of the session runs on."""
    linux.mount("proc", "/.lower", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    try:
        for kind in _KINDS:
            linux.write_file("/.lower/sys/user/max_%s_namespaces" % kind, "%d" % _ENOUGH)
    finally:
        linux.unmount("/.lower")


def _is_mount(place: str) -> bool:
    """Whether something is mounted there that is not its parent's own directory."""
    return os.stat(place).st_dev != os.stat(place + "/..").st_dev or _mount_id(place) != _mount_id(place + "/..")


def _mount_id(path: str) -> bytes:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        with open("/proc/self/fdinfo/%d" % descriptor, "rb") as file:
            return next(line for line in file if line.startswith(b"mnt_id:"))
    finally:
        os.close(descriptor)
