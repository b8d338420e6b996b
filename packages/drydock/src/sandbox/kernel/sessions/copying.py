"""Makes a copy of a session's interpreter, in the namespaces that its own warden has built for it.

The interpreter has given up every right long ago and gets none of them back: it is stopped, and a chain of processes
that share its memory, and never run an instruction of it, goes the way for it.

    interpreter --clone--> envoy: takes the fork's descriptors, enters its namespaces, gives up what that gave it
                             --clone--> herald: the first that is in the fork's process namespace
                                          --fork--> the copy: only this one has memory of its own, and it has no rights

Envoy and herald end at once. The copy belongs to the fork's warden, shares no descriptor and no memory with the
session, and goes on where the interpreter stopped."""

from __future__ import annotations

import os
import signal
import struct

from attend import handover
from contain import landlock
from sessions.tracee import Lost, Tracee
from sessions.wakers import Counter, Pipe, Poll, make_wakers, read_wakers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from shapes import Socket

NAMESPACES = ("user", "mnt", "pid", "ipc", "net")
STREAMS = (0, 1, 2, 3)  # standard input, output and error, and the channel to the warden
_CLONE_VM, _CLONE_VFORK, _CLONE_CHILD_SETTID, _CLONE_CHILD_CLEARTID = 0x100, 0x4000, 0x01000000, 0x00200000
_DONT_WAIT, _CLOSE_ON_EXEC = 0x40, 0x40000000
_WALL = 0x40000000
_MESSAGE = struct.Struct("QQQQQQQ")
_CONTROL_HEAD = struct.Struct("Qii")
_CONTROL_AT, _DATA_AT, _PATH_AT = 256, 128, 1024
_LAST_DESCRIPTOR = 0xFFFFFFFF
# Root has no special rights, rights are not kept and not passed on; and all of that is locked.
_PR_SET_SECUREBITS, _NO_RIGHTS_FOR_ROOT = 28, 0xEF
_MAP_SHARED, _MAP_PRIVATE, _MAP_FIXED, _MAP_ANONYMOUS = 1, 2, 0x10, 0x20
_READ_WRITE = 3
# More shared memory than this is not carried along.
SHARED_BYTES = 256 << 20
# System files that are mapped can't be written by any process in there.
_SYSTEM = (b"/usr/", b"/lib", b"/etc/", b"/opt/")
_AT_FDCWD = -100
_KEPT_FLAGS = os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK | os.O_DIRECTORY | os.O_PATH


class Copier:
    """Of one interpreter that stands at its fork point: `buffer` is memory in it that may be used, `thread_id` where
    its C library keeps the thread's number."""

    def __init__(self, original: Tracee, channel: Socket, buffer: int, thread_id: int) -> None:
        self._original, self._channel, self._buffer, self._thread_id = original, channel, buffer, thread_id
        self._files = list(_open_files(original.pid))
        self._wakers: list[Counter | Pipe | Poll] = []
        self._shared = list(_shared_mappings(original.pid))
        if sum(end - start for start, end, _ in self._shared) > SHARED_BYTES:
            raise Lost("more than %d MB of memory is shared with other processes" % (SHARED_BYTES >> 20))

    def keep_wakers(self) -> None:
        """What waits for events in the original does so in the copy, with descriptors of its own for that."""
        self._wakers = read_wakers(self._original, self._buffer)

    def copy(self, namespaces: Sequence[int], streams: Sequence[int], settle: Callable[[int], None]) -> None:
        """The descriptors of the namespaces that it enters, and those of `STREAMS`. `settle` is called with the
        copy's process id, before it goes on."""
        envoy = herald = copy = None
        try:
            envoy = self._original.clone(_CLONE_VM | _CLONE_VFORK)
            handover.give(self._channel, b"x", [*namespaces, *streams])  # now that there is somebody to take them
            received = self._receive(envoy, len(namespaces) + len(streams))
            for descriptor in received[: len(namespaces)]:
                envoy.call("setns", descriptor, 0)
            self._give_up_rights(envoy)
            herald = envoy.clone(_CLONE_VM | _CLONE_VFORK)
            copy = herald.clone(signal.SIGCHLD | _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID, self._thread_id)
            herald.await_return()
            herald.end()
            envoy.await_return()
            envoy.end()
            os.waitpid(herald.pid, _WALL)  # an orphan of the envoy's, and so a child of this process
            self._original.await_return()
            self._original.call("wait4", envoy.pid, 0, _WALL, 0)
            self._part(copy, received[len(namespaces) :])
            _require_powerless(copy.pid)
            settle(copy.pid)
            copy.release(1)
        except BaseException:
            for each in (copy, herald, envoy):
                if each is not None:
                    each.kill()
            raise

    def _receive(self, envoy: Tracee, count: int) -> list[int]:
        """The envoy's table of descriptors is its own: the interpreter never has these."""
        size = _CONTROL_HEAD.size + 4 * count
        vector = struct.pack("QQ", self._buffer + _DATA_AT + 64, 1)
        control = self._buffer + _CONTROL_AT
        envoy.write(self._buffer + _DATA_AT, vector)
        envoy.write(self._buffer, _MESSAGE.pack(0, 0, self._buffer + _DATA_AT, 1, control, size + 64, 0))
        if envoy.call("recvmsg", STREAMS[-1], self._buffer, _DONT_WAIT | _CLOSE_ON_EXEC) != 1:
            raise Lost("the channel is not what it was")
        length, level, kind = _CONTROL_HEAD.unpack(envoy.read(control, _CONTROL_HEAD.size))
        if (length, level, kind) != (size, 1, 1):
            raise Lost("the channel carries something else")
        return list(struct.unpack("%di" % count, envoy.read(control + _CONTROL_HEAD.size, 4 * count)))

    def _give_up_rights(self, envoy: Tracee) -> None:
        """Who enters a user namespace has every right in it. Its children are born without them, and no program and no
        change of identity gives them back."""
        envoy.call("prctl", _PR_SET_SECUREBITS, _NO_RIGHTS_FOR_ROOT)
        envoy.write(self._buffer, struct.pack("Ii6I", 0x20080522, 0, 0, 0, 0, 0, 0, 0))
        envoy.call("capset", self._buffer, self._buffer + 8)

    def _part(self, copy: Tracee, streams: Sequence[int]) -> None:
        """From what the session still holds: its process group, its descriptors, its shared memory."""
        copy.call("setsid")
        for source, target in zip(streams, STREAMS):
            copy.call("dup3", source, target, os.O_CLOEXEC if target == STREAMS[-1] else 0)
        copy.call("close_range", STREAMS[-1] + 1, _LAST_DESCRIPTOR, 0)
        for number, path, flags, position in self._files:
            self._open_again(copy, number, path, flags, position)
        make_wakers(copy, self._wakers, self._buffer)
        for start, end, protection in self._shared:
            _make_own(copy, start, end, protection)

    def _open_again(self, copy: Tracee, number: int, path: bytes | None, flags: int, position: int) -> None:
        """A file is opened in the fork's own view, at the same place. What is no file answers EBADF from here on, and
        keeps its number: nothing else gets it that old objects would then use or close."""
        opened = None
        if path is not None:
            copy.write(self._buffer + _PATH_AT, path + b"\0")
            try:
                opened = copy.call("openat", _AT_FDCWD, self._buffer + _PATH_AT, flags | os.O_NONBLOCK, 0)
            except OSError:
                pass  # it is not there by that name any more
        if opened is None:
            copy.write(self._buffer + _PATH_AT, b"/dev/null\0")
            opened = copy.call("openat", _AT_FDCWD, self._buffer + _PATH_AT, os.O_PATH | os.O_CLOEXEC, 0)
        elif position:
            copy.call("lseek", opened, position, os.SEEK_SET)
        if opened != number:
            copy.call("dup3", opened, number, flags & os.O_CLOEXEC)
            copy.call("close", opened)


def _open_files(pid: int) -> Iterator[tuple[int, bytes | None, int, int]]:
    """(Number, path, flags, position) of each descriptor beyond the usual; no path: it is no file that has one."""
    for name in sorted(os.listdir("/proc/%d/fd" % pid), key=int):
        if int(name) <= STREAMS[-1]:
            continue
        with open("/proc/%d/fdinfo/%s" % (pid, name), "rb") as file:
            facts = dict(line.split(b":", 1) for line in file if b":" in line)
        flags = int(facts[b"flags"], 8)
        path = os.readlink(b"/proc/%d/fd/%s" % (pid, name.encode()))
        is_named = path.startswith(b"/") and not path.endswith(b" (deleted)") and len(path) < 3000
        kept = flags & (_KEPT_FLAGS | os.O_CLOEXEC)
        yield int(name), path if is_named else None, kept, int(facts[b"pos"])


def _shared_mappings(pid: int) -> Iterator[tuple[int, int, int]]:
    """(Start, end, protection) of memory that a fork would share with the session."""
    with open("/proc/%d/maps" % pid, "rb") as lines:
        for line in lines:
            addresses, rights, _, _, _, *path = line.split(None, 5)
            if rights[3:4] != b"s" or b"".join(path).startswith(_SYSTEM):
                continue
            start, end = (int(each, 16) for each in addresses.split(b"-"))
            yield start, end, sum(bit for bit, letter in ((1, b"r"), (2, b"w"), (4, b"x")) if letter in rights)


def _make_own(copy: Tracee, start: int, end: int, protection: int) -> None:
    content = copy.read(start, end - start) if protection & 1 else b""
    where = (start, end - start, _READ_WRITE)
    try:
        copy.call("mmap", *where, _MAP_SHARED | _MAP_FIXED | _MAP_ANONYMOUS, -1, 0)
    except OSError:  # as an ordinary user there is less of this kind
        copy.call("mmap", *where, _MAP_PRIVATE | _MAP_FIXED | _MAP_ANONYMOUS, -1, 0)
    if content:
        copy.write(start, content)
    if protection != _READ_WRITE:
        copy.call("mprotect", start, end - start, protection)


def _require_powerless(pid: int) -> None:
    """As the kernel reports it, whatever was done before."""
    with open("/proc/%d/status" % pid, "rb") as file:
        facts = dict(line.rstrip(b"\n").split(b":\t", 1) for line in file if b":\t" in line)
    for name in (b"CapInh", b"CapPrm", b"CapEff", b"CapAmb"):
        if int(facts[name], 16) != 0:
            raise Lost("the copy still has rights")
    if facts[b"NoNewPrivs"] != b"1" or facts[b"Seccomp"] != b"2" or facts[b"Threads"] != b"1":
        raise Lost("the copy is not locked")


def is_alone(pid: int) -> bool:
    """Whether the process has one thread only."""
    with open("/proc/%d/status" % pid, "rb") as file:
        return b"\nThreads:\t1\n" in file.read()


def enter_domain(original: Tracee, buffer: int) -> None:
    """A Landlock domain of its own: by signals, by abstract sockets and by /proc it reaches only the processes in
    it."""
    original.write(buffer, struct.pack("QQQ", 0, 0, landlock.SCOPE_SOCKETS | landlock.SCOPE_SIGNALS))
    ruleset = original.call("landlock_create_ruleset", buffer, 24, 0)
    try:
        original.call("landlock_restrict_self", ruleset, 0)
    finally:
        original.call("close", ruleset)
