"""What pid 1 of a container does: it forks the code process, which gives up everything in `CONTAINER_CODE_STEPS`, and
attends its run. The engine has made the walls; memory, processor time and the files that are left are the attendant's
to measure, outside.

    started -> greets -> has the request and its code -> attends the run -> says how it ended -> gone
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys

import linux
import plain_json as json
from attend import bridge, code_process, ending, handover, warden, way_out
from attend.code_handle import CodeHandle
from attend.host import Host, HostGone
from attend.member import KERNEL
from contain import seccomp, steps
from contain.limits import PROCESSES
from frames import DONE, HELLO, READY, pack_done
from interpret import interpreter, shadowed_modules
from interpret.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType
    from typing import Any, NoReturn

    from shapes import Ending, Json, Limits, Socket

# The attendant's socket, as it is seen here: what connects to it reaches the egress proxy.
WAY_OUT = "/drydock/way/out.sock"


def drop_identity(member: InsideMember) -> None:
    os.setgroups([])
    os.setresgid(member.user, member.user, member.user)
    os.setresuid(member.user, member.user, member.user)


def forbid_priorities(member: Any) -> None:
    if not member.is_own_kernel:  # gVisor has none, nor a limit on them
        steps.forbid_priorities(member)


def bound_kernel_memory(member: Any) -> None:
    if not member.is_own_kernel:  # what gVisor keeps is counted as the run's
        steps.bound_kernel_memory(member)


CONTAINER_CODE_STEPS = (
    ("restore signals", steps.restore_signals),
    ("leave the caller's keyring", steps.leave_keyring),
    ("start own session", steps.start_own_session),
    ("forbid core dumps", steps.forbid_core_dumps),
    ("forbid priorities", forbid_priorities),
    ("bound kernel memory", bound_kernel_memory),
    ("prefer to die when memory runs out", steps.prefer_to_die),
    ("drop the identity", drop_identity),
    ("drop all capabilities", steps.drop_capabilities),
    ("refuse new privileges", steps.refuse_new_privileges),
    ("own /proc entries", steps.own_proc_entries),
    ("filter system calls", steps.filter_system_calls),
)


class Streams:
    """Two pipes, used as one connection."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink

    def fileno(self) -> int:
        return self._source

    def recv(self, most: int) -> bytes:
        return os.read(self._source, most)

    def sendall(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._sink, view) :]


class InsideMeter:
    """Only processes are counted here, where the kernel does not limit them: gVisor's."""

    def __init__(self, limits: Limits, counts_processes: bool) -> None:
        self._limits, self._counts = limits, counts_processes

    def memory_bytes(self, most: float = float("inf")) -> float:
        return 0

    def cpu_ns(self) -> int:
        return 0

    def peak_bytes(self) -> int:
        return 0

    def exceeded(self) -> Ending | None:
        if not self._counts:
            return None
        # Without this process and a bridge.
        count = sum(name.isdigit() for name in os.listdir("/proc")) - 2
        return PROCESSES.reached(self._limits) if count > self._limits["processes"] else None

    def out_of_memory(self) -> bool:
        return False

    def processes_refused(self) -> bool:
        return False


class InsideMember:
    """The run's member as its warden and its code process know it."""

    rootless = False
    environment: Json | None = None
    way_out: way_out.WayOut | None = None

    def __init__(self, request: Json) -> None:
        facts = request["container"]
        self.kind, self.user = facts["kind"], facts["user"]
        self.is_own_kernel = facts["isOwnKernel"]
        self.is_for_network = facts["kind"] == "webnode"
        self.work, self.node, self.worker = "/work", "/drydock/bin/node", "/drydock/lib/worker.cjs"
        self.filter = seccomp.CompiledFilter(bytes.fromhex(facts["filter"]))
        self.scratch = self.top = os.open("/work", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def make_way_out(self, code: CodeHandle, network: Json | None = None) -> way_out.WayOut:
        code.port = way_out.open_port()
        return way_out.WayOut(code, lambda port, _: _start_bridge(port), {})

    def end_everything(self, pid: int) -> int:
        return ending.end_everything(pid)

    def tell_more(self, request: Json, ending: Ending, attendance: object) -> Json:
        return {}

    def send_changes(self, connection: Socket, limit_bytes: int, skip: Iterable[str]) -> None:
        """The attendant looks at the files when everything here is gone."""


def _start_bridge(port: int) -> None:
    if os.fork() == 0:
        try:
            linux.close_all_but([port])
            bridge.serve(socket.socket(fileno=port), _connect, None)
        finally:
            os._exit(0)


def _connect() -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(WAY_OUT)
    return connection


def main() -> NoReturn:
    """Never returns. In the code process it raises the program that is to be executed."""
    connection = Streams(os.dup(0), os.dup(1))
    nothing = os.open("/dev/null", os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    os.dup2(2, steps.CHANNEL, inheritable=False) if _is_free(steps.CHANNEL) else None
    host = Host(connection)  # pyright: ignore[reportArgumentType]
    try:
        host.send(HELLO)
        _serve(host)
    except Program:
        raise
    except HostGone:
        pass
    except BaseException:  # an internal error: the attendant hears it on standard error
        import traceback

        traceback.print_exc()
    os._exit(0)


def _is_free(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
        return False
    except OSError:
        return True


def _serve(host: Host) -> None:
    request = json.loads(host.receive()[1])
    source = host.receive()[1]
    try:
        member = InsideMember(request)
        conversation = _open_conversation(member.user)
        pid = os.fork()
        if pid == 0:
            _become_code(member, conversation, request["code"])
        code = CodeHandle(pid, *conversation.ends())
        for descriptor in conversation.code_ends():
            os.close(descriptor)
        if code.next_frame() is None:
            raise steps.ContainmentFailed("the code process", conversation.last_words())
        if request.get("network"):
            member.way_out = member.make_way_out(code)
    except (steps.ContainmentFailed, OSError) as failed:
        host.send(DONE, pack_done({"ending": {"kind": "unavailable", "reason": str(failed)}}))
        return
    meter = InsideMeter(request["code"]["limits"], member.is_own_kernel)
    warden.serve_run(member, host, code, request, source, meter)
    host.wait_for_hang_up()


def _open_conversation(user: int) -> handover.Conversation:
    """gVisor's pipes can't be given away: there /dev/stdout can't be opened anew by the code."""
    try:
        return handover.Conversation(user)
    except PermissionError:
        return handover.Conversation(None)


def _become_code(member: InsideMember, conversation: handover.Conversation, request: Json) -> NoReturn:
    """Never returns: it raises the program that is to be executed, or ends."""
    try:
        conversation.enter_code(steps.CHANNEL)
        linux.close_all_but([steps.CHANNEL])
        steps.enter(CONTAINER_CODE_STEPS, member)
        channel = code_process.Channel(steps.CHANNEL)
        if member.kind != "python":
            steps.limit_resources(_own_limits(member, request["limits"]))
            code_process.become_node(member, channel)
        channel.send(READY)
        _set_scene()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _, payload = channel.receive()
        wanted = json.loads(payload)
        wanted["limits"] = _own_limits(member, wanted["limits"])
        code_process.prepare(wanted, member)
        code_process.become(channel, wanted, channel.receive()[1])
    except Program:
        raise
    except BaseException as error:  # whatever it is, this process must end here, and say so
        try:
            os.write(2, ("%s\n" % error).encode("utf-8", "backslashreplace"))
        finally:
            os._exit(code_process.FAILED)


def _own_limits(member: InsideMember, limits: Limits) -> Limits:
    """gVisor's clock of processor time is ahead of the host's, by which the attendant holds that limit."""
    return {**limits, "cpuSeconds": None} if member.is_own_kernel else limits


def _set_scene() -> None:
    """As the fork server sets it: our own modules are out of the way."""
    sys.orig_argv = sys.orig_argv[:1]
    interpreter.open_streams(1, 2)
    _HIDDEN.extend(shadowed_modules.hide(KERNEL))
    gc.enable()


_HIDDEN: list[ModuleType] = []
