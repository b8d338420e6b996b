"""What the fork server of members without namespaces does."""

from __future__ import annotations

import gc
import os
import signal
import tempfile

import linux
from attend import code_process, process_tree, warden
from attend.bare_member import BareMember
from attend.server import Server
from contain import landlock, landlock_filter, steps
from files import workspace_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

    from shapes import Json


class BareServer(Server):
    def __init__(self, config: Json, sessions: ModuleType | None) -> None:
        super().__init__(config, sessions)
        self.confined = config["confinement"] == "landlock"
        self._count = 0

    def prepare(self) -> None:
        self.level = "landlock" if self.confined else "none"
        self.level_reason = "there are no namespaces" if self.confined else "it was requested"
        self.filter = None
        if self.confined:
            landlock.check()
            self.filter = landlock_filter.LandlockFilter(own_user=not self.rootless)
        self.listeners = {kind: self._listen(kind) for kind in ("python", "node")}
        self.place = self._make_place()
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self._preload()
        self._set_scene()
        self._hide_kernel()
        gc.freeze()
        gc.enable()

    def _make_place(self) -> str:
        """Our own directory is closed to everybody. Code that is another user needs one that it can get through; it is
        recorded, so that a later start can collect it."""
        if self.rootless or not self.confined:
            return self.config["directory"]
        place = tempfile.mkdtemp(prefix="drydock-")
        tempfile.tempdir = None  # what it remembers would be the members' too, and they have another
        with open(self.config["directory"] + "/places", "w") as record:
            record.write(place + "\n")
        os.chmod(place, 0o711)
        return place

    def spawn(self, kind: str) -> None:
        slot = self.slots.pop()
        self._count += 1
        member = BareMember(kind, slot, self, self._count)
        pid = os.fork()
        if pid == 0:
            _start(member)
        member.conversation.close()
        self.live[pid] = slot

    def reap(self) -> None:
        """A warden that was killed leaves orphans: they are ours, and end here."""
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            while pid:
                slot = self.live.pop(pid, None)
                if slot is not None:
                    self.slots.append(slot)
                pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        for pid in process_tree.children(os.getpid()):
            if pid not in self.live:
                _signal(pid, signal.SIGKILL)

    def stop(self) -> None:
        for pid in self.live:
            _signal(pid, signal.SIGTERM)
        while self.live:
            try:
                self.live.pop(os.waitpid(-1, 0)[0], None)
            except ChildProcessError:
                break
        if self.place != self.config["directory"]:
            workspace_copy.remove(self.place)


def _start(member: BareMember) -> NoReturn:
    """The member's warden, which is outside of the walls and builds them. Never returns."""
    try:
        steps.enter(member.member_steps, member)
        code = os.fork()
    except (steps.ContainmentFailed, OSError) as failed:
        member.complain(failed)
        member.leave()
    if code == 0:
        code_process.main(member)
    for descriptor in member.conversation.surplus():
        os.close(descriptor)
    warden.main(member, code)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it ended meanwhile
