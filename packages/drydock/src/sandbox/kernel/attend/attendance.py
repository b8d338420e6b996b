"""The warden's watch over one execution: relays output and input, holds the limits, and sees how it ends."""

from __future__ import annotations

import os
import select
import socket
import time

import linux
from attend.handover import receive_from
from attend.host import CHUNK, HostGone
from attend.input_feed import InputFeed
from contain.limits import OUTPUT, TIMEOUT, find_exceeded
from frames import (
    ASK,
    CANCEL,
    FIGURE,
    FIGURE_LIMIT,
    PASSED,
    REPORT,
    REPORT_LIMIT,
    SESSION_REPORT_LIMIT,
    STDERR,
    STDOUT,
    WAY_OUT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from attend.code_handle import CodeHandle
    from attend.host import Host
    from attend.way_out import WayOut
    from files.observe import Observer
    from shapes import Ending, Limits, Meter

# More figures than anybody looks at; more frames than an interpreter sends.
MAX_FIGURES = 64
MAX_FRAMES = 1000
MAX_PROMPT = 4096
QUICK_MS = 2
FIRST_LOOK_S, LOOK_EVERY_S = 0.02, 0.025
OBSERVED_AT_ONCE = 64


class Attendance:
    """`pid` is the process whose end ends the execution; with `lives_on`, its own report of success does too."""

    def __init__(
        self,
        host: Host,
        code: CodeHandle,
        limits: Limits,
        meter: Meter,
        pid: int,
        lives_on: bool = False,
        observer: Observer | None = None,
        way_out: WayOut | None = None,
    ) -> None:
        self._host, self._code, self._limits, self._meter = host, code, limits, meter
        self._lives_on, self._pid, self._observer, self._way_out = lives_on, pid, observer, way_out
        try:
            self._pidfd = linux.pidfd_open(pid)
        except ProcessLookupError:  # it is over, and who made it does not want to know how it ended
            self._pidfd = -1
        code.reports.limit = SESSION_REPORT_LIMIT if lives_on else REPORT_LIMIT
        self._outputs = {code.out: STDOUT, code.err: STDERR}
        # Where both have something to say, standard output comes first: a set would go by the descriptors' numbers.
        self._open = dict.fromkeys(self._outputs)
        self._allowance = limits["outputBytes"]
        self._started = time.monotonic()
        self._deadline = self._started + limits["wallSeconds"]
        self._next_look = self._started + FIRST_LOOK_S
        self._poll = select.poll()
        self._handlers: dict[int, Callable[[], object]] = {}
        self._input = InputFeed(host, code, self._poll)
        self._figures = self._frames = 0
        self.report: bytes | None = None
        self.guard_passed = self.is_unusual = False
        self.ending: Ending = {} if self._pidfd >= 0 else {"kind": "ended"}

    def until_end(self) -> Ending:
        poll = self._poll
        if self._pidfd < 0:
            for descriptor in self._open:
                poll.register(descriptor, select.POLLIN)
            return self.ending
        for descriptor in (*self._open, self._pidfd, self._code.channel.fileno(), self._host.fileno()):
            poll.register(descriptor, select.POLLIN)
        handlers = self._handlers
        handlers[self._pidfd] = self._on_exit
        handlers[self._code.channel.fileno()] = self._on_report
        handlers[self._host.fileno()] = self._on_host
        if self._observer:
            poll.register(self._observer.fileno(), select.POLLIN)
            handlers[self._observer.fileno()] = self._on_observed
        if self._way_out:
            poll.register(self._way_out.fileno(), select.POLLIN)
            handlers[self._way_out.fileno()] = self._on_connection
        self._host.each_buffered(self._on_host_frame)
        self._take_buffered()
        if not self._lives_on and not self.ending:
            self._await_quick_end()
        while not self.ending:
            now = time.monotonic()
            if now >= self._deadline:
                self.ending = TIMEOUT.reached(self._limits)
                break
            if now >= self._next_look:
                self._look()
                continue
            events = poll.poll(1) if self._host.has_unsent else None
            if not events:
                self._host.flush()
                wait = min(self._deadline, self._next_look) - now
                events = poll.poll(max(1, int(wait * 1000) + 1))
            for descriptor, _ in events:
                if descriptor in self._outputs:
                    self._on_output(descriptor)
                elif descriptor == self._code.input:
                    self._input.feed(descriptor)
                else:
                    handlers[descriptor]()
                if self.ending:
                    break
        return self.ending

    def _await_quick_end(self) -> None:
        """Most runs are over in a moment: what they print and report is then taken together with their end, in one
        go."""
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        poll.register(self._host.fileno(), select.POLLIN)
        if self._way_out:
            poll.register(self._way_out.fileno(), select.POLLIN)
        if any(descriptor == self._pidfd for descriptor, _ in poll.poll(QUICK_MS)):
            self._on_exit()

    def finish(self) -> int:
        """When nothing writes any more: takes what is left in the pipes, and closes what this watch opened."""
        for descriptor in list(self._open):
            os.set_blocking(descriptor, False)
            try:
                while descriptor in self._open and self._on_output(descriptor):
                    pass
            except BlockingIOError:
                pass
            finally:
                os.set_blocking(descriptor, True)
        if self.report is None:
            self._on_report(blocking=False)
        self.close()
        return int((time.monotonic() - self._started) * 1000)

    def close(self) -> None:
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1

    def _look(self) -> None:
        self.ending = self._meter.exceeded() or find_exceeded(self._meter, self._limits) or {}
        # From here: where looking takes longer than the pause, what else there is to do has its turn all the same.
        self._next_look = time.monotonic() + LOOK_EVERY_S

    def _on_output(self, descriptor: int) -> bool:
        data = os.read(descriptor, CHUNK)
        if not data:
            self._open.pop(descriptor, None)
            self._poll.unregister(descriptor)
            return False
        if len(data) > self._allowance:
            data = data[: self._allowance]
            self.ending = OUTPUT.reached(self._limits)
            self._open.clear()
        self._allowance -= len(data)
        if data:
            self._host.send_soon(self._outputs[descriptor], data)
        return True

    def _on_observed(self) -> None:
        """A program that opens one file opens the next soon: waiting for that here takes less than going round once
        more."""
        observer, again = self._observer, select.poll()
        assert observer is not None  # only called if there is one
        again.register(observer.fileno(), select.POLLIN)
        for _ in range(OBSERVED_AT_ONCE):
            if not observer.take():
                self._poll.unregister(observer.fileno())
                return
            if not again.poll(0):
                return

    def _on_connection(self) -> None:
        assert self._way_out is not None  # only called if there is one
        self._poll.unregister(self._way_out.fileno())
        self._way_out.on_connection(self._host)

    def _on_exit(self) -> None:
        self.ending = {"kind": "ended"}

    def _on_report(self, blocking: bool = True) -> None:
        """What the code says of itself is detail, and is bounded; nonsense is dropped."""
        try:
            for _ in range(1 if blocking else FIGURE_LIMIT // CHUNK):
                data = self._receive_report(0 if blocking else socket.MSG_DONTWAIT)
                if data is None:
                    continue
                if not data:
                    if blocking:
                        self._poll.unregister(self._code.channel.fileno())
                    break
                self._code.reports.feed(data)
                self._take_frames()
        except BlockingIOError:
            pass
        except (ValueError, OSError):
            self.is_unusual = True
            if blocking:
                self._stop_listening()

    def _receive_report(self, flags: int) -> bytes | None:
        """In a session, processes of earlier steps hold the channel, too: only the step's own is listened to. None:
        what another said."""
        if not self._lives_on:
            return self._code.channel.recv(CHUNK, flags)
        pid, data = receive_from(self._code.channel, flags)
        return data if pid == self._pid or not data else None

    def _take_buffered(self) -> None:
        """The code may have sent more than was read of its channel so far."""
        try:
            self._take_frames()
        except ValueError:
            self.is_unusual = True
            self._stop_listening()

    def _stop_listening(self) -> None:
        """A process that goes on writing gets an error at once, and does not wait for a reader until its time is
        over."""
        self._poll.unregister(self._code.channel.fileno())
        if not self._lives_on:
            self._code.channel.shutdown(socket.SHUT_RD)

    def _take_frames(self) -> None:
        frame = self._code.reports.next()
        while frame:
            self._take_frame(*frame)
            frame = self._code.reports.next()

    def _take_frame(self, kind: bytes, payload: bytes) -> None:
        if kind == ASK and not self.ending and self._input.may_ask():
            self._ask(payload)
            return
        self._frames += 1
        self.is_unusual = self.is_unusual or kind not in (PASSED, REPORT) or self.report is not None
        if self._frames > MAX_FRAMES:
            raise ValueError("more frames than an interpreter sends")
        if kind == PASSED:
            self.guard_passed = True
        elif kind == REPORT and self.report is None:
            self.report = payload
            # Once its end is known, a step that says it lives on says it too late.
            if self._lives_on and not self.ending and b'"alive": true' in payload[-64:]:
                self.ending = {"kind": "alive"}
        elif kind == FIGURE and len(payload) <= self._allowance and self._figures < MAX_FIGURES:
            self._figures += 1
            self._allowance -= len(payload)
            self._host.send(FIGURE, payload)

    def _ask(self, payload: bytes) -> None:
        """What the code has printed so far, the question above all, is out before it waits for the answer."""
        poll = select.poll()
        for descriptor in self._open:
            poll.register(descriptor, select.POLLIN)
        ready = poll.poll(0)
        while ready and not self.ending:
            for descriptor, _ in ready:
                if descriptor not in self._open or not self._on_output(descriptor):
                    poll.unregister(descriptor)
            ready = poll.poll(0)
        payload = payload[: min(MAX_PROMPT, self._allowance)]
        self._allowance -= len(payload)
        self._input.ask(payload)

    def _on_host(self) -> None:
        if not self._host.fill():
            raise HostGone()
        self._host.each_buffered(self._on_host_frame)

    def _on_host_frame(self, kind: bytes, payload: bytes) -> None:
        if kind == CANCEL:
            self.ending = {"kind": "cancelled"}
        elif kind == WAY_OUT and self._way_out:
            self._way_out.on_answer(payload)
        else:
            self._input.take(kind, payload)
