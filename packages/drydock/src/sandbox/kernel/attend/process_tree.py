"""The processes of a member without a pid namespace: all descendants of its warden, which inherits the orphans."""

from __future__ import annotations

import os
import signal
import time

from attend import meters
from contain.limits import DISK, PROCESSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from shapes import Ending, Limits

PATIENCE_S = 5.0
SEEN_FOR_S = 0.1


def _by_parent() -> dict[int, list[int]]:
    """Zombies are not counted: they use nothing, and their parents take care of them."""
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
        except OSError:
            continue  # it ended meanwhile
        if fields[0] not in b"ZX":
            children.setdefault(int(fields[1]), []).append(int(name))
    return children


def children(root: int) -> list[int]:
    return _by_parent().get(root, [])


def descendants(root: int) -> list[int]:
    by_parent, found = _by_parent(), []
    queue = [root]
    while queue:
        below = by_parent.get(queue.pop(), [])
        found += below
        queue += below
    return found


def end_descendants(pid: int) -> int:
    """Kills all of them and returns the status of `pid`. What may not be killed (a program with the privileges of
    somebody else) is not waited for."""
    status, deadline = 0, time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        left = descendants(os.getpid())
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass  # gone, or not ours to kill
        try:
            while True:
                ended, how = os.waitpid(-1, os.WNOHANG)
                if ended == pid:
                    status = how
                if ended == 0:
                    break
        except ChildProcessError:
            return status
        time.sleep(0.001)
    return status


class TreeMeter(meters.ProcessMeter):
    """What /proc says of the descendants, and how much lies in the directories that are theirs."""

    def __init__(self, scratch: str, confined: bool) -> None:
        self._confined = confined
        self._scratch, self._seen_at = scratch, 0.0
        self._seen: list[int] = []
        self._limits: Limits | None = None
        self._disk, self._disk_before, self._next_walk = 0, 0, 0.0
        super().__init__()

    def limit(self, limits: Limits) -> None:
        """From here on. What lies in the directories already is not the run's."""
        self._limits = limits
        self._disk_before = self._walk()

    def exceeded(self) -> Ending | None:
        """No other mechanism limits these here."""
        if self._limits is None:
            return None
        if len(self._pids()) > self._limits["processes"]:
            return PROCESSES.reached(self._limits)
        return DISK.reached(self._limits) if self._disk_bytes() > self._limits["diskBytes"] else None

    def _pids(self) -> list[int]:
        now = time.monotonic()
        if now - self._seen_at > SEEN_FOR_S:
            self._seen, self._seen_at = descendants(os.getpid()), now
        return self._seen

    def _is_ours(self, pid: int) -> bool:
        """An unconfined run may start programs of other users (sudo), which only those users may inspect."""
        return not self._confined

    @staticmethod
    def _segment_bytes() -> int:
        return 0  # segments of System V are everybody's here, and may not be used

    @staticmethod
    def _socket_bytes() -> int:
        return 0  # and so is the network

    def _disk_bytes(self) -> int:
        """A walk takes its time: the longer it took, the later the next."""
        now = time.monotonic()
        if now >= self._next_walk:
            self._disk = self._walk() - self._disk_before
            took = time.monotonic() - now
            self._next_walk = now + 0.1 + 10 * took
        return self._disk

    def _walk(self) -> int:
        seen = {}
        for directory, _, files in os.walk(self._scratch):
            for name in files:
                self._count(seen, os.path.join(directory, name), os.lstat)
        for pid in self._pids():
            try:
                names = os.listdir("/proc/%d/fd" % pid)
            except OSError:
                continue
            for name in names:  # files that were deleted and are still open
                self._count(seen, "/proc/%d/fd/%s" % (pid, name), os.stat, deleted=True)
        return sum(seen.values())

    @staticmethod
    def _count(
        seen: dict[tuple[int, int], int], path: str, look: Callable[[str], os.stat_result], deleted: bool = False
    ) -> None:
        try:
            found = look(path)
        except OSError:
            return
        if not deleted or (found.st_nlink == 0 and found.st_mode & 0o170000 == 0o100000):
            seen[found.st_dev, found.st_ino] = found.st_blocks * 512
