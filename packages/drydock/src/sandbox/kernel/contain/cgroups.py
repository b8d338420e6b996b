"""Limits that hold for all processes of a run together. One directory per slot, made once and used again by the next
run in that slot: moving a process costs milliseconds after idleness, so it happens when a member is built, never when a
run starts."""

from __future__ import annotations

import os

from contain.group_files import make_slot, open_directory, write, write_when_free
from contain.group_removal import remove_cgroups

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from contain.group_maker import GroupMaker

CGROUP_ROOT = "/sys/fs/cgroup"
CONTROLLERS = ("memory", "pids", "cpuacct")


def own_paths() -> dict[str, str]:
    """Controller name to this process's own group, "" being the unified hierarchy."""
    found = {}
    with open("/proc/self/cgroup") as lines:
        for line in lines:
            _, names, path = line.rstrip("\n").split(":", 2)
            for name in names.split(","):
                found[name] = path
    return found


class CgroupV1:
    def __init__(self, instance: str) -> None:
        own = own_paths()
        self.directories = {}
        for controller in CONTROLLERS:
            base = os.path.join(CGROUP_ROOT, controller)
            nested = os.path.join(base, own.get(controller, "/").lstrip("/"))
            parent = nested if os.path.isdir(nested) else base
            self.directories[controller] = os.path.join(parent, instance)

    def make(self) -> None:
        for path in self.directories.values():
            os.mkdir(path)

    def open(self) -> None:
        self._handles = {name: open_directory(path) for name, path in self.directories.items()}

    def descriptors(self) -> list[int]:
        return list(self._handles.values())

    def open_slot(self, slot: int, memory_bytes: int | None, processes: int | None) -> SlotV1:
        return SlotV1(self._handles, "s%d" % slot, memory_bytes, processes)


class SlotV1:
    """The files of one slot, opened before the member is cloned: its warden can use them from inside."""

    _limits = None
    resets_peak = True  # whether the most memory is told of each run by itself

    def __init__(self, handles: dict[str, int], name: str, memory_bytes: int | None, processes: int | None) -> None:
        self._procs = [(handle, name + "/cgroup.procs") for handle in handles.values()]
        for handle in handles.values():
            make_slot(handle, name)
        memory, pids, cpu = (handles[controller] for controller in CONTROLLERS)

        def reach(handle: int, file: str, flags: int) -> int:
            return os.open("%s/%s" % (name, file), flags | os.O_CLOEXEC, dir_fd=handle)

        self._limit = reach(memory, "memory.limit_in_bytes", os.O_WRONLY)
        try:
            self._swap = reach(memory, "memory.memsw.limit_in_bytes", os.O_WRONLY)
        except FileNotFoundError:
            self._swap = None
        self._peak = reach(memory, "memory.max_usage_in_bytes", os.O_RDWR)
        self._stat = reach(memory, "memory.stat", os.O_RDONLY)
        self._kernel = reach(memory, "memory.kmem.usage_in_bytes", os.O_RDONLY)
        self._reclaim = reach(memory, "memory.force_empty", os.O_WRONLY)
        self._oom = reach(memory, "memory.oom_control", os.O_RDONLY)
        self._pids = reach(pids, "pids.max", os.O_WRONLY)
        self._pid_events = reach(pids, "pids.events", os.O_RDONLY)
        self._pid_count = reach(pids, "pids.current", os.O_RDONLY)
        self._cpu = reach(cpu, "cpuacct.usage", os.O_RDONLY)
        if memory_bytes is not None and processes is not None:
            self.set_limits(memory_bytes, processes)

    def descriptors(self) -> list[int]:
        held = [
            self._limit,
            self._swap,
            self._peak,
            self._stat,
            self._kernel,
            self._reclaim,
            self._oom,
            self._pids,
            self._pid_events,
            self._pid_count,
            self._cpu,
        ]
        return [descriptor for descriptor in held if descriptor is not None]

    def close(self) -> None:
        for descriptor in self.descriptors():
            os.close(descriptor)

    def attach(self, pid: int) -> None:
        for handle, path in self._procs:
            write(path, "%d" % pid, handle)

    def set_limits(self, memory_bytes: int, processes: int) -> None:
        if (memory_bytes, processes) == self._limits:
            return
        self._limits = memory_bytes, processes
        amount = b"%d" % memory_bytes
        if self._swap is not None:
            os.write(self._swap, b"-1")
        write_when_free(self._limit, amount)
        if self._swap is not None:
            os.write(self._swap, amount)
        os.write(self._pids, b"%d" % processes)

    def reset_limits(self, memory_bytes: int, processes: int) -> None:
        """The settings of the last run in this slot are not known here: its warden made them, in a copy of this
        object."""
        self._limits = None
        self.set_limits(memory_bytes, processes)

    def start_counting(self) -> None:
        os.write(self._peak, b"0")
        self._cpu_before = self._cpu_ns()
        self._oom_before = self._field(self._oom, b"oom_kill ")
        self._refused_before = self._field(self._pid_events, b"max ")

    def _cpu_ns(self) -> int:
        return int(os.pread(self._cpu, 64, 0))

    @staticmethod
    def _field(descriptor: int, name: bytes) -> int:
        for line in os.pread(descriptor, 8192, 0).split(b"\n"):
            if line.startswith(name):
                return int(line[len(name) :])
        return 0

    def members(self) -> list[int]:
        """Their numbers on the host."""
        handle, path = self._procs[0]
        with open(path, opener=lambda name, flags: os.open(name, flags, dir_fd=handle)) as listed:
            return [int(line) for line in listed]

    def processes(self) -> int:
        """Living processes, and dead ones that are not reaped yet."""
        return int(os.pread(self._pid_count, 64, 0))

    def cpu_ns(self) -> int:
        return self._cpu_ns() - self._cpu_before

    def anonymous_bytes(self) -> int:
        return self._field(self._stat, b"total_rss ")

    def shared_bytes(self) -> int:
        """Files in memory, segments, and shared mappings without a file."""
        return self._field(self._stat, b"total_shmem ")

    def kernel_bytes(self, most: float) -> int:
        """What the kernel keeps for the group. What it would give back by itself when room is needed does not count;
        if there is more than `most`, the kernel is made to give it back."""
        used = int(os.pread(self._kernel, 64, 0))
        if used <= most:
            return used
        try:
            os.write(self._reclaim, b"0")
        except OSError:
            pass  # not all of it could be given back
        return int(os.pread(self._kernel, 64, 0))

    def peak_bytes(self) -> int:
        return int(os.pread(self._peak, 64, 0))

    def out_of_memory(self) -> bool:
        return self._field(self._oom, b"oom_kill ") > self._oom_before

    def processes_refused(self) -> bool:
        return self._field(self._pid_events, b"max ") > self._refused_before


class CgroupV2:
    """One group for all controllers, below the root of the unified hierarchy, where groups may hold both groups and
    limits."""

    def __init__(self, instance: str) -> None:
        self.directories = {"": os.path.join(CGROUP_ROOT, instance)}

    def make(self) -> None:
        with open(os.path.join(CGROUP_ROOT, "cgroup.controllers")) as listed:
            offered = listed.read().split()
        missing = {"memory", "pids"} - set(offered)
        if missing:
            raise OSError(0, "the unified hierarchy does not offer %s" % ", ".join(sorted(missing)))
        write(os.path.join(CGROUP_ROOT, "cgroup.subtree_control"), "+memory +pids")
        path = self.directories[""]
        os.mkdir(path)
        write(os.path.join(path, "cgroup.subtree_control"), "+memory +pids")

    def open(self) -> None:
        self._handle = open_directory(self.directories[""])

    def descriptors(self) -> list[int]:
        return [self._handle]

    def open_slot(self, slot: int, memory_bytes: int | None, processes: int | None) -> SlotV2:
        return SlotV2(self._handle, "s%d" % slot, memory_bytes, processes)


class SlotV2(SlotV1):
    def __init__(self, handle: int, name: str, memory_bytes: int | None, processes: int | None) -> None:
        self._procs = [(handle, name + "/cgroup.procs")]
        make_slot(handle, name)

        def reach(file: str, flags: int) -> int:
            return os.open("%s/%s" % (name, file), flags | os.O_CLOEXEC, dir_fd=handle)

        self._swap = self._kernel = self._reclaim = None
        try:
            write(name + "/memory.swap.max", "0", handle)
        except FileNotFoundError:
            pass  # a kernel without swap accounting
        self._limit = reach("memory.max", os.O_WRONLY)
        try:
            self._peak = reach("memory.peak", os.O_RDWR)
        except OSError:  # a kernel before 6.12
            self._peak, self.resets_peak = reach("memory.peak", os.O_RDONLY), False
        self._stat = reach("memory.stat", os.O_RDONLY)
        self._oom = reach("memory.events", os.O_RDONLY)
        self._pids = reach("pids.max", os.O_WRONLY)
        self._pid_events = reach("pids.events", os.O_RDONLY)
        self._pid_count = reach("pids.current", os.O_RDONLY)
        self._cpu = reach("cpu.stat", os.O_RDONLY)
        if memory_bytes is not None and processes is not None:
            self.set_limits(memory_bytes, processes)

    def start_counting(self) -> None:
        if self.resets_peak:
            os.write(self._peak, b"reset")
        self._cpu_before = self._cpu_ns()
        self._oom_before = self._field(self._oom, b"oom_kill ")
        self._refused_before = self._field(self._pid_events, b"max ")

    def _cpu_ns(self) -> int:
        return self._field(self._cpu, b"usage_usec ") * 1000

    def anonymous_bytes(self) -> int:
        return self._field(self._stat, b"anon ")

    def shared_bytes(self) -> int:
        return self._field(self._stat, b"shmem ")

    def kernel_bytes(self, most: float) -> int:
        names = (b"slab_unreclaimable ", b"pagetables ", b"kernel_stack ", b"percpu ")
        return sum(self._field(self._stat, name) for name in names)


if TYPE_CHECKING:
    Groups: TypeAlias = CgroupV1 | CgroupV2


def hierarchy(instance: str) -> Groups:
    unified = os.path.exists(os.path.join(CGROUP_ROOT, "cgroup.controllers"))
    return (CgroupV2 if unified else CgroupV1)(instance)


def make(groups: Groups, record: str) -> None:
    """What will be made is written down before it is made, so that the next start can collect it if this one is
    killed."""
    with open(record, "w") as file:
        file.write("\n".join(groups.directories.values()))
    groups.make()
    groups.open()
    groups.open_slot(0, 64 << 20, 16).close()


def open_cgroups(instance: str, record: str, helper: GroupMaker | None = None) -> tuple[Groups | None, str | None]:
    """The groups, or None with the reason why there are none."""
    groups = hierarchy(instance)
    try:
        if helper is None:
            make(groups, record)
        else:
            helper.wait()
            groups.open()
        return groups, None
    except (OSError, ValueError, KeyError) as error:
        remove_cgroups(groups.directories.values())
        return None, "%s: %s" % (type(groups).__name__, error)
