"""The place of trial forks: one process, pid 1 of a process namespace in which nothing else is between two forks. For
each it ends and reaps what is left, as the kernel does where a namespace ends, and builds mounts and the rest anew."""

from __future__ import annotations

import os
import signal

import linux
from attend import handover
from contain import steps, trial_steps
from frames import NETWORK, READY
from sessions.copying import NAMESPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from attend.member import Member
    from shapes import Socket


class PlaceMember:
    """The run's member, as the steps of a place know it."""

    base: int

    def __init__(self, run: Member, link: Socket) -> None:
        self.rootless, self.disk_bytes, self.filter = run.rootless, run.disk_bytes, run.filter
        self.link, self.own_network = link, False
        self.limits: list[int] = []

    def kept_descriptors(self) -> list[int]:
        return [self.link.fileno()]


def keep_place(member: PlaceMember) -> NoReturn:
    """Serves its warden until that hangs up: each message asks for a place in which nothing has been."""
    try:
        if member.link.recv(1) == READY:  # the identity is mapped
            steps.enter(trial_steps.STEPS, member)
            while request := member.link.recv(1):
                _empty()
                member.own_network = request == NETWORK
                steps.enter(trial_steps.FRESH_STEPS, member)
                _show(member)
    except (steps.ContainmentFailed, OSError) as failed:
        member.link.send(str(failed).encode("utf-8", "backslashreplace")[: handover.MOST_BYTES])
    finally:
        os._exit(0)


def _empty() -> None:
    """A signal to all reaches every process there is, and none that is being made gets past it."""
    linux.require_init()
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass  # there is none
    try:
        while True:
            os.waitpid(-1, 0x40000000)
    except ChildProcessError:
        pass  # all of them are reaped


def _show(member: PlaceMember) -> None:
    kinds = [kind for kind in NAMESPACES if member.own_network or kind != "net"]
    handles = [os.open("/proc/self/ns/" + kind, os.O_RDONLY | os.O_CLOEXEC) for kind in kinds]
    handover.give(member.link, READY, handles)
    for handle in handles:
        os.close(handle)
