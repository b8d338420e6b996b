"""A member without namespaces: a directory of its own on disk takes the place of the file system that others see."""

from __future__ import annotations

import os
import resource
import signal

from attend import ending, handover, process_tree
from attend.member import KERNEL, Member
from contain import bare_steps, landlock
from contain.limits import RESOURCES, limit_process
from files import workspace_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

    from attend.bare_server import BareServer
    from attend.code_handle import CodeHandle
    from shapes import Json, Limits, Meter, Socket

BASE_PATH = "/usr/local/bin:/usr/bin:/bin"


class BareMember(Member):
    """A directory of its own on disk takes the place of the file system that others see, its warden the place of pid
    1."""

    may_accept = False  # its filter refuses that
    environment = None

    def __init__(self, kind: str, slot: int, server: BareServer, number: int) -> None:
        self.kind, self.slot, self.rootless = kind, slot, server.rootless
        self.is_for_network, self.way_out = False, None
        self.filter, self.listener, self.fork_server = server.filter, server.listeners[kind], os.getpid()
        self.confined, self.config = server.confined, server.config
        self.own_user = server.uid_of(slot) if server.confined and not server.rootless else None
        self.owner = self.own_user
        self.base = "%s/m%d" % (server.place, number)
        self.work = self.base + "/work"
        self.group = self.lower = self.copied = self.jobs = None
        self.tools = [(name, self.config["python"]) for name in ("python", "python3")]
        if self.config["node"]:
            self.node, self.worker = self.config["node"], KERNEL + "/interpret/worker.cjs"
            self.tools.append(("node", self.node))
        self.readable = [
            *self.config["interpreterPaths"],
            self.config["python"],
            *([self.node, self.worker] if self.config["node"] else []),
        ]
        self.sessions = server.sessions
        self.member_steps = bare_steps.LANDLOCK_MEMBER_STEPS if self.confined else bare_steps.UNCONFINED_MEMBER_STEPS
        self.warden_steps, self.conversation = (), handover.Conversation(self.own_user)
        self.code_steps = bare_steps.LANDLOCK_CODE_STEPS if self.confined else bare_steps.UNCONFINED_CODE_STEPS

    def kept_descriptors(self) -> list[int]:
        return [self.listener.fileno(), self.scratch, *self.conversation.descriptors()]

    def own_descriptors(self) -> list[int]:
        return [self.scratch]

    def new_meter(self) -> Meter:
        self.meter = process_tree.TreeMeter(self.base, self.confined)
        return self.meter

    def base_environment(self) -> dict[str, str]:
        """What a run finds when the policy lets nothing through."""
        return {
            "PATH": "%s/bin:%s" % (self.base, BASE_PATH),
            "HOME": self.base + "/home",
            "TMPDIR": self.base + "/tmp",
            "MPLCONFIGDIR": self.base + "/tmp",
            "MPLBACKEND": "Agg",
            "LANG": "C.UTF-8",
            # git would refresh its index, which is protected, even for commands that only read.
            "GIT_OPTIONAL_LOCKS": "0",
            **({"GIT_CONFIG_NOSYSTEM": "1"} if self.confined else {}),
        }

    def prepare(self, code: CodeHandle, request: Json) -> None:
        limits = request["code"]["limits"]
        request["code"]["environment"] = {**self.base_environment(), **request["code"]["environment"]}
        if request.get("workspace"):
            workspace = request["workspace"]
            self.copied = workspace_copy.copy_workspace(workspace["path"], self.work, workspace["hide"], self.own_user)
        self.top = os.open("work", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self.scratch)
        self.meter.limit(limits)
        self._limit(code.pid, limits)
        request["code"]["limits"] = {**limits, "processes": None}

    def _limit(self, pid: int, limits: Limits) -> None:
        """From outside, and before the code process reads its request. The limit on processes counts all of a
        user's."""
        wanted = [(kind, limits[key] + margin) for kind, key, margin in RESOURCES if kind != resource.RLIMIT_NPROC]
        if self.confined:
            others = 0 if self.own_user is not None else _tasks_of(os.getuid())
            wanted.append((resource.RLIMIT_NPROC, limits["processes"] + others))
        if self.own_user is None:
            return limit_process(pid, wanted)
        helper = os.fork()  # root that is not almighty may not do it, the same user may
        if helper == 0:
            try:
                bare_steps.drop_identity(self)
                limit_process(pid, wanted)
                os._exit(0)
            finally:
                os._exit(1)
        if os.waitpid(helper, 0)[1] != 0:
            raise OSError(0, "the limits could not be set")

    def send_changes(self, connection: Socket, limit_bytes: int, skip: Iterable[str]) -> None:
        workspace_copy.send_differences(connection, self.top, self.copied or {}, limit_bytes)

    def end_everything(self, pid: int) -> int:
        if not self.confined:
            return process_tree.end_descendants(pid)
        return ending.end_everything(pid, lambda: landlock.signal_descendants(signal.SIGKILL))

    def leave(self) -> NoReturn:
        """Whatever the reason is: first nothing runs any more, then nothing is left, then this process is gone."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            self.end_everything(0)
        finally:
            workspace_copy.remove(self.base)
            os._exit(0)


def _tasks_of(uid: int) -> int:
    total = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat("/proc/" + name).st_uid == uid:
                total += len(os.listdir("/proc/%s/task" % name))
        except OSError:
            continue  # it ended meanwhile
    return total
