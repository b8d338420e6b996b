"""Attends plain runs from outside of their namespaces: one process for all members of a fork server, one thread for
each run.

It lives as long as the fork server and has its pages to itself already, where a warden of each run's own would have
to copy hundreds of them first. It is never forked, so that no other process gets what it has read; it drops
everything of a run when the run is over. It believes the kernel only: the code process's end by its descriptor, how
it ended by /proc while it is unreaped, that nothing else is left by the run's control group."""

from __future__ import annotations

import _thread
import os
import select
import signal
import socket

import linux
from attend import handover, meters, warden
from attend.code_handle import CodeHandle
from attend.host import Host, HostGone
from attend.process_status import status_of_dead
from files import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

    from contain.cgroups import SlotV1
    from contain.slot_table import SlotTable
    from shapes import Socket

# Pid 1, asleep, and the code process, dead and unreaped.
WHAT_REMAINS = 2


class WatchedMember:
    """A member as the lookout holds it."""

    top = -1

    def __init__(self, group: SlotV1, pid: int, descriptors: list[int]) -> None:
        connection, *ends, self.scratch, self._leash, self._init = descriptors
        self.group = group
        self.host = Host(handover.as_socket(connection))
        self.code = CodeHandle(pid, *ends)

    def serve(self) -> None:
        # The code process's network is that of pid 1, and can be read as long as either lives.
        meter = meters.GroupMeter(self.group, self.scratch, "/proc/%d/net" % self.code.pid)
        warden.serve_plain(self, self.host, self.code, meter)
        self.host.wait_for_hang_up()

    def send_changes(self, connection: Socket, limit_bytes: int, skip: Iterable[str]) -> None:
        capture.send_changes(connection, self.top, limit_bytes, skip)

    def end_everything(self, pid: int) -> int:
        """The status of `pid`, when nothing of the run is left alive. Who was killed with pid 1 can't have ended
        well."""
        status = status_of_dead(pid)
        if status is not None and not self._is_gone() and self.group.processes() == WHAT_REMAINS:
            return status
        self._kill()
        self._wait_until_gone()
        return signal.SIGKILL if status is None else status

    def _is_gone(self, wait_ms: int = 0) -> bool:
        poll = select.poll()
        poll.register(self._init, select.POLLIN)
        return bool(poll.poll(wait_ms))

    def _wait_until_gone(self) -> None:
        while not self._is_gone(1000):
            pass

    def _kill(self) -> None:
        try:
            signal.pidfd_send_signal(self._init, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def close(self) -> None:
        self._kill()
        self.code.close()
        self.host.connection.close()
        for descriptor in (self._leash, self.scratch, self._init, self.top):
            if descriptor >= 0:
                os.close(descriptor)


class Lookout:
    def __init__(self, jobs: Socket, groups: SlotTable) -> None:
        self._jobs, self._groups = jobs, groups
        self._lock = _thread.allocate_lock()
        self._idle = 0

    def serve(self) -> NoReturn:
        """In each thread: there is always one more that waits."""
        while True:
            with self._lock:
                self._idle += 1
            job = handover.take_job(self._jobs)
            if job is None:
                os._exit(0)
            with self._lock:
                self._idle -= 1
                if self._idle == 0:
                    _thread.start_new_thread(self.serve, ())
            self._attend(*job)

    def _attend(self, slot: int, pid: int, descriptors: list[int]) -> None:
        member = WatchedMember(self._groups.look_at(slot), pid, descriptors)
        try:
            member.serve()
        except HostGone:
            pass
        except BaseException:  # an internal error: the host gets no more messages, and reports the run as lost
            import traceback

            traceback.print_exc()
        finally:
            member.close()


def start(groups: SlotTable) -> tuple[int, Socket]:
    """(Its pid, the socket by which runs are handed to it.) Only where there are groups: they tell at once, and for
    certain, that nothing of a run is left."""
    theirs, jobs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    pid = os.fork()
    if pid == 0:
        try:
            linux.die_with_parent()
            linux.close_all_but([theirs.fileno(), *groups.descriptors()])
            # Over members it has the rights of who made their namespaces. Of the rest it needs to read what they left.
            linux.prctl(linux.PR_SET_DUMPABLE, 0)
            linux.drop_capabilities(but=linux.CAP_DAC_READ_SEARCH)
            Lookout(theirs, groups).serve()
        finally:
            os._exit(1)
    theirs.close()
    return pid, jobs
