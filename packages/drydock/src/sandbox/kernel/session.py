"""The warden of a session: steps come one after the other, each ends like a run, and the last states are kept.

    current state --STEP--> running --success--> new current state (the one before is kept, asleep)
                                    --anything else--> killed; files restored; the state before is woken
"""
import json
import os
import signal
import time

import capture
import warden
from attendance import Attendance, HostGone, name_status
from frames import CODE, DONE, ENTRY, READY, REQUEST, ROLLBACK, STEP, pack_done
from snapshots import Snapshots

KEPT_STATES = 10


class State:
    def __init__(self, number, pid, manifest):
        self.number, self.pid, self.manifest = number, pid, manifest


def serve(member, host, code, request):
    rollback = member.kind == "python"
    code.send((REQUEST, json.dumps(request["code"]).encode()), (CODE, b""))
    os.close(code.input)
    code.input = None
    first = _receive_pid(code) if rollback else code.pid
    store = os.open("snapshots", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=member.scratch)
    session = Session(member, host, code, Snapshots(member.top, member.lower, store), first, rollback)
    host.send(DONE, pack_done({"ending": {"kind": "opened"}, "kept": session.kept()}))
    while True:
        kind, payload = host.receive()
        if kind == STEP:
            message = json.loads(payload)
            _, source = host.receive()
            session.step(message, source)
        elif kind == ROLLBACK:
            session.roll_back(json.loads(payload)["to"])


def _receive_pid(code):
    """The first thing that a new state says is which process it is. A late word of a dead one is not listened to."""
    while True:
        frame = code.next_frame()
        if frame is None:
            raise HostGone()  # no state is left: the session is over
        if frame[0] == READY:
            return int(frame[1])


def _claimed_status(report):
    """A Node step that failed lives on; that it failed is its own word."""
    try:
        return 0 if json.loads(report)["outcome"] == "ok" else 1
    except (ValueError, KeyError, TypeError):
        return 1


class Session:
    def __init__(self, member, host, code, snapshots, pid, rollback):
        self._member, self._host, self._code, self._snapshots, self._rollback = member, host, code, snapshots, rollback
        self._states = [State(0, pid, snapshots.take() if rollback else {})]
        self._number = 0
        self._told = {}

    def kept(self):
        return [state.number for state in self._states] if self._rollback else []

    def step(self, message, source):
        limits = message["limits"]
        current = self._states[-1]
        before = self._processes()
        meter = warden.new_meter(self._member)
        self._code.send((STEP, json.dumps(message).encode()), (CODE, source))
        pid = _receive_pid(self._code) if self._rollback else current.pid
        attendance = Attendance(self._host, self._code, limits, meter, pid, lives_on=True)
        ending = attendance.until_end()
        notes, alive = [], False
        self._number += 1
        if ending["kind"] == "alive":
            wall_ms = attendance.finish()
            ending = {"kind": "exited", "exitCode": 0 if self._rollback else _claimed_status(attendance.report)}
            notes += self._keep(pid)
            alive = True
        else:
            status = self._status_of(pid) if ending["kind"] == "ended" else None
            self._end_step(before, current)
            wall_ms = attendance.finish()
            ending = attendance.ending
            if ending["kind"] == "ended":
                ending = warden.judge(self._member, meter, limits, name_status(status), attendance.report)
            notes += self._return_to(current)
        self._tell_files(limits)
        warden.send_done(self._host, ending, attendance.report, meter, wall_ms, kept=self.kept(), step=self._number, notes=notes,
                         memoryBytes=meter.memory_bytes())
        if not alive and not self._rollback:
            os._exit(0)  # there is no state to go back to

    def _keep(self, pid):
        if not self._rollback:
            return []
        try:
            self._states.append(State(self._number, pid, self._snapshots.take()))
        except OSError as error:
            self._states.append(State(self._number, pid, None))
            return ["the files after this step could not be kept (%s): a rollback will restore variables only" % error]
        for old in self._states[:-KEPT_STATES - 1]:
            os.kill(old.pid, signal.SIGKILL)
        self._states = self._states[-KEPT_STATES - 1:]
        self._snapshots.forget([state.manifest for state in self._states if state.manifest is not None])
        return []

    def _return_to(self, state):
        if not self._rollback:
            return []
        notes = []
        if state.manifest is None:
            notes.append("the files of step %d were not kept: they stay as the failed step left them" % state.number)
        else:
            self._snapshots.restore(state.manifest)
            state.manifest = self._snapshots.take()
        os.kill(state.pid, signal.SIGUSR1)
        return notes

    def roll_back(self, number):
        wanted = [state for state in self._states if state.number == number]
        if not wanted:
            self._host.send(DONE, pack_done({"ending": {"kind": "refused", "reason": "step %s is not kept" % number}, "kept": self.kept()}))
            return
        state = wanted[0]
        position = self._states.index(state)
        later = self._states[position + 1:]
        del self._states[position + 1:]
        notes = []
        if later:
            self._kill([other.pid for other in later])
            notes = self._return_to(state)
        self._host.send(DONE, pack_done({"ending": {"kind": "rolledBack", "to": number}, "kept": self.kept(), "notes": notes}))

    def _tell_files(self, limits):
        try:
            capture.send_changes(self._host.connection, self._member.top, limits["diskBytes"], known=self._told)
        except capture.TooLarge as error:
            self._host.send(ENTRY, json.dumps({"path": str(error), "type": "other", "mode": 0}).encode())

    @staticmethod
    def _processes():
        return {int(name) for name in os.listdir("/proc") if name.isdigit()}

    @staticmethod
    def _status_of(pid):
        """The dead child's status, from the kernel: its parent is the state before, which sleeps and has not reaped it."""
        try:
            with open("/proc/%d/stat" % pid, "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
            if fields[0] == b"Z":
                return int(fields[-1])
        except OSError:
            pass
        try:
            return os.waitpid(pid, os.WNOHANG)[1]
        except ChildProcessError:
            return signal.SIGKILL  # somebody hid how it ended: that is no success

    def _end_step(self, before, current):
        """Whatever the step started dies; what earlier steps left running stays."""
        self._kill(self._processes() - before if self._rollback else [current.pid])

    def _kill(self, pids):
        waiting = set(pids) - {1}
        deadline = time.monotonic() + 5
        while waiting and time.monotonic() < deadline:
            for pid in list(waiting):
                try:
                    os.kill(pid, signal.SIGKILL)
                    with open("/proc/%d/stat" % pid, "rb") as file:
                        if file.read().rsplit(b")", 1)[1].split()[0] in (b"Z", b"X"):
                            waiting.discard(pid)
                except OSError:
                    waiting.discard(pid)
            if waiting:
                time.sleep(0.001)
        self._reap()

    @staticmethod
    def _reap():
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
