"""How much a run uses, told by the kernel: by its control group where there is one, else summed over its processes."""
import os
import resource

_TICKS = os.sysconf("SC_CLK_TCK")
# A program has some sockets; one that has more than this is charged what they hold.
_FREE_SOCKETS = 64
_UNIX_BUFFER_BYTES = 212992
_WALKED_BYTES = 64 << 30
_QUEUES = ("tcp", "tcp6", "udp", "udp6")


def socket_bytes(directory="/proc/net"):
    """What the sockets of this network namespace hold, which older control groups and no rlimit count: of those of the internet
    what waits in their queues, of unix ones, which tell nothing, as much as may wait in them."""
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


def _queued_bytes(table):
    try:
        with open(table, "rb") as file:
            queues = [line.split()[4].split(b":") for line in file.readlines()[1:]]
    except OSError:
        return 0  # a kernel without this family
    return sum(int(sent, 16) + int(received, 16) for sent, received in queues)


class GroupMeter:
    """`network` names the directory that tells of the run's network namespace."""

    def __init__(self, slot, network="/proc/net"):
        self._slot, self._network = slot, network
        slot.start_counting()

    def memory_bytes(self):
        return self._slot.anonymous_bytes() + socket_bytes(self._network)

    def cpu_ns(self):
        return self._slot.cpu_ns()

    def peak_bytes(self):
        return self._slot.peak_bytes()

    def exceeded(self):
        return None  # the group limits processes, the disk is a file system of its own

    def out_of_memory(self):
        return self._slot.out_of_memory()

    def processes_refused(self):
        return self._slot.processes_refused()


class ProcessMeter:
    """Without a group: what /proc says of every process in the namespace, and what the dead ones used."""

    def __init__(self):
        self._peak = 0
        self._children_before = self._children_ns()
        self._running_before = self._running_ns()

    @staticmethod
    def _children_ns():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return int((used.ru_utime + used.ru_stime) * 1e9)

    @staticmethod
    def _pids():
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]

    def _running_ns(self):
        total = 0
        for pid in self._pids():
            try:
                with open("/proc/%d/stat" % pid, "rb") as file:
                    fields = file.read().rsplit(b")", 1)[1].split()
                total += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
            except OSError:
                continue  # it ended meanwhile, and counts among the dead
        return total * 1_000_000_000 // _TICKS

    def memory_bytes(self):
        total = self._detached_bytes()
        for pid in self._pids():
            try:
                total += self._process_bytes(pid)
            except OSError:
                continue
        self._peak = max(self._peak, total)
        return total

    @classmethod
    def _process_bytes(cls, pid):
        """The exact sum walks the page tables, and would never catch up with a process that makes them faster: one with more
        addresses than any program needs is taken at what the kernel has counted, shared pages in full."""
        status = cls._read_kb("/proc/%d/status" % pid)
        tables = status.get(b"VmPTE:", 0)
        if status.get(b"VmSize:", 0) > _WALKED_BYTES:
            return tables + status.get(b"RssAnon:", 0) + status.get(b"RssShmem:", 0)
        summed = cls._read_kb("/proc/%d/smaps_rollup" % pid)
        return tables + summed.get(b"Pss_Anon:", 0) + summed.get(b"Pss_Shmem:", 0)

    @staticmethod
    def _read_kb(path):
        with open(path, "rb") as file:
            rows = [line.split() for line in file]
        return {row[0]: int(row[1]) * 1024 for row in rows if len(row) == 3 and row[2] == b"kB"}

    @staticmethod
    def _detached_bytes():
        """What belongs to the namespaces and to no process, and holds memory all the same: shared segments that nobody has
        attached, and the buffers of sockets."""
        try:
            with open("/proc/sysvipc/shm", "rb") as file:
                rows = [line.split() for line in file.readlines()[1:]]
        except OSError:
            rows = []  # a kernel without them
        return sum(int(row[14]) for row in rows if row[6] == b"0") + socket_bytes()

    def cpu_ns(self):
        return max(0, self._children_ns() + self._running_ns() - self._children_before - self._running_before)

    def peak_bytes(self):
        return max(self._peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)

    def exceeded(self):
        return None  # processes are the user namespace's to limit, the disk is a file system of its own

    def out_of_memory(self):
        return False

    def processes_refused(self):
        return False
