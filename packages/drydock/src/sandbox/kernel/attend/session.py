"""The warden of a session: steps come one after the other, each ends like a run, and the last states are kept.

current state --STEP--> running --success--> new current state (the one before is kept, asleep)
                                --anything else--> killed; files restored; the state before is woken
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time

import plain_json as json
from attend import meters, process_status
from attend.attendance import Attendance, receive_from
from attend.ending import judge, name_status, send_done
from attend.host import HostGone
from attend.preparation import new_meter
from attend.session_state import State, StateGone
from contain.limits import MEMORY, TIMEOUT
from files import capture
from files.snapshots import Snapshots
from frames import CODE, DONE, ENTRY, READY, REQUEST, ROLLBACK, STEP, pack_done, read_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from attend.code_handle import CodeHandle
    from attend.host import Host
    from attend.member import Member
    from shapes import Ending, Json, Limits, Meter

KEPT_STATES = 10


def serve(member: Member, host: Host, code: CodeHandle, request: Json) -> NoReturn:
    rollback = member.kind == "python"
    # The kernel tells who says what: a process that an earlier step left running can't speak for a later one.
    code.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    code.send((REQUEST, json.dumps(request["code"]).encode()), (CODE, b""))
    code.close_input()
    if rollback and code.next_frame() is None:
        raise HostGone()
    store = os.open("snapshots", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=member.scratch)
    session = Session(member, host, code, Snapshots(member.top, member.lower, store), code.pid, rollback)
    host.send(DONE, pack_done({"ending": {"kind": "opened"}, "kept": session.kept()}))
    while True:
        kind, payload = host.receive()
        if kind == STEP:
            message = json.loads(payload)
            _, source = host.receive()
            session.step(message, source)
        elif kind == ROLLBACK:
            session.roll_back(json.loads(payload)["to"])


def _claimed_status(report: bytes | None) -> int:
    """A Node step that failed lives on; that it failed is its own word."""
    try:
        return 0 if json.loads(report or b"")["outcome"] == "ok" else 1
    except (ValueError, KeyError, TypeError, RecursionError):
        return 1


class Session:
    def __init__(
        self, member: Member, host: Host, code: CodeHandle, snapshots: Snapshots, pid: int, rollback: bool
    ) -> None:
        self._member, self._host, self._code, self._snapshots, self._rollback = member, host, code, snapshots, rollback
        self._states = [State(0, pid, snapshots.take() if rollback else {}, self._hold(pid))]
        self._number = 0
        self._told = {}

    def kept(self) -> list[int]:
        return [state.number for state in self._states] if self._rollback else []

    def step(self, message: Json, source: bytes) -> None:
        limits = message["limits"]
        current = self._states[-1]
        before = process_status.list_processes()
        meter = new_meter(self._member, {state.pid: state.held for state in self._states})
        self._number += 1
        try:
            pid = self._start_step(message, source, before) if self._rollback else self._send_step(message, source)
        except StateGone as gone:
            self._end(gone.ending, None, meter, 0, ["the session is over: it did not take the step"])
        attendance = Attendance(self._host, self._code, limits, meter, pid, lives_on=True)
        ending = attendance.until_end()
        notes, alive, held = [], False, {}
        if ending["kind"] == "alive":
            try:
                held = self._hold(pid)
            except OSError:  # it hides how much memory it has, which nobody could count from here on
                ending = attendance.ending = MEMORY.reached(limits)
        if ending["kind"] == "alive":
            wall_ms = attendance.finish()
            ending = {"kind": "exited", "exitCode": 0 if self._rollback else _claimed_status(attendance.report)}
            notes += self._keep(pid, held)
            alive = True
        else:
            status = process_status.status_of_step(pid) if ending["kind"] == "ended" else 0
            self._end_step(before, current)
            wall_ms = attendance.finish()
            ending = attendance.ending
            if ending["kind"] == "ended":
                ending = judge(self._member, meter, limits, name_status(status), attendance.report)
            notes += self._return_to(current)
        self._tell_files(limits)
        if not alive and (not self._rollback or current.is_gone()):
            self._end(ending, attendance.report, meter, wall_ms, notes)  # there is no state to go back to
        send_done(
            self._host,
            ending,
            attendance.report,
            meter,
            wall_ms,
            kept=self.kept(),
            step=self._number,
            alive=alive,
            notes=notes,
            memoryBytes=meter.memory_bytes(),
            guardPassed=attendance.guard_passed,
        )

    def _end(self, ending: Ending, report: bytes | None, meter: Meter, wall_ms: int, notes: list[str]) -> NoReturn:
        send_done(
            self._host,
            ending,
            report,
            meter,
            wall_ms,
            kept=[],
            step=self._number,
            over=True,
            notes=notes,
            memoryBytes=0,
        )
        self._host.wait_for_hang_up()
        os._exit(0)

    def _send_step(self, message: Json, source: bytes) -> int:
        """What the last step's process had begun to say, and what nobody took, is forgotten."""
        self._code.reports = read_code()
        self._code.channel.settimeout(message["limits"]["wallSeconds"])
        try:
            self._code.send((STEP, json.dumps(message).encode()), (CODE, source))
        except TimeoutError:
            raise StateGone(TIMEOUT.reached(message["limits"])) from None
        except OSError:
            raise StateGone({"kind": "signalled", "signal": "SIGKILL"}) from None
        finally:
            self._code.channel.settimeout(None)
        return self._states[-1].pid

    def _start_step(self, message: Json, source: bytes, before: set[int]) -> int:
        """The process of the step is the first new one that says it is ready; how long it may take is part of the
        step's time."""
        deadline = time.monotonic() + message["limits"]["wallSeconds"]
        self._send_step(message, source)
        channel, host, state = self._code.channel.fileno(), self._host.fileno(), self._states[-1].pidfd
        poll = select.poll()
        for descriptor in (channel, host, state):
            poll.register(descriptor, select.POLLIN)
        while time.monotonic() < deadline:
            ready = {descriptor for descriptor, _ in poll.poll(max(1, int((deadline - time.monotonic()) * 1000)))}
            if host in ready and not self._host.fill():
                raise HostGone()
            if channel in ready:
                pid, data = receive_from(self._code.channel)
                if not data:
                    break
                if pid not in before and self._says_ready(data):
                    return pid
            elif state in ready:
                break
        else:
            raise StateGone(TIMEOUT.reached(message["limits"]))
        raise StateGone({"kind": "signalled", "signal": "SIGKILL"})

    def _says_ready(self, data: bytes) -> bool:
        try:
            self._code.reports.feed(data)
            frame = self._code.reports.next()
        except ValueError:
            return False
        return frame is not None and frame[0] == READY

    def _hold(self, pid: int) -> dict[str, int]:
        """An earlier state sleeps unreadable, and its memory counts all the same. A group counts it without this."""
        return meters.hold(pid) if self._rollback and self._member.group is None else {}

    def _keep(self, pid: int, held: dict[str, int]) -> list[str]:
        if not self._rollback:
            return []
        try:
            self._states.append(State(self._number, pid, self._snapshots.take(), held))
        except OSError as error:
            self._states.append(State(self._number, pid, None, held))
            return ["the files after this step could not be kept (%s): a rollback will restore variables only" % error]
        for old in self._states[: -KEPT_STATES - 1]:
            old.drop()
        self._states = self._states[-KEPT_STATES - 1 :]
        self._snapshots.forget([state.manifest for state in self._states if state.manifest is not None])
        return []

    def _return_to(self, state: State) -> list[str]:
        if not self._rollback:
            return []
        notes = []
        if state.manifest is None:
            notes.append("the files of step %d were not kept: they stay as the failed step left them" % state.number)
        else:
            self._snapshots.restore(state.manifest)
            state.manifest = self._snapshots.take()
        state.signal(signal.SIGCONT)  # the step may have stopped it
        state.signal(signal.SIGUSR1)
        return notes

    def roll_back(self, number: int) -> None:
        wanted = [state for state in self._states if state.number == number]
        if not wanted:
            self._host.send(
                DONE,
                pack_done(
                    {"ending": {"kind": "refused", "reason": "step %s is not kept" % number}, "kept": self.kept()}
                ),
            )
            return
        state = wanted[0]
        position = self._states.index(state)
        later = self._states[position + 1 :]
        del self._states[position + 1 :]
        notes = []
        if later:
            process_status.kill([other.pid for other in later])
            for other in later:
                other.drop()
            notes = self._return_to(state)
        self._host.send(
            DONE, pack_done({"ending": {"kind": "rolledBack", "to": number}, "kept": self.kept(), "notes": notes})
        )

    def _tell_files(self, limits: Limits) -> None:
        try:
            capture.send_changes(self._host.connection, self._member.top, limits["diskBytes"], known=self._told)
        except capture.TooLarge as error:
            self._host.send(ENTRY, json.dumps({"path": str(error), "type": "other", "mode": 0}).encode())

    def _end_step(self, before: set[int], current: State) -> None:
        """Whatever the step started dies; what earlier steps left running stays."""
        process_status.kill(process_status.list_processes() - before if self._rollback else [current.pid])
