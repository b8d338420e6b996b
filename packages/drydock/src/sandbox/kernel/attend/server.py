"""What a fork server does: it imports and warms up, makes the minimal root its own, and then only forks members."""

from __future__ import annotations

import _signal
import gc
import os
import select
import signal
import socket
import sys

import clone
import linux
from attend import code_process, lookout, preparation, recycling, warden, warm_up
from attend.member import KERNEL, Member, NamespacesMissing, say, try_namespaces
from contain import cgroups, rootfs, seccomp, steps, views
from contain.slot_table import SlotTable
from files import broker
from interpret import interpreter, shadowed_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

    from contain.group_maker import GroupMaker
    from shapes import Json

UID_BASE, UIDS_PER_SERVER = 1_000_000_000, 512
MAX_SLOTS = UIDS_PER_SERVER // 2
DEFAULT_PROCESSES = 64
KINDS = {ord("p"): "python", ord("n"): "node", ord("w"): "webnode"}
ALL_SIGNALS = _signal.valid_signals()
FILLING_BYTES = 48 << 10  # of each size that the allocator keeps apart
ROOM_BYTES = 1 << 20
MEMBER_NAMESPACES = (
    linux.CLONE_NEWPID
    | linux.CLONE_NEWNS
    | linux.CLONE_NEWUTS
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWUSER
    | linux.CLONE_NEWNET
)


class Server:
    """`sessions` is the module that serves them, if this server can get requests for one; `helper` makes the groups
    meanwhile."""

    def __init__(self, config: Json, sessions: ModuleType | None, helper: GroupMaker | None = None) -> None:
        self.config, self.sessions, self._helper = config, sessions, helper
        self.rootless = os.geteuid() != 0
        self.slots = list(range(MAX_SLOTS - 1, -1, -1))
        self.live = {}
        self.jobs = self._lookout = None
        self._sees_endings = False
        self._number = os.getpid()  # unique on this host while we live, and so are the users we map
        self.groups = self.cgroups = None

    def uid_of(self, slot: int) -> int:
        return UID_BASE + self._number * UIDS_PER_SERVER + slot * 2

    def prepare(self) -> None:
        """Everything that needs the host's view comes before the new root."""
        self.listeners = {kind: self._listen(kind) for kind in ("python", "node", "webnode", "fork")}
        self.level, self.level_reason = "rlimits", "an ordinary user can't make control groups"
        if not self.rootless:
            self.cgroups, self.level_reason = cgroups.open_cgroups(
                self.config["instance"], self.config["record"], self._helper
            )
            if self.cgroups:
                self.level, self.groups = "cgroups", SlotTable(self.cgroups, DEFAULT_PROCESSES)
        self.filter = seccomp.Filter(self.groups is not None, self.config["cacheDirectory"])
        try:
            self._enter_own_namespaces()
            if not self.config["hasty"]:
                self._sees_endings = try_namespaces(MEMBER_NAMESPACES)
        except OSError as error:
            raise NamespacesMissing(error) from error
        egress = os.path.dirname(self.config["directory"])
        self._broker, self.requests, self.ways, self._lifeline = broker.start(self.rootless, self.cgroups, egress)
        self._preload()
        rootfs.sealed_view()
        linux.set_hostname("dock")
        self._views = views.Views(
            rootfs.build_root(self.config["directory"] + "/root", self.config["interpreterPaths"], self._tools())
        )
        if not self.config["hasty"]:
            self._warm_up()
        self._set_scene()
        self._hide_kernel()
        self._fill_holes()
        gc.freeze()
        gc.enable()
        if self.groups is not None and self._sees_endings:
            self._lookout, self.jobs = lookout.start(self.groups, self.ways)

    def _fill_holes(self) -> None:
        """What a member allocates goes where the heap has holes, all over it, and each is a page to copy. With the
        holes filled it goes to fresh pages, side by side, and there is room for them at the heap's end. (The C library
        gives room back to the kernel unless something larger came and went before.)"""
        if not self.config["hasty"]:
            gc.collect()
            self._filling = [bytes(size - 33) for size in range(48, 513, 16) for _ in range(FILLING_BYTES // size)]
            for size in (2 * ROOM_BYTES, ROOM_BYTES):
                bytes(size)

    def _listen(self, kind: str) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path = "%s/%s.sock" % (self.config["directory"], kind)
        listener.bind(path)
        os.chmod(path, 0o600)
        listener.listen(512)
        return listener

    def _enter_own_namespaces(self) -> None:
        if self.rootless:
            uid, gid = os.getuid(), os.getgid()
            linux.unshare(linux.CLONE_NEWUSER)
            for name, text in (("setgroups", "deny"), ("uid_map", "0 %d 1" % uid), ("gid_map", "0 %d 1" % gid)):
                with open("/proc/self/" + name, "w") as file:
                    file.write(text)
        rootfs.private_view()
        linux.unshare(linux.CLONE_NEWUTS)

    def _preload(self) -> None:
        os.environ.update(
            OPENBLAS_NUM_THREADS="1",
            OMP_NUM_THREADS="1",
            MKL_NUM_THREADS="1",
            MPLBACKEND="Agg",
            MPLCONFIGDIR=self.config["cacheDirectory"],
        )
        self.has_preloaded = False
        for name in self.config["preload"]:
            try:
                __import__(name)
                self.has_preloaded = True
            except ImportError:
                continue  # it is the code's business to say that it misses a module

    def _tools(self) -> list[tuple[str, str]]:
        tools = [
            ("link:" + self.config["python"], "/drydock/bin/python"),
            ("link:" + self.config["python"], "/drydock/bin/python3"),
        ]
        if self.config["node"]:
            tools += [
                (self.config["node"], "/drydock/bin/node"),
                (KERNEL + "/interpret/worker.cjs", "/drydock/lib/worker.cjs"),
            ]
        return tools

    def _warm_up(self) -> None:
        warm_up.execute(sys.modules["__main__"])
        if self.config["preload"]:
            linux.merge_heap_pages()

    def _set_scene(self) -> None:
        """What most code finds, made once here and not by each member: the environment, and streams on pipes like
        these."""
        os.environ.clear()
        os.environ.update(self.config["environment"])
        sys.orig_argv = sys.orig_argv[:1]
        interpreter.open_streams(1, 2)

    def _hide_kernel(self) -> None:
        self._modules = shadowed_modules.hide(KERNEL)

    def spawn(self, kind: str) -> None:
        slot = self.slots.pop()
        self._views.enter(slot)
        gate = os.pipe()
        member = Member(kind, slot, self)
        conversation = member.conversation
        _signal.pthread_sigmask(_signal.SIG_BLOCK, ALL_SIGNALS)  # a sleeper is not to be disturbed
        try:
            pid, code = clone.clone_member(MEMBER_NAMESPACES, gate, conversation.leash.fileno(), conversation.surplus())
        except OSError as error:
            say(event="failed", missing="namespaces", reason=str(NamespacesMissing(error)))
            os._exit(1)
        if pid == 0:
            self._enter(member, code)
        try:
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, ALL_SIGNALS)
            conversation.close()
            self._map_identity(pid, slot)
            if member.group:
                member.group.attach(pid)
                member.group.reset_limits(*self._group_limits())
            os.write(gate[1], b"x")
        finally:
            os.close(gate[0])
            os.close(gate[1])
            self.live[pid] = slot

    @staticmethod
    def _enter(member: Member, code: int) -> NoReturn:
        """In a member: as its code process, or as pid 1, which was woken."""
        if not code:
            code_process.main(member)
        if member.traces is not None and recycling.is_wanted(member):
            recycling.main(member, code)
        warden.main(member, code)

    def _group_limits(self) -> tuple[int, int]:
        return self.config["memoryBytes"] + self.config[
            "diskBytes"
        ] + preparation.KERNEL_SHARE_BYTES, DEFAULT_PROCESSES + 2

    def _map_identity(self, pid: int, slot: int) -> None:
        if self.rootless:
            return
        base = self.uid_of(slot)
        text = b"0 %d 1\n%d %d 1" % (base, steps.INNER_UID, base + 1)
        for name in ("uid_map", "gid_map"):
            descriptor = os.open("/proc/%d/%s" % (pid, name), os.O_WRONLY)
            try:
                os.write(descriptor, text)
            finally:
                os.close(descriptor)

    def reap(self) -> None:
        while self.live or self._broker:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if pid in (self._broker, self._lookout):
                raise OSError(
                    0, "the broker or the lookout is gone"
                )  # no member is of use then: the host starts another server
            slot = self.live.pop(pid, None)
            if slot is not None:
                self.slots.append(slot)

    def serve(self) -> None:
        wake_read, wake_write = os.pipe()
        for descriptor in (wake_read, wake_write):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(wake_write)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.reap()  # who ended before we listened
        poll = select.poll()
        poll.register(0, select.POLLIN)
        poll.register(wake_read, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == wake_read:
                    os.read(wake_read, 4096)
                    self.reap()
                    continue
                wanted = os.read(0, 64)
                if not wanted:
                    return
                for letter in wanted:
                    self.spawn(KINDS[letter])

    def stop(self) -> None:
        for pid in self.live:
            os.kill(pid, signal.SIGKILL)
        for pid in self.live:
            os.waitpid(pid, 0)
        os.close(self._lifeline)

    def stop_helper(self) -> None:
        if self._helper:
            self._helper.stop()
