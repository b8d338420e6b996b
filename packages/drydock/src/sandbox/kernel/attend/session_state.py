"""One state of a session: a process that sleeps, or is the current one, and the files that belong to it."""

import os
import select
import signal

import linux


class StateGone(Exception):
    """The state that a step should start from does not answer: its own code has ended or blocked it."""

    def __init__(self, ending):
        super().__init__(ending["kind"])
        self.ending = ending


class State:
    """Held by descriptor: a process id could be another's by the time that it is used again."""

    def __init__(self, number, pid, manifest, held):
        self.number, self.pid, self.manifest, self.held = number, pid, manifest, held
        self.pidfd = linux.pidfd_open(pid)

    def is_gone(self):
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        return bool(poll.poll(0))

    def signal(self, number):
        try:
            signal.pidfd_send_signal(self.pidfd, number)
        except ProcessLookupError:
            pass

    def drop(self):
        self.signal(signal.SIGKILL)
        for descriptor in (self.pidfd, *self.held.values()):
            os.close(descriptor)
