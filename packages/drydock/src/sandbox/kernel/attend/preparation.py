"""What a warden does between a request and its code: limits, disk, directories, network."""

from __future__ import annotations

import os
import socket

import linux
from attend import bridge, meters
from contain.limits import RESOURCES, limit_process
from files import broker, workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from attend.code_handle import CodeHandle
    from attend.member import Member
    from shapes import AttendedMember, Json, Meter

PROXY_PORT = 3128
# What the kernel itself keeps for a run (page tables, sockets, inodes) is charged to it, too.
KERNEL_SHARE_BYTES = 32 << 20


def prepare(member: Member, code: CodeHandle, request: Json) -> None:
    """Turns a member that fits anybody into one for this request. The code process is still ours here."""
    limits = request["code"]["limits"]
    if member.group is not None:
        member.group.set_limits(
            limits["memoryBytes"] + limits["diskBytes"] + KERNEL_SHARE_BYTES, limits["processes"] + 2
        )
    if limits["diskBytes"] != member.disk_bytes:
        workspace.resize_scratch(member, limits["diskBytes"])
    if request.get("workspace"):
        workspace.open_workspace(member, request)
    if request.get("mounts"):
        workspace.open_mounts(member, request["mounts"])
    member.top = open_top(member, "upper" if request.get("workspace") else "work")
    if request.get("network"):
        way_out = member.way_out = WayOut(member, request["network"])
        # Processes of a session may connect between two steps, when nobody looks.
        if request["code"]["mode"] == "session":
            way_out.open()
    if member.kind == "node":
        limit_process(code.pid, [(kind, limits[key] + margin) for kind, key, margin in RESOURCES])


def open_top(member: AttendedMember, name: str) -> int:
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=member.scratch)


class WayOut:
    """The port by which code reaches the network. Most code never does: the bridge starts when somebody connects."""

    def __init__(self, member: Member, network: Json) -> None:
        self._member, self._network = member, network
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(("127.0.0.1", PROXY_PORT))
        self._listener.listen(64)

    def fileno(self) -> int:
        return self._listener.fileno()

    def open(self) -> None:
        """OSError: there is no process left for it, and nobody is let in from now on."""
        with self._listener:
            pid = os.fork()
            if pid == 0:
                self._serve()
            self._member.bridge = pid

    def _serve(self) -> NoReturn:
        try:
            linux.close_all_but([self._listener.fileno(), self._member.broker.fileno()])
            bridge.serve(self._listener, self._connect, self._network["token"].encode())
        finally:
            os._exit(0)

    def _connect(self) -> socket.socket:
        descriptor, _ = broker.ask(self._member.broker, {"op": "connect", "path": self._network["socket"]})
        return socket.socket(fileno=descriptor)


def new_meter(member: Member, held: dict[int, dict[str, int]] | None = None) -> Meter:
    if member.group is not None:
        return meters.GroupMeter(member.group, member.scratch)
    return meters.ProcessMeter(held, member)
