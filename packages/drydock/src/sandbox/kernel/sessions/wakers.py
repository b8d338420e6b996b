"""The descriptors by which a process waits for events, and wakes itself. A copy of it gets its own: those of the
original tell of the original's, and pipes between its own threads and handlers of signals would be everybody's."""

from __future__ import annotations

import os
import struct
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessions.tracee import Tracee

# Of a process, all of them by their numbers: counters of events; pipes with both ends in the process, and how much
# is in them; and what is waited for by which descriptor: descriptor, events, what is said of it.
Counter = namedtuple("Counter", "number")
Pipe = namedtuple("Pipe", "reading writing flags size")
Poll = namedtuple("Poll", "number watched")

_ADD, _BYTES_WAITING = 1, 0x541B
# A pipe with more in it is no means of waking.
_MOST_BYTES = 64


def read_wakers(original: Tracee, buffer: int) -> list[Counter | Pipe | Poll]:
    polls: list[Poll] = []
    counters: list[Counter] = []
    ends: dict[str, dict[int, int]] = {}
    for name in os.listdir("/proc/%d/fd" % original.pid):
        kind = os.readlink("/proc/%d/fd/%s" % (original.pid, name))
        if kind == "anon_inode:[eventfd]":
            counters.append(Counter(int(name)))
        elif kind == "anon_inode:[eventpoll]":
            words = [line.split() for line in _facts(original.pid, name) if line.startswith("tfd:")]
            polls.append(Poll(int(name), [(int(each[1]), int(each[3], 16), int(each[5], 16)) for each in words]))
        elif kind.startswith("pipe:"):
            flags = [int(line.split()[1], 8) for line in _facts(original.pid, name) if line.startswith("flags:")]
            ends.setdefault(kind, {})[int(name)] = flags[0]
    return [*counters, *_pair(original, buffer, ends), *polls]


def _facts(pid: int, name: str) -> list[str]:
    with open("/proc/%d/fdinfo/%s" % (pid, name)) as lines:
        return list(lines)


def _pair(original: Tracee, buffer: int, ends: dict[str, dict[int, int]]) -> Iterator[Pipe]:
    """A pipe of which one end is here only leads to another process, and to nowhere in the copy."""
    for numbers in ends.values():
        reading = [number for number, flags in numbers.items() if flags & os.O_ACCMODE == os.O_RDONLY]
        writing = [number for number, flags in numbers.items() if flags & os.O_ACCMODE == os.O_WRONLY]
        if len(reading) != 1 or len(writing) != 1:
            continue
        original.call("ioctl", reading[0], _BYTES_WAITING, buffer)
        (size,) = struct.unpack("i", original.read(buffer, 4))
        if size <= _MOST_BYTES:
            yield Pipe(reading[0], writing[0], numbers[reading[0]] & os.O_NONBLOCK, size)


def make_wakers(copy: Tracee, wakers: Sequence[Counter | Pipe | Poll], buffer: int) -> None:
    for waker in wakers:
        if isinstance(waker, Counter):
            _move(copy, copy.call("eventfd2", 0, os.O_CLOEXEC | os.O_NONBLOCK), waker.number)
        elif isinstance(waker, Pipe):
            copy.call("pipe2", buffer, os.O_CLOEXEC | waker.flags)
            reading, writing = struct.unpack("2i", copy.read(buffer, 8))
            _move(copy, reading, waker.reading)
            _move(copy, writing, waker.writing)
            if waker.size:  # it is a lock: who takes its bytes has it, and what they are means nothing
                copy.write(buffer, b"*" * waker.size)
                copy.call("write", waker.writing, buffer, waker.size)
        else:
            _move(copy, copy.call("epoll_create1", os.O_CLOEXEC), waker.number)
            for descriptor, events, word in waker.watched:
                copy.write(buffer, struct.pack("<IQ", events & 0xFFFFFFFF, word))
                try:
                    copy.call("epoll_ctl", waker.number, _ADD, descriptor, buffer)
                except OSError:
                    pass  # a pipe or socket to another process, which the copy does not have


def _move(copy: Tracee, made: int, number: int) -> None:
    copy.call("dup3", made, number, os.O_CLOEXEC)
    copy.call("close", made)
