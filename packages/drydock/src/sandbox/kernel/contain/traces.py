"""What a run can leave in the namespaces that it ran in, and where it shows. A slot is used again only where none of it
has changed since the slot was built; what can't be read has changed.

Each row of `TRACES` is one such place, by its name. The code process opens all of them while it builds the slot, and
reads them once before it opens its door: that is what later looks are compared with, by the lookout, which has the
descriptors by then and trusts nobody inside."""

from __future__ import annotations

import os
import time

import linux
import plain_json as json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from shapes import TracedMember

    Held = Mapping[str, int]

# Directories of the scratch. The first four are the code's own; nobody has written to the others.
DIRECTORIES = ("work", "tmp", "shm", "home", "upper", "inner", "mask", "snapshots")
# Of /proc/net. Most of it counts packets; a flow label outlives its socket.
COUNTERS = ("snmp", "netstat", "snmp6")
SOCKETS = ("sockstat", "sockstat6")
LAST_PID = "last pid"
# A change of a file shows in its time of change, which goes in steps of this clock: code that begins in the step in
# which the slot was built could change something unseen.
_CLOCK_REALTIME_COARSE = 5
_STEP_S = time.clock_getres(_CLOCK_REALTIME_COARSE)
_CHUNK = 1 << 15


def open_last_pid(member: TracedMember) -> None:
    """The kernel's count of processes in this namespace, while it can still be opened for writing."""
    if member.traces is not None:
        _hold(member.traces, LAST_PID, "/proc/sys/kernel/ns_last_pid", os.O_WRONLY)


def open_traces(member: TracedMember) -> None:
    held = member.traces
    if held is None:
        return
    _hold(held, "terminals", "/dev/pts", os.O_RDONLY | os.O_DIRECTORY)
    _hold(held, "network", "/proc/1/net", os.O_RDONLY | os.O_DIRECTORY)
    try:
        linux.mount("queues", "/.lower", "mqueue", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NODIRATIME)
    except OSError:
        return  # a kernel without them, or without this way to see them: its slots are not used again
    _hold(held, "queues", "/.lower", os.O_RDONLY | os.O_DIRECTORY)
    linux.unmount("/.lower")
    member.built = _describe(held, member.scratch)


def await_step(member: TracedMember) -> None:
    """A slot that is used as soon as it is built would have no other run after that one: it is built when a change of
    it shows."""
    read_at = json.loads(member.built)["at"] if member.built else 0
    while now() <= read_at:
        time.sleep(_STEP_S / 4)


def now() -> int:
    """By the clock of changes, in nanoseconds."""
    return time.clock_gettime_ns(_CLOCK_REALTIME_COARSE)


def _hold(held: dict[str, int], name: str, path: str, flags: int) -> None:
    try:
        held[name] = os.open(path, flags | os.O_CLOEXEC)
    except OSError:
        pass  # it is not there, or not to be had: what needs it says so


def _stamp(found: os.stat_result) -> tuple[int, ...]:
    """Without its owner, who has another number inside than outside. Nobody inside can give a file away."""
    return (
        found.st_ino,
        found.st_mode,
        found.st_nlink,
        found.st_size,
        found.st_atime_ns,
        found.st_mtime_ns,
        found.st_ctime_ns,
    )


def _network(held: Held, name: str) -> bytes | None:
    """What a file of /proc/net says; not every kernel has all of them."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=held["network"])
    except FileNotFoundError:
        return None
    try:
        text = b""
        while more := os.read(descriptor, _CHUNK):
            text += more
        return text
    finally:
        os.close(descriptor)


def _disk(held: Held) -> object:
    """Files that were removed and are still held by something count here."""
    disk = os.fstatvfs(held["scratch"])
    return disk.f_blocks, disk.f_bfree, disk.f_files, disk.f_ffree


def _directories(held: Held) -> object:
    scratch = held["scratch"]
    return [_stamp(os.fstat(scratch)), *(_stamp(os.stat(name, dir_fd=scratch)) for name in DIRECTORIES)]


def _terminals(held: Held) -> object:
    directory = held["terminals"]
    return sorted(os.listdir(directory)), _stamp(os.fstat(directory)), _stamp(os.stat("ptmx", dir_fd=directory))


def _queues(held: Held) -> object:
    return os.listdir(held["queues"]), _stamp(os.fstat(held["queues"]))


def _packets(held: Held) -> object:
    return _network(held, "dev")


def _counters(held: Held) -> object:
    return [_network(held, name) for name in COUNTERS]


def _labels(held: Held) -> object:
    return _network(held, "ip6_flowlabel")


def _sockets(held: Held) -> object:
    """Of the figures there, those that are this namespace's: the others are the whole machine's."""
    words = b" ".join(_network(held, name) or b"" for name in SOCKETS).split()
    return [(word, number) for word, number in zip(words, words[1:]) if word in (b"used", b"inuse", b"tw")]


TRACES: tuple[tuple[str, Callable[[Held], object]], ...] = (
    ("disk", _disk),
    ("directories", _directories),
    ("terminals", _terminals),
    ("queues", _queues),
    ("packets", _packets),
    ("counters", _counters),
    ("labels", _labels),
    ("sockets", _sockets),
)


def read(held: Held) -> dict[str, str] | None:
    """What all of them say, by name. None where one of them can't be read."""
    try:
        return {name: repr(look(held)) for name, look in TRACES}
    except (OSError, KeyError):
        return None


def _describe(held: Held, scratch: int) -> bytes:
    """Of a slot that was just built: what its descriptors are called, and what they say. Nothing where it can't be used
    again."""
    told = read({**held, "scratch": scratch}) if LAST_PID in held else None
    if told is None:
        return b""
    # The finer clock is never behind the other: whatever was changed so far has no later time.
    read_at = time.time_ns()
    last = max(os.stat(name, dir_fd=scratch).st_ino for name in DIRECTORIES)
    return json.dumps({"held": list(held), "told": told, "at": read_at, "lastFile": last}).encode()
