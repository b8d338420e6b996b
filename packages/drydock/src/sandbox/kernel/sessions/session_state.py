"""One state of a session: a process that sleeps, or is the current one, and the files that belong to it."""

from __future__ import annotations

import os
import select
import signal
import time

import linux
from contain import process_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import Ending, Manifest


WAKE_SECONDS = 1


class StateGone(Exception):
    """The state that a step should start from does not answer: its own code has ended or blocked it."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending["kind"])
        self.ending = ending


class StepRefused(Exception):
    """The state is well, but the step did not begin."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending["kind"])
        self.ending = ending


class Moment:
    """Which processes there were. A number may be another process's by the time that it is looked at again."""

    def __init__(self, pids: set[int]) -> None:
        self._pids, self._ticks = pids, process_status.ticks_now()

    def had(self, pid: int) -> bool:
        return pid in self._pids and process_status.started_at(pid) <= self._ticks


class State:
    """Held by descriptor: a process id could be another's by the time that it is used again."""

    def __init__(
        self, number: int, pid: int, manifest: Manifest | None, held: dict[str, int], apart_from: int = 0
    ) -> None:
        self.number, self.pid, self.manifest, self.held = number, pid, manifest, held
        self.apart_from = apart_from  # so many forks are out of its reach
        self.pidfd = linux.pidfd_open(pid)
        self.beside = Moment(set())  # when the last step was started from it

    def can_return(self) -> bool:
        return self.manifest is not None and not self.is_gone()

    def is_gone(self) -> bool:
        """Also where a step has killed it and it has not died yet, as on a busy machine."""
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        return bool(poll.poll(0)) or process_status.is_dying(self.pid)

    def signal(self, number: int) -> None:
        try:
            signal.pidfd_send_signal(self.pidfd, number)
        except ProcessLookupError:
            pass

    def wake(self) -> None:
        """Returns when it is awake: a state that sleeps can't be looked into, nor held for a fork."""
        self.signal(signal.SIGCONT)  # a step may have stopped it
        self.signal(signal.SIGUSR1)
        deadline = time.monotonic() + WAKE_SECONDS
        while not self.is_gone() and time.monotonic() < deadline:
            try:
                os.close(os.open("/proc/%d/environ" % self.pid, os.O_RDONLY | os.O_CLOEXEC))
                return
            except PermissionError:
                time.sleep(0.0005)
            except OSError:
                return  # it is gone

    def drop(self) -> None:
        self.signal(signal.SIGKILL)
        for descriptor in (self.pidfd, *self.held.values()):
            os.close(descriptor)
