"""How much a run uses, told by the kernel: by its control group where there is one, else summed over its processes."""
import os
import resource

_TICKS = os.sysconf("SC_CLK_TCK")


class GroupMeter:
    def __init__(self, slot):
        self._slot = slot
        slot.start_counting()

    def memory_bytes(self):
        return self._slot.anonymous_bytes()

    def cpu_ns(self):
        return self._slot.cpu_ns()

    def peak_bytes(self):
        return self._slot.peak_bytes()

    def disk_bytes(self):
        return 0  # the file system that it writes to has that size

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
                total += self._sum_kb("/proc/%d/status" % pid, (b"VmPTE:",))
                total += self._sum_kb("/proc/%d/smaps_rollup" % pid, (b"Pss_Anon:", b"Pss_Shmem:"))
            except OSError:
                continue
        self._peak = max(self._peak, total)
        return total

    @staticmethod
    def _sum_kb(path, fields):
        with open(path, "rb") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith(fields))

    @staticmethod
    def _detached_bytes():
        """Shared segments that no process has attached belong to none, and hold memory all the same."""
        try:
            with open("/proc/sysvipc/shm", "rb") as file:
                rows = [line.split() for line in file.readlines()[1:]]
        except OSError:
            return 0  # a kernel without them
        return sum(int(row[14]) for row in rows if row[6] == b"0")

    def cpu_ns(self):
        return max(0, self._children_ns() + self._running_ns() - self._children_before - self._running_before)

    def peak_bytes(self):
        return max(self._peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)

    def disk_bytes(self):
        return 0

    def out_of_memory(self):
        return False

    def processes_refused(self):
        return False
