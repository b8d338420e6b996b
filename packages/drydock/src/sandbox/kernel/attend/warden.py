"""Pid 1 of a member, and the only one in it that is trusted. It forks the code process and sleeps: a clone that is not
even an interpreter yet, so that it costs next to nothing. What the lookout does not attend wakes it up, and then it
answers for what happened: the limits, the deadline, the end of every process, the files that are left.

    cloned -> asleep -> serving one run, or one session -> gone
"""

from __future__ import annotations

import os

import plain_json as json
from attend import code_process, handover, rehearsal
from attend.attendance import Attendance
from attend.code_handle import CodeHandle
from attend.ending import judge, name_status, send_done
from attend.host import Host, HostGone
from attend.live_attendance import LiveAttendance
from attend.preparation import open_top
from contain import steps
from contain.limits import DISK
from files import capture, observe, seed, workspace
from frames import CODE, DONE, PLAIN, READY, REHEARSE, REQUEST, YOURS, pack_done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from attend.member import Member
    from attend.way_out import WayOut
    from files.observe import Observer
    from shapes import AttendedMember, Json, Meter, Socket


def main(member: Member, pid: int) -> NoReturn:
    """Pid 1, woken by the code process `pid`. Never returns."""
    try:
        steps.enter(member.warden_steps, member)
        kind, host, code, meter = _take_over(member, pid)
        if kind == PLAIN:
            serve_plain(member, host, code, meter)
        else:
            kind, payload = host.receive()
            while kind == REHEARSE:
                rehearsal.rehearse(member, code, meter)
                kind, payload = host.receive()
            _serve(member, host, code, json.loads(payload), meter)
        host.wait_for_hang_up()
    except HostGone:
        pass
    except steps.ContainmentFailed as failed:
        member.complain(failed)
    except BaseException:  # an internal error: the host gets it, and reports the run as lost
        import traceback

        traceback.print_exc()
    finally:
        member.leave()


def _take_over(member: Member, pid: int) -> tuple[bytes, Host, CodeHandle, Meter]:
    """Which kind of run it is, and what it takes to attend it: (kind, host, code, meter)."""
    kind, descriptors = _take_message(member, pid)
    meter = None
    if kind == READY:
        *ends, member.scratch = descriptors
        code = CodeHandle(pid, *ends)
        if member.kind == "node" and code.next_frame() is None:
            raise steps.ContainmentFailed(
                "the code process", os.read(code.err, 4096).decode("utf-8", "replace").strip()
            )
        meter = member.new_meter()
        if member.kind == "node":  # it can't wait at the door itself
            return YOURS, Host(handover.open_door(member)), code, meter
        code.close()
        if not member.may_accept:
            handover.open_for(member)
        kind, descriptors = _take_message(member, pid)
    while kind == REHEARSE:
        *ends, member.scratch = descriptors
        code = CodeHandle(pid, *ends)
        meter = meter or member.new_meter()
        rehearsal.rehearse(member, code, meter)
        code.close()
        kind, descriptors = _take_message(member, pid)
    connection, *ends, member.scratch = descriptors
    return kind, Host(handover.as_socket(connection)), CodeHandle(pid, *ends), meter or member.new_meter()


def _take_message(member: Member, pid: int) -> tuple[bytes, list[int]]:
    """What comes along the leash: (kind, descriptors). Its end means that this member is not needed any more, or was
    never completed."""
    kind, descriptors, _ = handover.take(member.conversation.leash)
    if kind:
        return kind, descriptors
    if os.waitpid(pid, os.WNOHANG) == (pid, code_process.FAILED << 8):
        raise steps.ContainmentFailed("the code process", member.conversation.last_words())
    raise HostGone()


def _gone() -> NoReturn:
    raise HostGone()


def serve_plain(member: AttendedMember, host: Host, code: CodeHandle, meter: Meter) -> None:
    """The code process has the request already, and soon the code; what it read beyond that comes back."""
    member.top = open_top(member, "work")
    payload = code.take_request() or _gone()
    _, rest = code.next_frame() or _gone()
    host.put_back(rest)
    way_out = member.way_out = member.make_way_out(code) if code.port is not None else None
    _attend_run(member, host, code, json.loads(payload), meter, way_out=way_out)


def _serve(member: Member, host: Host, code: CodeHandle, request: Json, meter: Meter) -> None:
    """The code comes when the run is on record: until then there is time to prepare."""
    limits = request["code"]["limits"]
    try:
        member.prepare(code, request)
        source = (
            seed.take(host, member.work, member.owner, limits["diskBytes"])
            if request.get("seed")
            else host.receive()[1]
        )
        workspace.pin((request.get("workspace") or {}).get("pin", ()))
    except (workspace.WorkspaceFailed, OSError) as failed:
        if not isinstance(failed, seed.SeedFailed):
            seed.discard(host)
        ending = {"kind": "unavailable", "reason": str(failed)}
        if seed.is_full(failed):
            ending = DISK.reached(limits)
        host.send(DONE, pack_done({"ending": ending}))
        return
    if request["code"]["mode"] == "session":
        assert member.sessions is not None  # a server for a single run never gets a request for one
        member.sessions.serve(member, host, code, request)
    else:
        serve_run(member, host, code, request, source, meter)


def serve_run(member: AttendedMember, host: Host, code: CodeHandle, request: Json, source: bytes, meter: Meter) -> None:
    code.send((REQUEST, json.dumps(request["code"]).encode()), (CODE, source))
    observer = _take_observer(code) if request["code"].get("observe") else None
    forks = _take_fork_requests(member, code) if request["code"].get("forks") else None
    _attend_run(member, host, code, request, meter, observer, member.way_out, forks)


def _take_observer(code: CodeHandle) -> Observer | None:
    _, descriptors, _ = handover.take(code.channel)
    return observe.Observer(descriptors[0], code.pid) if descriptors else None


def _take_fork_requests(member: AttendedMember, code: CodeHandle) -> Socket | None:
    """The end of a socket on which the program asks for trial forks. Where nobody can make any, it is closed, and the
    program hears that."""
    _, descriptors, _ = handover.take(code.channel)
    link = handover.as_socket(descriptors[0]) if descriptors else None
    if link is not None and _trials(member) is None:
        link.close()
        return None
    return link


def _trials(member: AttendedMember) -> Any:
    """The module that attends runs with trial forks, where this server has it."""
    return getattr(member, "sessions", None)


def _attend_run(
    member: AttendedMember,
    host: Host,
    code: CodeHandle,
    request: Json,
    meter: Meter,
    observer: Observer | None = None,
    way_out: WayOut | None = None,
    forks: Socket | None = None,
) -> None:
    limits = request["code"]["limits"]
    if forks is not None:
        attendance = _trials(member).attend_trials(
            member, forks, host, code, limits, meter, code.pid, observer=observer, way_out=way_out
        )
    elif request.get("live"):
        attendance = LiveAttendance(member, request, host, code, meter, way_out)
    else:
        attendance = Attendance(host, code, limits, meter, code.pid, observer=observer, way_out=way_out)
    try:
        if not request["input"]:
            code.close_input()
        attendance.until_end()
        if way_out:
            way_out.look()
        status = member.end_everything(code.pid)
        wall_ms = attendance.finish()
    finally:
        attendance.close()
        code.close_port()
    ending = (
        attendance.ending
        if attendance.ending["kind"] != "ended"
        else judge(member, meter, limits, name_status(status), attendance.report)
    )
    try:
        host.flush()
        member.send_changes(host.connection, limits["diskBytes"], request["skip"])
    except capture.TooLarge:
        ending = DISK.reached(limits)
    except OSError as error:
        raise HostGone() from error
    more = member.tell_more(request, ending, attendance)
    if observer:
        more["observed"] = observer.report()
    send_done(host, ending, attendance.report, meter, wall_ms, guardPassed=attendance.guard_passed, **more)
