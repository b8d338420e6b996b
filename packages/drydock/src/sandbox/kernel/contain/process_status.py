"""Processes as /proc shows them: which ones exist, and how one ended that is not reaped yet."""

from __future__ import annotations

import os
import signal
import time

import linux

TICKS = os.sysconf("SC_CLK_TCK")
_EXITING = 4  # the kernel's flag of a process that ends

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def list_processes(nested: bool = True) -> set[int]:
    """Without `nested`, only those of this very namespace, and none of namespaces below it."""
    found = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    return found if nested else {pid for pid in found if not is_nested(pid)}


def is_nested(pid: int) -> bool:
    """Whether it is in a process namespace below this one. True for a process that is gone."""
    try:
        with open("/proc/%d/status" % pid, "rb") as file:
            row = next(line for line in file if line.startswith(b"NSpid:"))
        return len(row.split()) > 2
    except (OSError, StopIteration):
        return True


def ticks_now() -> int:
    """As the kernel counts the starts of processes."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS)


def started_at(pid: int) -> int:
    """0 for a process that is gone."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            return int(file.read().rsplit(b")", 1)[1].split()[19])
    except OSError:
        return 0


def parent_of(pid: int) -> int | None:
    """None for a process that is gone."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            return int(file.read().rsplit(b")", 1)[1].split()[1])
    except OSError:
        return None


def is_running(pid: int) -> bool:
    """False for one that is dead, reaped or not."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            return file.read().rsplit(b")", 1)[1].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


def is_dying(pid: int) -> bool:
    """Whether it was killed, also where it has had no time to die yet. True for a process that is gone."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            fields = file.read().rsplit(b")", 1)[1].split()
    except OSError:
        return True
    is_exiting, is_killed = int(fields[6]) & _EXITING, int(fields[28]) & 1 << signal.SIGKILL - 1
    return bool(is_exiting or is_killed)


def status_of_dead(pid: int) -> int | None:
    """How it ended, as long as it is not reaped. None for a process that lives, or that is gone."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            fields = file.read().rsplit(b")", 1)[1].split()
        return int(fields[-1]) if fields[0] == b"Z" else None
    except OSError:
        return None


def status_of_step(pid: int) -> int:
    """The dead child's status, from the kernel: its parent is the state before, which sleeps and has not reaped it."""
    status = status_of_dead(pid)
    if status is not None:
        return status
    try:
        return os.waitpid(pid, os.WNOHANG)[1]
    except ChildProcessError:
        return signal.SIGKILL  # somebody hid how it ended: that is no success


def kill(pids: Iterable[int]) -> None:
    """And waits until they are dead."""
    linux.require_init()
    waiting = set(pids) - {1}
    deadline = time.monotonic() + 5
    while waiting and time.monotonic() < deadline:
        for pid in list(waiting):
            try:
                os.kill(pid, signal.SIGKILL)
                with open("/proc/%d/stat" % pid, "rb") as file:
                    if file.read().rsplit(b")", 1)[1].split()[0] in (b"Z", b"X"):
                        waiting.discard(pid)
            except OSError:
                waiting.discard(pid)
        if waiting:
            time.sleep(0.001)
    reap()


def reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
