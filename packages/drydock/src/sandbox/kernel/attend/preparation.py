"""What a warden does between a request and its code: limits, disk, directories, network."""

from __future__ import annotations

import os

from attend import meters, way_out
from contain import terminal
from contain.limits import RESOURCES, limit_process
from files import workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from attend.code_handle import CodeHandle
    from attend.member import Member
    from shapes import AttendedMember, Json, Meter

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
    if request.get("home"):
        workspace.open_home(member, request["home"])
    if request.get("terminal"):
        request["code"]["terminal"] = terminal.open_for(member, code, request["terminal"])
    member.top = open_top(member, "upper" if request.get("workspace") else "work")
    if request.get("network"):
        code.port = way_out.open_port()
        member.way_out = member.make_way_out(code, request["network"])
        # Processes of a session may connect between two steps, when nobody looks.
        if request["code"]["mode"] == "session":
            member.way_out.open(request["network"])
    if member.kind == "node":
        limit_process(code.pid, [(kind, limits[key] + margin) for kind, key, margin in RESOURCES])


def open_top(member: AttendedMember, name: str) -> int:
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=member.scratch)


def new_meter(member: Member, held: dict[int, dict[str, int]] | None = None) -> Meter:
    if member.group is not None:
        return meters.GroupMeter(member.group, member.scratch)
    return meters.ProcessMeter(held, member)
