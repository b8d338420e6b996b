"""How a run ended, and the report of it to the host."""

from __future__ import annotations

import os
import signal

import linux
from contain.limits import DISK, MEMORY, PROCESSES, limit_by_signal
from frames import DONE, pack_done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from attend.host import Host
    from shapes import AttendedMember, Ending, Limits, Meter


def name_status(status: int) -> Ending:
    """A wait status as the host hears it."""
    if os.WIFSIGNALED(status):
        try:
            return {"kind": "signalled", "signal": signal.Signals(os.WTERMSIG(status)).name}
        except ValueError:
            return {"kind": "signalled", "signal": "SIG%d" % os.WTERMSIG(status)}
    return {"kind": "exited", "exitCode": os.WEXITSTATUS(status)}


def kill_namespace() -> None:
    linux.require_init()
    os.kill(-1, signal.SIGKILL)


def end_everything(pid: int, kill: Callable[[], None] = kill_namespace) -> int:
    """Kills all that is left in the namespace, and waits until it is gone. Returns the status of `pid`."""
    status = 0
    while True:
        try:
            kill()
        except ProcessLookupError:
            pass
        try:
            ended, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == pid:
            status = how


def judge(member: AttendedMember, meter: Meter, limits: Limits, ending: Ending, report: bytes | None) -> Ending:
    """An end that the kernel caused is reported as the limit that was reached."""
    if ending == {"kind": "exited", "exitCode": 0}:
        return ending
    if meter.out_of_memory():
        return MEMORY.reached(limits)
    by_signal = limit_by_signal(ending.get("signal"), limits)
    if by_signal is not None:
        return by_signal.reached(limits)
    if report is None and meter.processes_refused():
        return PROCESSES.reached(limits)
    if report is None:
        room = os.statvfs(member.scratch)
        if room.f_bfree == 0 or room.f_ffree == 0:
            return DISK.reached(limits)
    return ending


def send_done(host: Host, ending: Ending, report: bytes | None, meter: Meter, wall_ms: int, **more: Any) -> None:
    message = {
        "ending": ending,
        "usage": {"wallMs": wall_ms, "cpuMs": meter.cpu_ns() // 1_000_000, "peakMemoryBytes": meter.peak_bytes()},
        **more,
    }
    host.send(DONE, pack_done(message, report or b""))
