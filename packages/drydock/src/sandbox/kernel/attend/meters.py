"""How much a run uses, measured by the kernel: by its control group if there is one, else summed over its processes."""

from __future__ import annotations

import os
import resource

from contain.process_status import is_nested
from contain.seccomp import SHARED_MAPPING_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

    from attend.member import Member
    from contain.cgroups import SlotV1
    from shapes import Ending

_TICKS = os.sysconf("SC_CLK_TCK")
# A program has some sockets; one that has more than this is charged what they hold.
_FREE_SOCKETS = 64
_UNIX_BUFFER_BYTES = 212992
_WALKED_BYTES = 64 << 30
# What the kernel keeps for an honest run: page tables, sockets, and an entry and a name for every file of its scratch.
_KERNEL_SHARE_BYTES = 96 << 20
# A program has hundreds of mappings; what describes each is not counted as its memory by anybody.
_FREE_MAPPINGS, _MAPPING_BYTES = 4096, 256
_MAPPINGS_EVERY = 4
# Shared memory without a file: each object counts as the most that the filter allows, as its size can't be read. The
# first ones are free.
_FREE_SHARED_MAPPINGS = 16
# The files of /proc that need the right to look into a process, and that its memory is counted by.
_COUNTED_BY = ("maps", "smaps_rollup")
_QUEUES = ("tcp", "tcp6", "udp", "udp6")


def socket_bytes(directory: str = "/proc/net") -> int:
    """What the sockets of this network namespace hold, which older control groups and no rlimit count: of those of the
    internet what waits in their queues, of unix ones, which tell nothing, as much as may wait in them."""
    counts = {}
    try:
        with open(directory + "/protocols", "rb") as file:
            for line in file:
                name, _, sockets = line.split()[:3]
                counts[name] = int(sockets) if sockets.isdigit() else 0
    except OSError:
        return 0
    total = max(0, counts.get(b"UNIX", 0) + counts.get(b"UNIX-STREAM", 0) - _FREE_SOCKETS) * _UNIX_BUFFER_BYTES
    if sum(counts.get(name, 0) for name in (b"TCP", b"TCPv6", b"UDP", b"UDPv6")) > _FREE_SOCKETS:
        total += sum(_queued_bytes("%s/%s" % (directory, name)) for name in _QUEUES)
    return total


def _queued_bytes(table: str) -> int:
    try:
        with open(table, "rb") as file:
            queues = [line.split()[4].split(b":") for line in file.readlines()[1:]]
    except OSError:
        return 0  # a kernel without this family
    return sum(int(sent, 16) + int(received, 16) for sent, received in queues)


class GroupMeter:
    """`network` names the directory that tells of the run's network namespace; `scratch` is its disk."""

    def __init__(self, slot: SlotV1, scratch: int, network: str = "/proc/net") -> None:
        self._slot, self._scratch, self._network = slot, scratch, network
        slot.start_counting()

    def memory_bytes(self, most: float = float("inf")) -> float:
        """`most` is the limit: usage far below it is only estimated."""
        used = self._slot.anonymous_bytes() + self._shared_bytes() + socket_bytes(self._network)
        kept = self._slot.kernel_bytes(most - used + _KERNEL_SHARE_BYTES)
        return used + max(0, kept - _KERNEL_SHARE_BYTES)

    def _shared_bytes(self) -> int:
        """What is shared and no file: files are the disk's, also those that come or go while we look."""
        before, shared = self._disk_bytes(), self._slot.shared_bytes()
        return max(0, shared - max(before, self._disk_bytes()))

    def _disk_bytes(self) -> int:
        disk = os.fstatvfs(self._scratch)
        return (disk.f_blocks - disk.f_bfree) * disk.f_frsize

    def cpu_ns(self) -> int:
        return self._slot.cpu_ns()

    def peak_bytes(self) -> int:
        return self._slot.peak_bytes()

    def exceeded(self) -> Ending | None:
        return None  # the group limits processes, the disk is a file system of its own

    def out_of_memory(self) -> bool:
        return self._slot.out_of_memory()

    def processes_refused(self) -> bool:
        return self._slot.processes_refused()


class _Hidden(Exception):
    """A process that may not be looked into, so that its memory can't be counted."""


def hold(pid: int) -> dict[str, int]:
    """Descriptors by which a process is counted also after it has made itself unreadable (PR_SET_DUMPABLE)."""
    return {name: os.open("/proc/%d/%s" % (pid, name), os.O_RDONLY | os.O_CLOEXEC) for name in _COUNTED_BY}


def _shared_memory_device() -> bytes:
    """The device of shared memory without a file, as /proc/PID/maps shows it. The code chooses the name beside it
    (PR_SET_VMA_ANON_NAME)."""
    descriptor = os.memfd_create("device")
    try:
        device = os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)
    return b" %02x:%02x " % (os.major(device), os.minor(device))


def count_mappings(lines: Iterable[bytes], device: bytes, objects: set[bytes]) -> int:
    """How many mappings these lines of /proc/PID/maps are. Shared memory of this device that is neither a file nor a
    segment of System V is added to `objects`, by its number."""
    count = 0
    for line in lines:
        count += 1
        if device in line:
            _, _, _, found, number, *path = line.split(None, 5)
            if found == device.strip() and not b"".join(path).startswith(b"/SYSV"):
                objects.add(number)
    return count


class ProcessMeter:
    """Without a group: what /proc says of every process in the namespace, and what the dead ones used. `held` are
    descriptors by process id, from `hold`. A process that can be read neither by its name nor by them counts as more
    memory than is allowed."""

    def __init__(self, held: dict[int, dict[str, int]] | None = None, member: Member | None = None) -> None:
        self._held, self._member, self._device = held or {}, member, _shared_memory_device()
        self._peak = self._looks = 0
        self._mappings, self._figures, self._hidden = {}, {}, 0
        self._nested: dict[int, bool] = {}
        self._children_before = self._children_ns()
        self._running_before = self._running_ns()

    @staticmethod
    def _children_ns() -> int:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return int((used.ru_utime + used.ru_stime) * 1e9)

    def _pids(self) -> list[int]:
        """Without those of namespaces below, which have meters of their own. Which one a process is in never changes;
        its number is not another's before it was gone for a while."""
        found = [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]
        self._nested = {pid: self._nested[pid] if pid in self._nested else is_nested(pid) for pid in found}
        return [pid for pid in found if not self._nested[pid]]

    def _running_ns(self) -> int:
        total = 0
        for pid in self._pids():
            try:
                with open("/proc/%d/stat" % pid, "rb") as file:
                    fields = file.read().rsplit(b")", 1)[1].split()
                total += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
            except OSError:
                continue  # it ended meanwhile, and counts among the dead
        return total * 1_000_000_000 // _TICKS

    def memory_bytes(self, most: float = float("inf")) -> int:
        self._looks += 1
        private = shared = 0
        hidden = False
        objects = set()
        for pid in self._pids():
            try:
                own, common = self._figures[pid] = self._recent(pid) or self._process_bytes(pid)
                private += own + self._mappings_bytes(pid, objects)
                shared += common
            except _Hidden:
                hidden = hidden or not self._is_ours(pid)
            except OSError:
                continue
        if self._looks % _MAPPINGS_EVERY == 1:
            self._hidden = max(0, len(objects) - _FREE_SHARED_MAPPINGS) * SHARED_MAPPING_BYTES
        shared = max(shared, self._hidden)
        # Of a segment, the pages that a process has in use are among its own; all of them may have been let go of.
        total = private + max(shared, self._segment_bytes()) + self._socket_bytes()
        self._peak = max(self._peak, total)
        return max(total, int(most) + 1) if hidden and most < float("inf") else total

    def _recent(self, pid: int) -> tuple[int, int] | None:
        """States that sleep change slowly, and there may be many of them."""
        return self._figures.get(pid) if pid in self._held and self._looks % _MAPPINGS_EVERY != 1 else None

    def _is_ours(self, pid: int) -> bool:
        return self._member is not None and pid == self._member.bridge

    def _open(self, pid: int, name: str) -> BinaryIO:
        try:
            return open("/proc/%d/%s" % (pid, name), "rb")
        except PermissionError:
            pass
        try:
            os.lseek(self._held[pid][name], 0, os.SEEK_SET)
            os.read(self._held[pid][name], 1)
            os.lseek(self._held[pid][name], 0, os.SEEK_SET)
        except (KeyError, ProcessLookupError):
            raise _Hidden() from None  # never held, or held of the program that this process was before
        return open(self._held[pid][name], "rb", closefd=False)

    def _process_bytes(self, pid: int) -> tuple[int, int]:
        """Its own memory, and its part of what is shared. The exact sum walks the page tables, and would never catch up
        with a process that makes them faster: one with more addresses than any program needs is taken at what the
        kernel has counted, shared pages in full."""
        with open("/proc/%d/status" % pid, "rb") as file:
            status = self._read_kb(file)
        tables = status.get(b"VmPTE:", 0)
        if status.get(b"VmSize:", 0) > _WALKED_BYTES:
            return tables + status.get(b"RssAnon:", 0), status.get(b"RssShmem:", 0)
        with self._open(pid, "smaps_rollup") as file:
            summed = self._read_kb(file)
        return tables + summed.get(b"Pss_Anon:", 0), summed.get(b"Pss_Shmem:", 0)

    def _mappings_bytes(self, pid: int, objects: set[bytes]) -> int:
        """Counting them takes a while, so that it is not done with every look. What is shared without a file is added
        to `objects`, by its number."""
        if self._looks % _MAPPINGS_EVERY == 1:
            with self._open(pid, "maps") as file:
                count = count_mappings(file, self._device, objects)
            self._mappings[pid] = max(0, count - _FREE_MAPPINGS) * _MAPPING_BYTES
        return self._mappings.get(pid, 0)

    @staticmethod
    def _read_kb(file: BinaryIO) -> dict[bytes, int]:
        rows = [line.split() for line in file]
        return {row[0]: int(row[1]) * 1024 for row in rows if len(row) == 3 and row[2] == b"kB"}

    @staticmethod
    def _segment_bytes() -> int:
        """Shared segments belong to the namespace and to no process, and hold memory all the same."""
        try:
            with open("/proc/sysvipc/shm", "rb") as file:
                rows = [line.split() for line in file.readlines()[1:]]
        except OSError:
            rows = []  # a kernel without them
        return sum(int(row[14]) for row in rows)

    @staticmethod
    def _socket_bytes() -> int:
        return socket_bytes()

    def cpu_ns(self) -> int:
        return max(0, self._children_ns() + self._running_ns() - self._children_before - self._running_before)

    def peak_bytes(self) -> int:
        return max(self._peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)

    def exceeded(self) -> Ending | None:
        return None  # processes are the user namespace's to limit, the disk is a file system of its own

    def out_of_memory(self) -> bool:
        return False

    def processes_refused(self) -> bool:
        return False
