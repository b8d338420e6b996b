"""The steps of a session, as its warden attends them: they come one after the other, each ends like a run, and the last
states are kept.

current state --STEP--> running --success--> new current state (the one before is kept, asleep)
                                --anything else--> killed; files restored; the state before is woken
"""

from __future__ import annotations

import os

import plain_json as json
from attend import meters
from attend.attendance import Attendance
from attend.ending import judge, name_status, send_done
from attend.preparation import new_meter
from contain import process_status
from contain.limits import MEMORY
from files import capture
from files.merged import Merged
from files.snapshots import Snapshots
from frames import DONE, ENTRY, pack_done
from sessions.code_request import for_code
from sessions.forking import Forker, ForkRefused
from sessions.session_state import Moment, State, StateGone, StepRefused
from sessions.step_start import send_step, wait_for_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from attend.code_handle import CodeHandle
    from attend.host import Host
    from attend.member import Member
    from shapes import Ending, Json, Limits, Meter

KEPT_STATES = 10
# Processes that start others while they are ended are looked for again, so often.
MAX_ROUNDS = 20
RESTLESS = "processes that later steps left behind start others faster than they can be ended"


def _claimed_status(report: bytes | None) -> int:
    """A Node step that failed lives on; that it failed is its own word."""
    try:
        return 0 if json.loads(report or b"")["outcome"] == "ok" else 1
    except (ValueError, KeyError, TypeError, RecursionError):
        return 1


class Session:
    """`state` is the step that it begins after, `number` how many steps there were so far."""

    def __init__(
        self,
        member: Member,
        host: Host,
        code: CodeHandle,
        snapshots: Snapshots,
        forker: Forker | None,
        state: int,
        number: int,
    ) -> None:
        self._member, self._host, self._code, self._snapshots, self._forker = member, host, code, snapshots, forker
        self._rollback = forker is not None
        first = snapshots.take() if self._rollback else {}
        self._states = [State(state, code.pid, first, self._hold(code.pid))]
        self._number, self._rollbacks = number, 0
        self._told = {}

    def kept(self) -> list[int]:
        return [state.number for state in self._states] if self._rollback else []

    def step(self, message: Json, source: bytes) -> None:
        limits = message["limits"]
        current = self._states[-1]
        before = self._list_own()
        current.beside = Moment(before)
        meter = new_meter(self._member, {state.pid: state.held for state in self._states})
        self._number = message["number"]
        try:
            self._keep_from_forks(current)
            pid = self._start(current, message, source, before)
        except StepRefused as refused:
            ending = refused.ending
            send_done(self._host, ending, None, meter, 0, kept=self.kept(), step=self._number, notes=[], memoryBytes=0)
            return
        except StateGone as gone:
            self._end(gone.ending, None, meter, 0, ["the session is over: it did not take the step"])
        attendance = Attendance(self._host, self._code, limits, meter, pid, lives_on=True)
        ending = attendance.until_end()
        notes, alive, state = [], False, current
        if ending["kind"] == "alive" and self._rollback:
            try:
                state = self._open_state(pid)
            except ProcessLookupError:  # it ended after its last word
                ending = attendance.ending = {"kind": "ended"}
            except OSError:  # it hides how much memory it uses, which could not be counted from here on
                ending = attendance.ending = MEMORY.reached(limits)
        if ending["kind"] == "alive":
            self._code.close_input()
            wall_ms = attendance.finish()
            ending = {"kind": "exited", "exitCode": 0 if self._rollback else _claimed_status(attendance.report)}
            notes += self._keep(state)
            alive = True
        else:
            status = process_status.status_of_step(pid) if ending["kind"] == "ended" else 0
            has_ended = self._end_step(current)
            self._code.close_input()  # not before: who is ended is not told that its input has ended
            wall_ms = attendance.finish()
            ending = attendance.ending
            if ending["kind"] == "ended":
                ending = judge(self._member, meter, limits, name_status(status), attendance.report)
            if not has_ended:  # what still runs would change the state that is returned to
                self._end(ending, attendance.report, meter, wall_ms, ["the session is over: %s" % RESTLESS])
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

    def _start(self, current: State, message: Json, source: bytes, before: set[int]) -> int:
        send_step(self._code, for_code(self._member, message), source)
        if not self._rollback:
            return current.pid
        pid, self._code.input = wait_for_process(self._host, self._code, current, message, before)
        return pid

    def _hold(self, pid: int) -> dict[str, int]:
        """An earlier state sleeps unreadable, and its memory counts all the same. A group counts it without this."""
        return meters.hold(pid) if self._rollback and self._member.group is None else {}

    def _open_state(self, pid: int) -> State:
        """ProcessLookupError: it is gone. Another OSError: its memory can't be counted."""
        state = State(self._number, pid, None, {}, self._states[-1].apart_from)
        try:
            state.held = self._hold(pid)
        except OSError as error:
            was_gone = state.is_gone()
            state.drop()
            if was_gone:
                raise ProcessLookupError from error
            raise
        return state

    def _keep(self, state: State) -> list[str]:
        if not self._rollback:
            return []
        notes = self._take_files(state, "the files after this step could not be kept")
        self._states.append(state)
        for old in self._states[: -KEPT_STATES - 1]:
            old.drop()
        self._states = self._states[-KEPT_STATES - 1 :]
        self._snapshots.forget([state.manifest for state in self._states if state.manifest is not None])
        return notes

    def _take_files(self, state: State, trouble: str) -> list[str]:
        try:
            state.manifest = self._snapshots.take()
        except OSError as error:
            state.manifest = None
            return ["%s (%s): a rollback will restore variables only" % (trouble, error)]
        return []

    def _return_to(self, state: State) -> list[str]:
        if not self._rollback:
            return []
        notes = []
        if state.manifest is None:
            notes.append("the files of step %d were not kept: they stay as the last step left them" % state.number)
        else:
            self._snapshots.restore(state.manifest)
            notes += self._take_files(state, "the files of step %d could not be kept again" % state.number)
        state.wake()
        return notes

    def roll_back(self, number: int) -> None:
        wanted = [state for state in self._states if state.number == number and state.can_return()]
        if not wanted:
            self._refuse_rollback("step %s is not kept" % number)
            return
        state = wanted[0]
        self._rollbacks += 1
        position = self._states.index(state)
        later = self._states[position + 1 :]
        notes = []
        if later and not self._end_since(state):
            self._refuse_rollback(RESTLESS)
            return
        del self._states[position + 1 :]
        if later:
            for other in later:
                other.drop()
            notes = self._return_to(state)
        if state.is_gone():  # it was killed meanwhile
            self._refuse_rollback("step %s is not kept" % number)
            return
        self._host.send(
            DONE, pack_done({"ending": {"kind": "rolledBack", "to": number}, "kept": self.kept(), "notes": notes})
        )

    def _refuse_rollback(self, reason: str) -> None:
        """The host makes the state again, in another sandbox."""
        self._host.send(DONE, pack_done({"ending": {"kind": "refused", "reason": reason}, "kept": self.kept()}))

    def fork(self, networks: list[Json | None]) -> None:
        """Copies of the current state, all of them or none: one for each way to the network, which may be none."""
        try:
            if self._forker is None:
                raise ForkRefused("language", "only Python can be copied")
            others = self._list_own() - {1, self._member.bridge} - {state.pid for state in self._states}
            # A state that was rolled back is dead at once, and reaped when the state before it wakes.
            if any(process_status.is_running(pid) for pid in others):
                raise ForkRefused("processes", "processes that it started still run")
            names = self._forker.fork(self._states[-1], self._number, (self._number, self._rollbacks), networks)
            message = {
                "ending": {"kind": "forked"},
                "forks": names,
                "kept": self.kept(),
                "step": self._states[-1].number,
            }
        except (ForkRefused, OSError) as refused:
            why = refused.why if isinstance(refused, ForkRefused) else "copy"
            message = {"ending": {"kind": "refused", "why": why, "reason": str(refused)}, "kept": self.kept()}
        self._host.send(DONE, pack_done(message))

    def leave(self) -> None:
        """The client is gone: the session's own processes end, and its forks go on."""
        if self._forker is None or not self._forker.living:
            return
        self._host.connection.close()
        process_status.kill(self._list_own() - {1})
        self._forker.outlive()

    def _keep_from_forks(self, state: State) -> None:
        try:
            if self._forker is not None:
                self._forker.keep_apart(state)
        except ForkRefused as refused:
            raise StepRefused({"kind": "unavailable", "reason": str(refused)}) from refused

    def _list_own(self) -> set[int]:
        """Processes of the session, without those of its forks."""
        return process_status.list_processes(nested=self._forker is None or not self._forker.has_forked)

    def _tell_files(self, limits: Limits) -> None:
        try:
            top, below = self._member.top, self._member.below
            merged = Merged(top, below) if below is not None else None
            capture.send_changes(self._host.connection, top, limits["diskBytes"], known=self._told, merged=merged)
        except capture.TooLarge as error:
            self._host.send(ENTRY, json.dumps({"path": str(error), "type": "other", "mode": 0}).encode())

    def _end_step(self, current: State) -> bool:
        """Whatever the step started dies; what earlier steps left running stays. False: some of it still runs."""
        if self._rollback:
            return self._end_since(current)
        process_status.kill([current.pid])
        return True

    def _end_since(self, state: State) -> bool:
        """Whatever was started since the state was left dies, also what that starts meanwhile. False: some runs on."""
        for _ in range(MAX_ROUNDS):
            strays = {pid for pid in self._list_own() if not state.beside.had(pid)}
            if not any(process_status.is_running(pid) for pid in strays):
                return True
            process_status.kill(strays)
        return False
