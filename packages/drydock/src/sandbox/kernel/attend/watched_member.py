"""A member as the lookout holds it: for one run, or for several, where each leaves the slot as it was built.

attending a run -> told by the host: again -> every condition holds -> pid 1 forks the next -> attending a run
                -> anything else -> gone, with the namespace and all that is in it"""

from __future__ import annotations

import os
import select
import signal
import socket

import plain_json as json
from attend import handover, meters, warden, way_out
from attend.code_handle import CodeHandle
from attend.host import Host
from contain import traces
from contain.process_status import status_of_dead
from files import capture
from frames import AGAIN, READY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from attend.attendance import Attendance
    from contain.cgroups import SlotV1
    from shapes import Ending, Json, Meter, Socket

# Pid 1, asleep, and the code process, dead and unreaped.
WHAT_REMAINS = 2
# After so many runs a slot is built anew in any case.
MOST_USES = 100
# What the kernel may keep for a group in which nothing runs.
MOST_KERNEL_BYTES = 32 << 20
PATIENCE_MS = 5000


class WatchedMember:
    top = -1
    uses = 0
    status: int | None = None
    ending: Ending = {}
    request: Json = {}
    is_unusual = False
    way_out: way_out.WayOut | None = None
    meter: Meter

    def __init__(self, group: SlotV1, job: handover.Job, ways: Socket) -> None:
        connection, channel, given, out, err, self.scratch, leash, self._init, *opened = job.descriptors
        self.group, self._ways = group, ways
        self.host = Host(handover.as_socket(connection))
        self.code = CodeHandle(job.pid, channel, given, out, err)
        self._leash = handover.as_socket(leash)
        self._opened, self.held = opened, {}
        self.told: dict[str, str] = {}
        if job.built:
            built = json.loads(job.built)
            self.held = {**dict(zip(built["held"], opened)), "scratch": self.scratch}
            self.told, self.read_at, self.began_at = built["told"], built["at"], job.at
            self._last_file = built["lastFile"]
            self._leash.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)

    def serve(self) -> None:
        """Until nobody wants another run, or there can't be one here."""
        self._attend()
        while self._holds(OF_RUN) and self.host.receive()[0] == AGAIN:
            if not self._holds(OF_SLOT) or not self._begin_again():
                return
            self._await_request()
            self._attend()
        self.host.wait_for_hang_up()

    def _attend(self) -> None:
        # The code process's network is that of pid 1, and is told as long as either lives.
        self.meter = meters.GroupMeter(self.group, self.scratch, "/proc/%d/net" % self.code.pid)
        self.uses += 1
        warden.serve_plain(self, self.host, self.code, self.meter)

    def tell_more(self, request: Json, ending: Ending, attendance: Attendance) -> Json:
        self.request, self.ending, self.is_unusual = request, ending, attendance.is_unusual
        more: Json = {"reused": True} if self.uses > 1 else {}
        return {**more, "reusable": True} if self._holds(OF_RUN) else more

    def _holds(self, conditions: Conditions) -> bool:
        return all(holds(self) for _, holds in conditions)

    def _begin_again(self) -> bool:
        """Has pid 1 fork the next code process, and takes it up."""
        self.code.close()
        os.close(self.top)
        self.top = -1
        ours, theirs = socket.socketpair()
        with ours, theirs:
            descriptors = [self.host.fileno(), theirs.fileno(), self.held[traces.LAST_PID]]
            handover.give(self._leash, AGAIN + b"%d" % (self._last_file + self.uses), descriptors)
            if not _is_readable(self._leash.fileno(), PATIENCE_MS):
                return False
            message, ends, pid = handover.take(self._leash)
            if message != READY:
                return False
            self.code = CodeHandle(pid, ours.detach(), *ends)
        return True

    def _await_request(self) -> None:
        """What is used before it comes is not the run's."""
        _is_readable(self.code.channel.fileno(), None)

    def make_way_out(self, code: CodeHandle, network: Json | None = None) -> way_out.WayOut:
        return way_out.WayOut(code, lambda port, network: way_out.lend(self._leash, self._ways, port, network), network)

    def send_changes(self, connection: Socket, limit_bytes: int, skip: Iterable[str]) -> None:
        capture.send_changes(connection, self.top, limit_bytes, skip)

    def end_everything(self, pid: int) -> int:
        """The status of `pid`, when nothing of the run is left alive. Who was killed with pid 1 can't have ended
        well."""
        self.status = status_of_dead(pid)
        if self.status is not None and self.is_alone() and not self.used_way_out():
            return self.status
        self._kill()
        self._wait_until_gone()
        return signal.SIGKILL if self.status is None else self.status

    def is_alone(self) -> bool:
        """Whether pid 1 lives, and nothing else does."""
        return not _is_readable(self._init, 0) and self.group.processes() == WHAT_REMAINS

    def used_way_out(self) -> bool:
        """Whether pid 1 is a bridge, or was to become one."""
        return self.way_out is not None and self.way_out.is_used

    def _wait_until_gone(self) -> None:
        while not _is_readable(self._init, 1000):
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
        self._leash.close()
        for descriptor in (self.scratch, self._init, self.top, *self._opened):
            if descriptor >= 0:
                os.close(descriptor)


def _is_readable(descriptor: int, wait_ms: int | None) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(wait_ms))


def _shows_no_traces(name: str) -> Callable[[WatchedMember], bool]:
    look = dict(traces.TRACES)[name]

    def holds(member: WatchedMember) -> bool:
        try:
            return repr(look(member.held)) == member.told[name]
        except (OSError, KeyError):
            return False

    return holds


if TYPE_CHECKING:
    Conditions = tuple[tuple[str, Callable[[WatchedMember], bool]], ...]

# A slot is used again where all of these hold. The first ones cost nothing to know when a run is over, and the host is
# told. The others are looked at when it asks for another run: nobody waits for that.
OF_RUN: Conditions = (
    ("built to be used again", lambda member: bool(member.told)),
    ("peak", lambda member: member.group.resets_peak),
    ("uses", lambda member: member.uses < MOST_USES),
    ("age", lambda member: member.began_at > member.read_at),
    ("input", lambda member: not member.request["input"]),
    ("reports", lambda member: not member.is_unusual),
    ("way out", lambda member: not member.used_way_out()),
    ("ended by itself", lambda member: member.ending["kind"] == "exited"),
)
OF_SLOT: Conditions = (
    ("memory", lambda member: not member.meter.out_of_memory()),
    ("process limit", lambda member: not member.meter.processes_refused()),
    ("messages", lambda member: member.host.is_drained),
    ("processes", WatchedMember.is_alone),
    ("kernel memory", lambda member: member.group.kernel_bytes(float("inf")) < MOST_KERNEL_BYTES),
    *((name, _shows_no_traces(name)) for name, _ in traces.TRACES),
)
