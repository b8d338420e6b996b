"""The way between the host and a container's warden. What the host says goes in, what the warden says comes out, and
limits that only the host's side can see are held here.

    starting -> (the warden greets) -> running -> (it says how the run ended, or a limit is reached) -> over

The warden is trusted to say how its code ended. What it says is bounded all the same, and it can't keep a run alive."""

from __future__ import annotations

import os
import select
import time

import plain_json as json
from attend.host import CHUNK, HostGone
from contain.limits import MEMORY, OUTPUT, PROCESSES, TIMEOUT, find_exceeded
from frames import (
    ASK,
    CANCEL,
    CODE,
    DONE,
    FIGURE,
    FIGURE_LIMIT,
    HELLO,
    REPORT_LIMIT,
    REQUEST,
    STDERR,
    STDOUT,
    TAKEN,
    FrameReader,
    pack,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from attend.host import Host
    from container.process import ContainerProcess
    from shapes import Ending, Json, Limits, Meter

START_SECONDS = 60.0
LOOK_EVERY_S = 0.025
# The warden holds the deadline and the allowance for output: here it is late.
LATE_S = 5.0
CANCEL_S = 3.0
SLACK_BYTES = FIGURE_LIMIT + CHUNK
MOST_FACTS = 1 << 16
PASSED_ON = frozenset((STDOUT, STDERR, FIGURE, TAKEN, ASK))
# How a warden may say that a run ended.
ENDINGS = frozenset(("exited", "signalled", "limit", "cancelled", "unavailable"))


class EngineFailed(Exception):
    """No container came of it. The reason is the engine's."""


class Relay:
    def __init__(self, host: Host, container: ContainerProcess, request: Json, source: bytes) -> None:
        self._host, self._container = host, container
        self._limits: Limits = request["code"]["limits"]
        self._opening = pack(REQUEST, json.dumps(request).encode()) + pack(CODE, source)
        self._reader = FrameReader(REPORT_LIMIT + MOST_FACTS, FIGURE_LIMIT)
        self._pending = b""
        self._meter: Meter | None = None
        self._started = time.monotonic()
        self._deadline = self._started + START_SECONDS
        self._allowance = self._limits["outputBytes"] + SLACK_BYTES
        self._is_open = True
        self.ending: Ending | None = None
        self.facts: Json = {}
        self.report = b""

    @property
    def wall_ms(self) -> int:
        told = self.facts.get("usage", {}).get("wallMs")
        return told if isinstance(told, int) else int((time.monotonic() - self._started) * 1000)

    def until_end(self, greet: Callable[[], Meter]) -> None:
        """`greet` is called once, when the warden is there and before it knows anything of the run."""
        container = self._container
        poll = select.poll()
        for descriptor in (self._host.fileno(), container.out, container.err):
            poll.register(descriptor, select.POLLIN)
        self._host.each_buffered(self._on_host)
        while self.ending is None and self._is_open:
            # Before the warden greets it is not said anything.
            is_writing = bool(self._pending) and self._meter is not None
            if is_writing:
                poll.register(container.input, select.POLLOUT)
            ready = {descriptor for descriptor, _ in poll.poll(int(LOOK_EVERY_S * 1000))}
            if is_writing:
                self._write()
                poll.unregister(container.input)
            if container.err in ready and not container.hear():
                poll.unregister(container.err)
            if container.out in ready:
                self._take(greet)
            if self._host.fileno() in ready and self.ending is None:
                if not self._host.fill():
                    raise HostGone()
                self._host.each_buffered(self._on_host)
            self._look()

    def drain(self) -> None:
        """When nothing in the container is alive: what it said last."""
        os.set_blocking(self._container.out, False)
        try:
            while self._is_open:
                self._take(lambda: None)
        except (BlockingIOError, ValueError):
            pass

    def _on_host(self, kind: bytes, payload: bytes) -> None:
        if kind == CANCEL:
            if self._meter is None:
                self.ending = {"kind": "cancelled"}
                return
            self._deadline = min(self._deadline, time.monotonic() + CANCEL_S)
        self._pending += pack(kind, payload)

    def _write(self) -> None:
        try:
            self._pending = self._pending[os.write(self._container.input, self._pending) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._pending = b""  # it is gone, and its output ends

    def _take(self, greet: Callable[[], Meter | None]) -> None:
        data = os.read(self._container.out, CHUNK)
        if not data:
            self._is_open = False
            return
        self._reader.feed(data)
        frame = self._reader.next()
        while frame:
            self._on_warden(*frame, greet)
            frame = self._reader.next()

    def _on_warden(self, kind: bytes, payload: bytes, greet: Callable[[], Meter | None]) -> None:
        if kind == HELLO and self._meter is None and self.ending is None:
            self._meter = greet()
            self._started = time.monotonic()
            self._deadline = self._started + self._limits["wallSeconds"] + LATE_S
            # What came from the host meanwhile is for the run that this begins.
            self._pending = self._opening + self._pending
        elif kind in PASSED_ON:
            self._allowance -= len(payload)
            if self._allowance < 0:
                self.ending = self.ending or OUTPUT.reached(self._limits)
            else:
                self._host.send(kind, payload)
        elif kind == DONE and not self.facts:
            self._on_done(payload)

    def _on_done(self, payload: bytes) -> None:
        length = int.from_bytes(payload[:4], "big")
        if length > MOST_FACTS:
            raise ValueError("more than a warden has to say")
        facts = json.loads(payload[4 : 4 + length])
        if not isinstance(facts, dict) or facts.get("ending", {}).get("kind") not in ENDINGS:
            raise ValueError("no ending of a run")
        self.facts, self.report = facts, payload[4 + length :]
        self.ending = self.ending or self._judge(facts["ending"])

    def _judge(self, ending: Ending) -> Ending:
        """An end that the kernel caused is reported as the limit that was reached."""
        if self._meter is None or ending == {"kind": "exited", "exitCode": 0} or ending["kind"] == "limit":
            return ending
        if self._meter.out_of_memory():
            return MEMORY.reached(self._limits)
        if not self.report and self._meter.processes_refused():
            return PROCESSES.reached(self._limits)
        return ending

    def _look(self) -> None:
        if self.ending is not None:
            return
        if self._meter is not None:
            self.ending = self._meter.exceeded() or find_exceeded(self._meter, self._limits)
        if self.ending is None and time.monotonic() > self._deadline:
            if self._meter is None:
                raise EngineFailed("the container did not start in %d seconds" % START_SECONDS)
            self.ending = TIMEOUT.reached(self._limits)

    def end_of_lost(self) -> Ending | None:
        """Of a container that ended without a word of its warden. None: nobody knows why."""
        if self._meter is None:
            raise EngineFailed(self._container.last_words() or "the container ended before it was ready")
        return MEMORY.reached(self._limits) if self._meter.out_of_memory() else None
