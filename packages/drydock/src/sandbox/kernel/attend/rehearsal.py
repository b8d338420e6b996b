"""A rehearsal: a warden goes through a run once, without a client.

A fork shares its pages until it touches them, and each first touch costs a fault, of which a run has hundreds. A member
that waits has time: it touches what it will need before anybody waits for it."""

from __future__ import annotations

import os
import socket

from attend.attendance import Attendance
from attend.code_handle import CodeHandle
from attend.ending import judge, name_status, send_done
from attend.host import Host
from contain.limits import REHEARSED
from files import capture
from frames import CANCEL, REPORT, FrameReader, pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from attend.member import Member
    from shapes import Meter


class StandIn(CodeHandle):
    """Looks like the code process where its pipes are watched: it has printed something, and reported."""

    def __init__(self, pid: int) -> None:
        self.pid, self.input = pid, None
        self.out, self._out = os.pipe()
        self.err, self._err = os.pipe()
        self.channel, self._channel = socket.socketpair()
        self.reports = FrameReader()
        os.write(self._out, b"x")
        self._channel.sendall(pack(REPORT, b"{}"))

    def close(self) -> None:
        for descriptor in (self.out, self._out, self.err, self._err):
            os.close(descriptor)
        self.channel.close()
        self._channel.close()


def rehearse(member: Member, code: CodeHandle, meter: Meter) -> None:
    ours, theirs = socket.socketpair()
    stand_in = StandIn(code.pid)
    empty = os.open("snapshots", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=member.scratch)
    theirs.sendall(pack(CANCEL))
    host = Host(ours)
    attendance = Attendance(host, stand_in, REHEARSED, meter, code.pid)
    attendance.until_end()
    attendance.finish()
    judge(member, meter, REHEARSED, name_status(0), attendance.report)
    capture.send_changes(host.connection, empty, 0)
    send_done(host, {"kind": "exited", "exitCode": 0}, attendance.report, meter, 0)
    stand_in.close()
    os.close(empty)
    ours.close()
    theirs.close()
