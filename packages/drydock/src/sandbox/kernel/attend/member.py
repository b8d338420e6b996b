"""What a fork server hands to a member when it clones it."""

from __future__ import annotations

import errno
import os

import linux
import plain_json as json
from attend import ending, handover, preparation, way_out
from contain import process_status, steps
from files import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn

    from attend.attendance import Attendance
    from attend.code_handle import CodeHandle
    from attend.server import Server
    from contain.cgroups import SlotV1
    from shapes import Ending, Json, Meter, Socket, Steps, SystemCallFilter

# Where the packages of the kernel part lie.
KERNEL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TRIED = 250  # no error has this number


def say(**message: Any) -> None:
    """To the host, which reads standard output."""
    os.write(1, json.dumps(message).encode() + b"\n")


class Missing(OSError):
    """The machine lacks `what`: nothing has run, and the policy may accept something else."""

    what: str

    def __str__(self) -> str:
        return str(self.strerror)


class NamespacesMissing(Missing):
    what = "namespaces"

    def __init__(self, cause: OSError) -> None:
        if cause.errno in (errno.ENOSPC, errno.EUSERS):
            why = "the machine's number of user namespaces is used up, or zero (user.max_user_namespaces)"
        elif cause.errno in (errno.EPERM, errno.EACCES):
            why = "a container, AppArmor or a sysctl forbids them"
        else:
            why = "this kernel does not have all of them"
        super().__init__(cause.errno, "namespaces can't be made: %s (%s)" % (why, cause.strerror))


def try_namespaces(flags: int) -> bool:
    """Raises where they can't be made. Says whether it can be seen, from outside, how a process in them ended."""
    pid = os.fork()
    if pid == 0:
        try:
            linux.unshare(flags)
            os._exit(TRIED)
        except OSError as error:
            os._exit(error.errno or 1)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    seen = process_status.status_of_dead(pid)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != TRIED:
        raise OSError(status, os.strerror(status))
    return seen == TRIED << 8


class Member:
    """What the fork server hands to a member when it clones it."""

    may_accept = True
    traces: dict[str, int] | None = None  # descriptors by name, of what shows whether a run left something
    built = b""  # what they said before anything ran
    scratch: int  # its disk, when it is built
    top: int  # what it may change of that, when a request is prepared
    terminal: int  # the program's end of its terminal, where it has one
    lower: int | None
    below: int | None
    environment: Json | None
    jobs: Socket | None
    owner: int | None
    warden_steps: Steps
    code_steps: Steps
    filter: SystemCallFilter | None
    group: SlotV1 | None

    def __init__(self, kind: str, slot: int, server: Server) -> None:
        self.kind, self.slot = "node" if kind == "webnode" else kind, slot
        self.is_for_network = kind == "webnode"
        self.rootless, self.filter = server.rootless, server.filter
        self.broker, self.ways = server.requests, server.ways
        self.listener = server.listeners[kind]
        self.fork_listener = server.listeners["fork"]
        self.group = server.groups[slot] if server.groups is not None else None
        self.disk_bytes = server.config["diskBytes"]
        self.inner_host_uid = server.uid_of(slot) + 1
        self.environment = server.config["environment"]
        self.jobs = server.jobs if kind == "python" else None
        self.traces = {} if self.jobs else None
        self.lower = self.below = None
        self.way_out: way_out.WayOut | None = None
        self.bridge: int | None = None
        self.sessions = server.sessions
        self.owner = None if self.rootless else steps.INNER_UID
        self.work, self.node, self.worker = "/work", "/drydock/bin/node", "/drydock/lib/worker.cjs"
        self.warden_steps, self.code_steps = steps.WARDEN_STEPS, steps.CODE_STEPS
        self.conversation = handover.Conversation(None if self.rootless else self.inner_host_uid)

    def kept_descriptors(self) -> list[int]:
        kept = [self.listener, self.fork_listener, self.broker, self.ways, self.conversation.leash]
        kept = [*(each.fileno() for each in kept), self.conversation.err]
        return kept + (self.group.descriptors() if self.group else [])

    def own_descriptors(self) -> list[int]:
        """What of these the code process needs until it is locked."""
        return []

    def new_meter(self) -> Meter:
        return preparation.new_meter(self)

    def prepare(self, code: CodeHandle, request: Json) -> None:
        preparation.prepare(self, code, request)

    def make_way_out(self, code: CodeHandle, network: Json | None = None) -> way_out.WayOut:
        return way_out.WayOut(code, lambda port, network: way_out.start_bridge(self, port, network), network)

    def send_changes(self, connection: Socket, limit_bytes: int, skip: Iterable[str]) -> None:
        capture.send_changes(connection, self.top, limit_bytes, skip)

    def end_everything(self, pid: int) -> int:
        return ending.end_everything(pid)

    def tell_more(self, request: Json, ending: Ending, attendance: Attendance) -> Json:
        """Of a run that is over."""
        return {}

    def leave(self) -> NoReturn:
        """The kernel ends what is left in a namespace with its pid 1."""
        os._exit(0)

    def complain(self, failed: Exception) -> None:
        say(event="member-failed", reason=str(failed))
