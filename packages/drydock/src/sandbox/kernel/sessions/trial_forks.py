"""Trial forks: a program of ours tries foreign code in copies of a process that has loaded what all of them need. Each
copy is in mounts and a process tree of its own, and is thrown away with all that it did.

    program --FORK, the process, its socket--> warden: holds the process (with NETWORK at the end: in
                                               a network of its own; with READING before that: where
                                               it reads, and has threads that a copy can do without)
            <--SEIZED--                                the program lets it come to its fork point
            <--READY, pipe, process--                  the copy runs; what it says comes out of the pipe
                    --END-->                           warden: has the place emptied and built anew
            <--ENDED, status--                 before the next copy begins to run, nothing of this one is left

The copies are made as those of a session are (`sessions.copying`). One is there at a time. Who asks is not trusted
more than the code of any run: it names processes of its own sandbox, and gets copies that have fewer rights."""

from __future__ import annotations

import os
import signal
import socket

import linux
from attend import handover
from attend.attendance import Attendance
from contain import process_status
from contain.fork_base import ForkBase
from frames import FORK, FORK_ENDED, FORK_REFUSED, FORK_SEIZED, NETWORK, READING, READY
from sessions.copying import Copier, is_alone
from sessions.fork_point import PATIENCE_S, hold_at_fork_point, hold_at_read
from sessions.forking import Fork, ForkRefused
from sessions.tracee import SUPPORTED, Lost, Tracee
from sessions.trial_place import PlaceMember, keep_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from attend.member import Member
    from shapes import Socket


class TrialForks:
    def __init__(self, member: Member, link: Socket) -> None:
        self._member, self._link = member, link
        self._base: ForkBase | None = None
        self._place: Fork | None = None
        self._copy = 0
        self._own_network = False

    def fileno(self) -> int:
        return self._link.fileno()

    def take(self) -> bool:
        """One request. False: nobody asks any more."""
        message, descriptors, _ = handover.take(self._link)
        try:
            if message.startswith(FORK):
                self._try_fork(message[len(FORK) :], descriptors)
            elif message:
                self._link.send(FORK_ENDED + b"%d" % self._end())
        except OSError:
            message = b""  # who asked is gone
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        if not message:
            self._drop_place()
        return bool(message)

    def _try_fork(self, words: bytes, descriptors: list[int]) -> None:
        self._end()
        try:
            if not SUPPORTED:
                raise ForkRefused("machine", "the machine type %s is not supported" % linux.MACHINE)
            own_network = words.endswith(NETWORK)
            words = words.removesuffix(NETWORK)
            is_reading = words.endswith(READING)
            pid, link = self._read(words.removesuffix(READING), descriptors)
            self._fork(pid, link, own_network, is_reading)
        except (ForkRefused, Lost, OSError) as refused:
            self._drop_place()
            reason = str(refused).encode("utf-8", "backslashreplace")
            self._link.send((FORK_REFUSED + reason)[: handover.MOST_BYTES])

    def _read(self, words: bytes, descriptors: list[int]) -> tuple[int, Socket]:
        """(The process to copy, the socket on which it waits.)"""
        if not words.isdigit() or len(descriptors) != 1 or len(words) > 9:
            raise ForkRefused("request", "a process and its socket are needed")
        pid = int(words)
        if pid in (1, self._member.bridge) or process_status.parent_of(pid) is None:
            raise ForkRefused("request", "there is no such process")
        try:
            return pid, handover.as_socket(os.dup(descriptors[0]))
        except OSError as error:
            raise ForkRefused("request", "a socket is needed") from error

    def _fork(self, pid: int, link: Socket, own_network: bool, is_reading: bool) -> None:
        streams = [os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)] * 3
        incoming, outgoing = os.pipe()

        def copy(original: Tracee, buffer: int, thread_id: int) -> None:
            if not is_reading and not is_alone(pid):
                raise ForkRefused("threads", "it has threads, which a copy would not have")
            namespaces = self._await_place(own_network)
            try:
                copier = Copier(original, link, buffer, thread_id)
                if is_reading:
                    copier.keep_wakers()
                copier.copy(namespaces, [*streams, outgoing], self._settle)
            finally:
                for descriptor in namespaces:
                    os.close(descriptor)

        try:
            if self._member.owner is not None:  # opening the pipe anew is for its owner alone
                os.fchown(outgoing, self._member.owner, self._member.owner)
            if self._place is None:
                self._start_place(own_network)
            hold = hold_at_read if is_reading else hold_at_fork_point
            hold(pid, lambda: self._link.send(FORK_SEIZED), copy)
            process = linux.pidfd_open(self._copy)
            handover.give(self._link, READY, [incoming, process])
            os.close(process)
        finally:
            link.close()
            for descriptor in (incoming, outgoing, streams[0]):
                os.close(descriptor)

    def _settle(self, pid: int) -> None:
        self._copy = pid

    def _start_place(self, own_network: bool) -> None:
        if self._base is None:
            self._base = ForkBase(self._member.rootless, covered=())
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            pid = self._base.clone_warden(own_network=False)
            if pid == 0:
                keep_place(PlaceMember(self._member, theirs))
        finally:
            theirs.close()
        ours.settimeout(PATIENCE_S)
        self._place = Fork(pid, "", ours)
        self._base.map_identity(pid)
        ours.send(READY)
        self._renew(own_network)

    def _renew(self, own_network: bool) -> None:
        """Nothing waits for it: the place is built while the program looks at what the last copy said."""
        if self._place is not None:
            self._place.link.send(NETWORK if own_network else FORK)
            self._own_network = own_network

    def _await_place(self, own_network: bool) -> list[int]:
        """Descriptors of the namespaces of a place in which nothing is, and nothing was."""
        if own_network != self._own_network:
            self._take_ready()
            self._renew(own_network)
        return self._take_ready(keep=True)

    def _take_ready(self, keep: bool = False) -> list[int]:
        if self._place is None:
            raise ForkRefused("place", "there is no place")
        message, descriptors, _ = handover.take(self._place.link)
        if message == READY and keep:
            return descriptors
        for descriptor in descriptors:
            os.close(descriptor)
        if message != READY:
            raise ForkRefused("place", message.decode("utf-8", "replace") or "its place could not be built")
        return []

    def _end(self) -> int:
        """The status of the copy in the kernel's words: nobody reaps it before."""
        copy, self._copy = self._copy, 0
        if not copy:
            return 0
        status = process_status.status_of_dead(copy)
        self._renew(self._own_network)
        return signal.SIGKILL if status is None else status

    def _drop_place(self) -> None:
        """And all that is in it. The kernel ends it when everything in it is reaped; nobody waits for that here, as one
        that came into it from outside may have a parent that does not."""
        self._copy = 0
        if self._place is not None:
            self._place.drop()
            self._place = None


class TrialAttendance(Attendance):
    """Of a run that may ask for trial forks."""

    def __init__(self, forks: TrialForks, *details: Any, **more: Any) -> None:
        super().__init__(*details, **more)
        self._forks = forks
        self._poll.register(forks.fileno(), 1)
        self._handlers[forks.fileno()] = self._on_request

    def _on_request(self) -> None:
        if not self._forks.take():
            self._poll.unregister(self._forks.fileno())
