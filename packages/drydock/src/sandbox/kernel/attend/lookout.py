"""Attends plain runs from outside of their namespaces: one process for all members of a fork server, one thread for
each run.

It lives as long as the fork server and has its pages to itself already, where a warden of each run's own would have
to copy hundreds of them first. It is never forked, so that no other process gets what it has read; it drops
everything of a run when the run is over. It believes the kernel only: the code process's end by its descriptor, how
it ended by /proc while it is unreaped, that nothing else is left by the run's control group."""

from __future__ import annotations

import _thread
import os
import socket

import linux
from attend import handover
from attend.host import HostGone
from attend.watched_member import WatchedMember

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from contain.slot_table import SlotTable
    from shapes import Socket


class Lookout:
    def __init__(self, jobs: Socket, groups: SlotTable, ways: Socket) -> None:
        self._jobs, self._groups, self._ways = jobs, groups, ways
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
            self._attend(job)

    def _attend(self, job: handover.Job) -> None:
        member = WatchedMember(self._groups.look_at(job.slot), job, self._ways)
        try:
            member.serve()
        except HostGone:
            pass
        except BaseException:  # an internal error: the host gets no more messages, and reports the run as lost
            import traceback

            traceback.print_exc()
        finally:
            member.close()


def start(groups: SlotTable, ways: Socket) -> tuple[int, Socket]:
    """(Its pid, the socket by which runs are handed to it.) Bridges ask for connections by `ways`. Only where there are
    groups: they tell at once, and for certain, that nothing of a run is left."""
    theirs, jobs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    pid = os.fork()
    if pid == 0:
        try:
            linux.die_with_parent()
            linux.close_all_but([theirs.fileno(), ways.fileno(), *groups.descriptors()])
            # Over members it has the rights of who made their namespaces. Of the rest it needs to read what they left.
            linux.prctl(linux.PR_SET_DUMPABLE, 0)
            linux.drop_capabilities(but=linux.CAP_DAC_READ_SEARCH)
            Lookout(theirs, groups, ways).serve()
        finally:
            os._exit(1)
    theirs.close()
    return pid, jobs
