"""How a run changes hands. The code process waits at the door, locked but still ours, with all that a run needs: the
host's connection, its own pipes from the other side, the leash of pid 1. When it sees what kind of request is coming it
gives all that to the process that attends such runs, and keeps nothing of it. Only then does it read foreign code.

    plain request -> the lookout, which is outside and awake already, if there is one; pid 1 sleeps on
    any other     -> pid 1, the member's own warden

That process holds the leash: when it lets go, pid 1 wakes up and ends, and the namespace with it."""

from __future__ import annotations

import _socket
import os
import struct

import linux
from attend.host import CHUNK
from contain import traces
from contain.steps import CHANNEL
from frames import HELLO, PLAIN, READY, REHEARSE, YOURS, pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from attend.member import Member
    from shapes import Socket

_INTS = struct.Struct("i")
_JOB = struct.Struct("=iq")  # slot, when it was handed over
_CREDENTIALS = struct.Struct("3i")  # process, user, group
MOST_DESCRIPTORS, MOST_BYTES, MOST_JOB_BYTES = 32, 500, 1 << 16
_ROOM = _socket.CMSG_SPACE(MOST_DESCRIPTORS * _INTS.size) + _socket.CMSG_SPACE(_CREDENTIALS.size)


def give(link: Socket, message: bytes, descriptors: Sequence[int]) -> None:
    link.sendmsg([message], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, b"".join(map(_INTS.pack, descriptors)))])


def take(link: Socket, most_bytes: int = MOST_BYTES) -> tuple[bytes, list[int], int]:
    """(message, descriptors, who sent it in the kernel's words). No message: the other side is gone."""
    message, ancillary, _, _ = link.recvmsg(most_bytes, _ROOM)
    descriptors, pid = [], 0
    for _, kind, value in ancillary:
        if kind == _socket.SCM_RIGHTS:
            descriptors = [each[0] for each in _INTS.iter_unpack(value)]
        elif kind == _socket.SCM_CREDENTIALS:
            pid = _CREDENTIALS.unpack(value)[0]
    return message, descriptors, pid


def receive_from(channel: Socket, flags: int = 0) -> tuple[int, bytes]:
    """Who wrote, in the kernel's words, and what."""
    data, ancillary, _, _ = channel.recvmsg(CHUNK, _socket.CMSG_SPACE(_CREDENTIALS.size), flags)
    for level, kind, value in ancillary:
        if level == _socket.SOL_SOCKET and kind == _socket.SCM_CREDENTIALS:
            return _CREDENTIALS.unpack(value[: _CREDENTIALS.size])[0], data
    return 0, data


def look(link: Socket) -> bytes:
    """The next message, which stays where it is. What comes along with it is not taken."""
    return link.recv(MOST_BYTES, _socket.MSG_PEEK)


class Conversation:
    """What the code process and who attends it speak through, made before either is there."""

    def __init__(self, owner: int | None) -> None:
        self._input_read, self.input = os.pipe()
        self.out, self._out_write = os.pipe()
        self.err, self._err_write = os.pipe()
        self.channel, self._channel = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
        self.leash, self.held_leash = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        if owner is not None:
            # Opening /dev/stdout opens the pipe anew, which only its owner may do.
            for descriptor in self._streams():
                os.fchown(descriptor, owner, owner)

    def _streams(self) -> tuple[int, int, int]:
        return self._input_read, self._out_write, self._err_write

    def descriptors(self) -> list[int]:
        return [*self.surplus(), self.err, self.leash.fileno()]

    def surplus(self) -> list[int]:
        """The descriptors that pid 1 does not keep while it sleeps: the process that needs one gets it with the run,
        and is the only one that has it. The last output of a code process that failed stays readable."""
        return [
            *self._streams(),
            self._channel.fileno(),
            self.held_leash.fileno(),
            self.channel.fileno(),
            self.input,
            self.out,
        ]

    def last_words(self) -> str:
        return os.read(self.err, 4096).decode("utf-8", "replace").strip()

    def ends(self) -> tuple[int, int, int, int]:
        """Of who attends."""
        return self.channel.fileno(), self.input, self.out, self.err

    def code_ends(self) -> tuple[int, int, int, int]:
        """Of the code process."""
        return *self._streams(), self._channel.fileno()

    def close_code_ends(self) -> None:
        for descriptor in self._streams():
            os.close(descriptor)
        self._channel.close()

    def enter_code(self, number: int) -> None:
        """In the code process: its ends become descriptors 0, 1, 2 and `number`."""
        for source, target in zip(self._streams(), (0, 1, 2)):
            os.dup2(source, target)
        os.dup2(self._channel.fileno(), number, inheritable=False)

    def enter_again(self, channel: int, connection: int) -> None:
        """In a code process that was forked from pid 1: pipes of its own, whose other ends go to the lookout. Nothing
        stays open but its ends, which are descriptors 0, 1, 2 and `CHANNEL`, and the connection."""
        input_read, given = os.pipe()
        out, out_write = os.pipe()
        err, err_write = os.pipe()
        for source, target in zip((input_read, out_write, err_write), (0, 1, 2)):
            os.dup2(source, target)
        give(self.leash, READY, [given, out, err])
        os.dup2(channel, CHANNEL, inheritable=False)
        linux.close_all_but([CHANNEL, connection])

    def close(self) -> None:
        for descriptor in (*self._streams(), self.input, self.out, self.err):
            os.close(descriptor)
        for link in (self.channel, self._channel, self.leash, self.held_leash):
            link.close()


class Door:
    """The code process's side."""

    def __init__(self, member: Member) -> None:
        self._member, self._leash, self._ends = member, member.conversation.held_leash, member.conversation.ends()

    def descriptors(self) -> list[int]:
        jobs = [self._member.jobs.fileno()] if self._member.jobs else []
        return [self._leash.fileno(), self._member.listener.fileno(), *self._ends, *jobs]

    def tell_ready(self) -> None:
        """To pid 1, which gets ready for a run that it will attend, or follows a Node that will not come back here."""
        give(self._leash, READY, [*self._ends, self._member.scratch])

    def tell_rehearse(self) -> None:
        """To pid 1, which will attend the run."""
        give(self._leash, REHEARSE, [*self._ends, self._member.scratch])

    def open(self) -> Socket:
        if self._member.may_accept:
            self._connection = open_door(self._member)
        else:
            _, descriptors, _ = take(self._leash)
            if not descriptors:
                os._exit(0)
            self._connection = as_socket(descriptors[0])
        return self._connection

    def hand_over(self, kind: bytes) -> None:
        member, connection = self._member, self._connection.fileno()
        run = [connection, *self._ends, member.scratch]
        if kind == PLAIN and member.jobs:
            job = _JOB.pack(member.slot, traces.now()) + member.built
            shown_by = member.traces.values() if member.built and member.traces else ()
            give(member.jobs, job, [*run, self._leash.fileno(), linux.pidfd_open(1), *shown_by])
        else:
            give(self._leash, PLAIN if kind == PLAIN else YOURS, run)
        linux.close_all_but([3, connection])


def open_door(member: Member) -> Socket:
    """Says to the host that a member is locked and waits."""
    # accept() would make a socket of another kind, and ask the kernel for what we know of it.
    descriptor, _ = member.listener._accept()  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue]
    member.listener.close()
    connection = as_socket(descriptor)
    greet(connection, member)
    return connection


def greet(connection: Socket, member: Member) -> None:
    connection.sendall(pack(HELLO, b'{"slot": %d}' % member.slot))


def as_socket(descriptor: int) -> Socket:
    """Without asking the kernel what we know."""
    return _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, descriptor)


def open_for(member: Member) -> None:
    """Where the code process may not do so itself: opens the door in its place."""
    connection = open_door(member)
    give(member.conversation.leash, HELLO, [connection.fileno()])
    connection.close()


class Job:
    """A run as it is handed to the lookout: the slot, the code process and its descriptors, when it was handed over (by
    the clock of changes), and what was said of the slot when it was built."""

    def __init__(self, message: bytes, descriptors: list[int], pid: int) -> None:
        self.slot, self.at = _JOB.unpack_from(message)
        self.built, self.descriptors, self.pid = message[_JOB.size :], descriptors, pid


def take_job(jobs: Socket) -> Job | None:
    """The lookout's side; None when the fork server is gone."""
    message, descriptors, pid = take(jobs, MOST_JOB_BYTES)
    return Job(message, descriptors, pid) if message else None
