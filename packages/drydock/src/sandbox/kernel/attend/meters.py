"""How much a run uses, told by the kernel: by its control group where there is one, else summed over its processes."""

from __future__ import annotations

import os
import resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contain.cgroups import SlotV1

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
# Shared memory without a file: each is as large as the filter lets it be, as nobody tells how large it is. Some are
# small, and free.
_FREE_SHARED_MAPPINGS, _SHARED_MAPPING_BYTES, _SHARED_MAPPING = 16, 1 << 20, b"/dev/zero (deleted)\n"
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
        """`most` is what may be used: as long as it is not in question, nobody looks closely."""
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

    def exceeded(self) -> tuple[str, int] | None:
        return None  # the group limits processes, the disk is a file system of its own

    def out_of_memory(self) -> bool:
        return self._slot.out_of_memory()

    def processes_refused(self) -> bool:
        return self._slot.processes_refused()


class ProcessMeter:
    """Without a group: what /proc says of every process in the namespace, and what the dead ones used."""

    def __init__(self) -> None:
        self._peak = self._looks = 0
        self._mappings, self._hidden = {}, 0
        self._children_before = self._children_ns()
        self._running_before = self._running_ns()

    @staticmethod
    def _children_ns() -> int:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return int((used.ru_utime + used.ru_stime) * 1e9)

    def _pids(self) -> list[int]:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]

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
        objects = set()
        for pid in self._pids():
            try:
                own, common = self._process_bytes(pid)
                private += own + self._mappings_bytes(pid, objects)
                shared += common
            except OSError:
                continue
        if self._looks % _MAPPINGS_EVERY == 1:
            self._hidden = max(0, len(objects) - _FREE_SHARED_MAPPINGS) * _SHARED_MAPPING_BYTES
        shared = max(shared, self._hidden)
        # Of a segment, the pages that a process has in use are among its own; all of them may have been let go of.
        total = private + max(shared, self._segment_bytes()) + self._socket_bytes()
        self._peak = max(self._peak, total)
        return total

    @classmethod
    def _process_bytes(cls, pid: int) -> tuple[int, int]:
        """Its own memory, and its part of what is shared. The exact sum walks the page tables, and would never catch up
        with a process that makes them faster: one with more addresses than any program needs is taken at what the
        kernel has counted, shared pages in full."""
        status = cls._read_kb("/proc/%d/status" % pid)
        tables = status.get(b"VmPTE:", 0)
        if status.get(b"VmSize:", 0) > _WALKED_BYTES:
            return tables + status.get(b"RssAnon:", 0), status.get(b"RssShmem:", 0)
        summed = cls._read_kb("/proc/%d/smaps_rollup" % pid)
        return tables + summed.get(b"Pss_Anon:", 0), summed.get(b"Pss_Shmem:", 0)

    def _mappings_bytes(self, pid: int, objects: set[bytes]) -> int:
        """Counting them takes a while, so that it is not done with every look. What is shared without a file is added
        to `objects`, by its number."""
        if self._looks % _MAPPINGS_EVERY == 1:
            count = 0
            with open("/proc/%d/maps" % pid, "rb") as file:
                for line in file:
                    count += 1
                    if line.endswith(_SHARED_MAPPING):
                        objects.add(line.split(None, 5)[4])
            self._mappings[pid] = max(0, count - _FREE_MAPPINGS) * _MAPPING_BYTES
        return self._mappings.get(pid, 0)

    @staticmethod
    def _read_kb(path: str) -> dict[bytes, int]:
        with open(path, "rb") as file:
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

    def exceeded(self) -> tuple[str, int] | None:
        return None  # processes are the user namespace's to limit, the disk is a file system of its own

    def out_of_memory(self) -> bool:
        return False

    def processes_refused(self) -> bool:
        return False
