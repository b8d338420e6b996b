"""What the server of runs in containers does: it makes the root that they see, and forks an attendant for each."""

from __future__ import annotations

import os
import signal
import tempfile

import linux
from attend.member import Missing
from attend.server import Server
from contain import cgroups, rootfs, seccomp
from contain.slot_table import SlotTable
from container import attendant
from container.docker import Docker
from container.engines import Engine, Gvisor, Podman
from container.removal import remove_unmounted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import Json

PROCESSES = 64
ENGINES: dict[str, type[Engine]] = {each.name: each for each in (Podman, Docker, Gvisor)}


class EngineMissing(Missing):
    what = "engine"


class ContainerServer(Server):
    has_preloaded = False

    def __init__(self, config: Json) -> None:
        super().__init__(config, None)
        self.engine = ENGINES[config["confinement"]](config["engine"])
        self._count = 0

    def prepare(self) -> None:
        try:
            self._prepare()
        except OSError as error:
            raise EngineMissing(error.errno or 0, error.strerror or str(error)) from error

    def _prepare(self) -> None:
        if self.rootless:
            raise OSError(0, "only root can use the backend %s" % self.engine.name)
        self.engine.check()
        self.listeners = {kind: self._listen(kind) for kind in ("python", "node", "webnode")}
        self.cgroups, self.level_reason = cgroups.open_cgroups(self.config["instance"], self.config["record"])
        if self.cgroups is None:
            raise OSError(0, "control groups are needed, and can't be made: %s" % self.level_reason)
        self.level, self.groups = "cgroups", SlotTable(self.cgroups, PROCESSES)
        self.filter = seccomp.Filter(True, self.config["cacheDirectory"])
        if self.engine.is_local:
            rootfs.sealed_view()
            _hide_unified_groups()
        self.place = self._make_place()
        self.root = self.engine.make_root(self.place + "/root", self.config)

    def _make_place(self) -> str:
        """Our own directory is closed to everybody. An engine that makes user namespaces needs one that others can get
        through; it is recorded, so that a later start can collect it. What is mounted there only we see."""
        place = tempfile.mkdtemp(prefix="drydock-", dir="/tmp")
        with open(self.config["directory"] + "/places", "w") as record:
            record.write(place + "\n")
        os.chmod(place, 0o711)
        os.mkdir(place + "/root", 0o755)
        return place

    def spawn(self, kind: str) -> None:
        slot = self.slots.pop()
        self._count += 1
        group = self.groups[slot]
        parent, number = os.getpid(), self._count
        pid = os.fork()
        if pid == 0:
            attendant.main(self, kind, self.uid_of(slot), group, number, parent)
        self.live[pid] = slot

    def reap(self) -> None:
        while self.live:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            slot = self.live.pop(pid, None)
            if slot is not None:
                self.slots.append(slot)

    def stop(self) -> None:
        for pid in self.live:
            os.kill(pid, signal.SIGTERM)
        while self.live:
            try:
                self.live.pop(os.waitpid(-1, 0)[0], None)
            except ChildProcessError:
                break
        self.root.remove()
        remove_unmounted(self.place)


def _hide_unified_groups() -> None:
    """Some engines refuse a machine that has both kinds of control groups; those of ours are open already."""
    try:
        linux.unmount(cgroups.CGROUP_ROOT + "/unified")
    except OSError:
        pass  # there is only one kind
