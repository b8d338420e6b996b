"""The warden of a session or of a fork: takes what the host asks for, until it hangs up."""

from __future__ import annotations

import os
import socket

import plain_json as json
from attend.host import HostGone
from files.snapshots import Snapshots
from frames import CODE, DONE, FORK, REQUEST, ROLLBACK, STEP, pack_done
from sessions.code_request import for_code
from sessions.forking import Forker
from sessions.session import Session
from sessions.trial_forks import TrialAttendance, TrialForks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from attend.code_handle import CodeHandle
    from attend.host import Host
    from attend.member import Member
    from shapes import Json, Socket


def serve(member: Member, host: Host, code: CodeHandle, request: Json) -> NoReturn:
    rollback = member.kind == "python"
    # The kernel tells who says what: a process that an earlier step left running can't speak for a later one.
    code.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    code.send((REQUEST, json.dumps(for_code(member, request["code"])).encode()), (CODE, b""))
    code.close_input()
    if rollback and code.next_frame() is None:
        raise HostGone()
    host.send(DONE, pack_done({"ending": {"kind": "opened"}, "kept": [0] if rollback else []}))
    serve_steps(member, host, code, request)


def attend_trials(member: Member, link: Socket, *details: Any, **more: Any) -> TrialAttendance:
    """Of a run that is no session, and may have trial forks: what it asks for comes along `link`."""
    return TrialAttendance(TrialForks(member, link), *details, **more)


def serve_steps(member: Member, host: Host, code: CodeHandle, request: Json) -> NoReturn:
    """From here on a session and its forks are served alike."""
    store = os.open("snapshots", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=member.scratch)
    forker = Forker(member, code, request, serve_steps) if member.kind == "python" else None
    state, number = request.get("from", (0, 0))
    session = Session(member, host, code, Snapshots(member.top, member.lower, store), forker, state, number)
    try:
        while True:
            kind, payload = host.receive()
            if kind == STEP:
                message = json.loads(payload)
                _, source = host.receive()
                session.step(message, source)
            elif kind == ROLLBACK:
                session.roll_back(json.loads(payload)["to"])
            elif kind == FORK:
                session.fork(json.loads(payload)["networks"])
    finally:
        session.leave()
