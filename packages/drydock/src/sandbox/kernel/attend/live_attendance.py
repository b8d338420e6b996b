"""The watch over a run that somebody sits at. Beyond what other runs have: a terminal, copies of its files while it
lasts, and a way back to one of them.

Output goes out only as far as the host has shown what came before: however much a program prints, a key is never behind
more of it than one window. A copy of the files is made in pieces between everything else, for the same reason."""

from __future__ import annotations

import os
import select
import time

import plain_json as json
from attend.attendance import Attendance
from contain import terminal
from contain.steps import INNER_UID
from files import capture, seed
from frames import CHECKPOINT, HANG_UP, RESIZE, REWIND, SEED, SEED_MORE, SHOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from attend.code_handle import CodeHandle
    from attend.host import Host
    from attend.way_out import WayOut
    from shapes import AttendedMember, Json, Meter, Stamp

# As much as a screen or two: what is on its way when somebody presses Ctrl-C is still shown.
WINDOW = 64 << 10
SLICE_S = 0.005


class LiveAttendance(Attendance):
    def __init__(
        self, member: AttendedMember, request: Json, host: Host, code: CodeHandle, meter: Meter, way_out: WayOut | None
    ) -> None:
        super().__init__(host, code, request["code"]["limits"], meter, code.pid, way_out=way_out)
        self._member, self._request = member, request
        self._known: dict[str, Stamp] = {}
        self._copying: Iterator[None] | None = None
        self._seeder: seed.Seeder | None = None
        self._seed_failed: Exception | None = None
        self._credit, self._is_paused, self._is_over = WINDOW, False, False
        # Readable as long as a copy is under way: so it has its turn among all that happens.
        self._turn, self._turn_write = os.pipe()
        self._master = self._code.out if request.get("terminal") else None
        if self._master is not None:
            # Nothing of it is kept, and the window bounds what is under way.
            self._allowance = 1 << 62

    def finish(self) -> int:
        self._is_over = True
        # What was begun is sent whole: the host could not tell it from what comes next.
        while self._copying is not None:
            self._copy_some()
        return super().finish()

    def _on_output(self, descriptor: int) -> bool:
        if descriptor != self._master:
            return super()._on_output(descriptor)
        before = self._allowance
        try:
            goes_on = super()._on_output(descriptor)
        except BlockingIOError:
            if self._is_over:
                raise
            return True
        self._credit -= before - self._allowance
        if self._credit <= 0 and not self._is_over:
            self._is_paused = True
            self._poll.unregister(descriptor)
        return goes_on

    def _on_host_frame(self, kind: bytes, payload: bytes) -> None:
        if kind == SHOWN:
            self._on_shown(int.from_bytes(payload, "big"))
        elif kind == RESIZE and self._master is not None:
            terminal.set_size(self._master, json.loads(payload))
        elif kind == HANG_UP:
            self._hang_up()
        elif kind == CHECKPOINT:
            self._start_copy()
        elif kind in (SEED, SEED_MORE):
            self._seed(kind, payload)
        elif kind == REWIND:
            self._finish_seed()
        else:
            super()._on_host_frame(kind, payload)

    def _on_shown(self, size: int) -> None:
        self._credit += size
        if self._is_paused and self._credit > 0 and self._master is not None:
            self._is_paused = False
            self._poll.register(self._master, select.POLLIN)

    def _hang_up(self) -> None:
        """As when a terminal is closed: the kernel sends SIGHUP to the program that leads the session."""
        if self._master is None:
            self._code.close_input()
            return
        if not self._is_paused:
            self._poll.unregister(self._master)
        self._open.pop(self._master, None)
        self._input.end()
        os.close(self._master)
        self._code.out, self._master = -1, None

    # Copies of the files.

    def _start_copy(self) -> None:
        if self._copying is not None:
            return  # the host waits for one before it asks for the next
        limit = self._limits["diskBytes"]
        top, skip = self._member.top, self._request["skip"]
        self._copying = capture.stream_changes(self._host.connection, top, limit, skip, self._known)
        self._host.flush()
        os.write(self._turn_write, b"x")
        self._handlers[self._turn] = self._copy_some
        self._poll.register(self._turn, select.POLLIN)

    def _copy_some(self) -> None:
        """A few milliseconds' worth."""
        until = time.monotonic() + SLICE_S
        assert self._copying is not None  # only called while there is one
        try:
            while time.monotonic() < until:
                next(self._copying)
        except StopIteration:
            self._end_copy({})
        except (capture.TooLarge, OSError) as error:
            self._known.clear()
            self._end_copy({"error": str(error)})

    def _end_copy(self, told: Json) -> None:
        self._copying = None
        self._poll.unregister(self._turn)
        os.read(self._turn, 1)
        self._host.send(CHECKPOINT, json.dumps(told).encode())

    # The way back.

    def _seed(self, kind: bytes, payload: bytes) -> None:
        try:
            if self._seeder is None:
                owner = INNER_UID if os.geteuid() == 0 else None
                self._seeder = seed.Seeder("/work", owner, self._limits["diskBytes"])
            if self._seed_failed is None:
                self._seeder.take(kind, payload)
        except (OSError, ValueError) as error:
            self._seed_failed = error

    def _finish_seed(self) -> None:
        try:
            if self._seeder is not None and self._seed_failed is None:
                self._seeder.finish()
        except (OSError, ValueError) as error:
            self._seed_failed = error
        told = {"error": str(self._seed_failed)} if self._seed_failed is not None else {}
        self._seeder = self._seed_failed = None
        self._host.send(REWIND, json.dumps(told).encode())
