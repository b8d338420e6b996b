"""The warden of a fork: pid 1 of its namespaces. It builds the place, lets the copy of the interpreter in, and from
then on serves it like the session that it was copied from."""

from __future__ import annotations

import os
import signal
import socket

import plain_json as json
from attend import handover, preparation, way_out
from attend.code_handle import CodeHandle
from attend.handover import receive_from
from attend.host import Host, HostGone
from attend.member import Member
from contain import fork_steps, steps
from files import workspace
from frames import HELLO, READY, pack
from sessions.copying import NAMESPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

    from contain.cgroups import SlotV1
    from files.frozen import Frozen
    from shapes import Json, Socket


# From when the session has named its forks to the host, which takes them up at once or gives up after 10 seconds.
HOST_PATIENCE_S = 30.0


class ForkedMember(Member):
    """The session's member, as its fork has it."""

    lower: int | None
    below: int | None

    def __init__(self, parent: Member, request: Json, frozen: Frozen, group: SlotV1 | None, link: Socket) -> None:
        self.__dict__.update(parent.__dict__)
        self.request, self.group, self.link = request, group, link
        self.disk_bytes = request["code"]["limits"]["diskBytes"]
        self.frozen_paths, self.frozen = dict(frozen.paths), {}
        self.has_workspace = bool(request.get("workspace"))
        self.lower = self.below = self.bridge = None

    def kept_descriptors(self) -> list[int]:
        kept = [each.fileno() for each in (self.fork_listener, self.broker, self.ways, self.link)]
        return kept + (self.group.descriptors() if self.group else [])


def main(member: ForkedMember, name: str, serve: Callable[[Member, Host, CodeHandle, Json], NoReturn]) -> NoReturn:
    """Never returns."""
    try:
        if member.link.recv(1) != READY:  # the identity is mapped, and the group's limits hold
            raise HostGone()
        code = _await_copy(member, _build(member))
        serve(member, Host(_await_host(member, name)), code, member.request)
    except HostGone:
        pass
    except (steps.ContainmentFailed, workspace.WorkspaceFailed, OSError) as failed:
        member.link.send(str(failed).encode("utf-8", "backslashreplace")[: handover.MOST_BYTES])
    except BaseException:  # a fault of ours: the fork server's standard error has it, and there is no fork
        import traceback

        traceback.print_exc()
    finally:
        os._exit(0)


def _build(member: ForkedMember) -> handover.Conversation:
    """What a member has when it is locked, and what a request asks of it besides."""
    steps.enter(fork_steps.STEPS, member)
    member.below = member.frozen.get("work")
    if member.has_workspace:
        workspace.open_workspace(member, member.request)
        workspace.pin(member.request["workspace"].get("pin", ()))
        member.top = preparation.open_top(member, "upper")
    elif member.below is not None:
        member.lower, member.top = os.dup(member.below), preparation.open_top(member, "upper-work")
    else:
        member.top = preparation.open_top(member, "work")
    if member.request.get("network"):
        port = way_out.open_port()
        way_out.start_bridge(member, port, member.request["network"])
        os.close(port)
    member.conversation = handover.Conversation(member.owner)
    return member.conversation


def _await_copy(member: ForkedMember, conversation: handover.Conversation) -> CodeHandle:
    """Hands over what the copy comes in by, and waits for its first word."""
    namespaces = [os.open("/proc/self/ns/" + kind, os.O_RDONLY | os.O_CLOEXEC) for kind in NAMESPACES]
    conversation.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    handover.give(member.link, READY, [*namespaces, *conversation.code_ends()])
    for descriptor in namespaces:
        os.close(descriptor)
    conversation.close_code_ends()
    if member.link.recv(1) != READY:
        raise HostGone()
    pid, data = receive_from(conversation.channel)
    code = CodeHandle(pid, *conversation.ends())
    code.reports.feed(data)
    frame = code.reports.next()
    if frame is None or frame[0] != READY:
        raise HostGone()
    code.close_input()
    return code


def _await_host(member: ForkedMember, name: str) -> Socket:
    """Says its name to whoever connects: the host knows whose fork that is. HostGone: nobody comes, as where the
    session was closed while it was forked."""
    member.link.recv(1)  # nothing: the session closes its end when all forks of the request are made
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, HOST_PATIENCE_S)
    while True:
        connection, _ = member.fork_listener.accept()
        try:
            connection.sendall(pack(HELLO, json.dumps({"fork": name}).encode()))
            break
        except BrokenPipeError:  # its caller has given up while it waited in the queue
            connection.close()
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    return connection


def _give_up(number: int, frame: FrameType | None) -> NoReturn:
    raise HostGone()
