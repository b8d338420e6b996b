"""Containment, in order. Each step has a name; the first that fails aborts the member, and nothing runs.

A member is two processes in namespaces of their own: pid 1 (trusted, keeps its capabilities inside its user namespace
to mount and to kill), which forks the code process and falls asleep (`clone.clone_member`); and the code process, which
builds and then gives up everything, in `CODE_STEPS`, before it may read a request. Whatever a process touches is a page
to copy: that is why the one that needs most pages anyway does the building. `WARDEN_STEPS` are for pid 1 if it is
woken."""

from __future__ import annotations

import _signal
import ctypes
import os
import resource

import linux
from contain import traces
from contain.limits import RESOURCES
from linux import MS_BIND, MS_NODEV, MS_NODIRATIME, MS_NOEXEC, MS_NOSUID, MS_RDONLY, MS_REMOUNT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from shapes import ContainedMember, Limits, Steps

INNER_UID = 1000
CHANNEL = 3  # the code process's end of the socket to who attends its run
SCRATCH_INODES = 65536
TERMINALS = 16
MASKED_PROC = (
    "kcore",
    "keys",
    "key-users",
    "kmsg",
    "timer_list",
    "sysrq-trigger",
    "sched_debug",
    "kallsyms",
    "config.gz",
)
READONLY_PROC = ("sys", "irq", "bus", "fs")
# Not every kernel has all of them; what this one has does not change.
MASKED_PROC, READONLY_PROC = (
    tuple(path for path in map("/proc/".__add__, names) if os.path.exists(path))
    for names in (MASKED_PROC, READONLY_PROC)
)


class ContainmentFailed(Exception):
    def __init__(self, step: str, cause: object) -> None:
        super().__init__("%s: %s" % (step, cause))
        self.step = step


def restore_signals(member: ContainedMember) -> None:
    # Straight to the system: the signal module would build an enumeration's member for each.
    _signal.set_wakeup_fd(-1)
    for number in (_signal.SIGCHLD, _signal.SIGTERM, _signal.SIGINT, _signal.SIGQUIT):
        if _signal.getsignal(number) != _signal.SIG_DFL:
            _signal.signal(number, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def take_identity(member: ContainedMember) -> None:
    """As root the fork server maps inner 0 and 1000 to two host users that are used for nothing else; as an ordinary
    user the caller is the inner 1000, and this namespace writes its own map."""
    if member.rootless:
        for name, text in (("setgroups", "deny"), ("uid_map", "%d 0 1" % INNER_UID), ("gid_map", "%d 0 1" % INNER_UID)):
            linux.write_file("/proc/self/" + name, text)
    else:
        become_inner_root(member)


def become_inner_root(member: ContainedMember) -> None:
    if not member.rootless:
        os.setgroups([])
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
    linux.die_with_parent()  # a change of identity clears it


def leave_keyring(member: ContainedMember) -> None:
    linux.new_session_keyring()


def bound_kernel_objects(member: ContainedMember) -> None:
    """No namespace can be made below this one, even by who gets past the filter; and what the kernel counts per user
    outside, the caller's own programs still have enough of."""
    for name in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time"):
        _set_namespace_limit("max_%s_namespaces" % name, 0)
    _set_namespace_limit("max_inotify_instances", 32)
    _set_namespace_limit("max_inotify_watches", 16384)


def _set_namespace_limit(name: str, value: int) -> None:
    try:
        linux.write_file("/proc/sys/user/" + name, "%d" % value)
    except FileNotFoundError:
        pass  # a kernel that does not have this kind


def mount_own_proc(member: ContainedMember) -> None:
    # Pid 1 is nobody's to look at: it counts what the runs before have used. Wardens are in its group, and see all.
    options = None if member.rootless else "hidepid=2,gid=0"
    linux.mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)
    for path in MASKED_PROC:
        linux.mount("/dev/null", path, None, MS_BIND)
    for path in READONLY_PROC:
        linux.mount(path, path, None, MS_BIND)
        linux.mount(None, path, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def mount_own_scratch(member: ContainedMember) -> None:
    """One memory file system holds all that the run can write, so that its size is the limit on disk."""
    # To list a directory is no change of it.
    flags = MS_NOSUID | MS_NODEV | MS_NODIRATIME
    linux.mount("scratch", "/.scratch", "tmpfs", flags, scratch_options(member.disk_bytes))
    for name, target in (
        ("work", "/work"),
        ("tmp", "/tmp"),
        ("shm", "/dev/shm"),
        ("home", "/home/dock"),
        ("upper", None),
        ("inner", None),
        ("mask", None),
        ("snapshots", None),
    ):
        os.mkdir("/.scratch/" + name, 0o700)
        if target:
            os.chown("/.scratch/" + name, INNER_UID, INNER_UID)
            linux.mount("/.scratch/" + name, target, None, MS_BIND)
    os.chown("/.scratch/upper", INNER_UID, INNER_UID)
    os.chmod("/.scratch/tmp", 0o1777)
    linux.mount("/tmp", "/var/tmp", None, MS_BIND)
    member.scratch = os.open("/.scratch", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def mount_own_terminals(member: ContainedMember) -> None:
    """Pseudo-terminals that no other run has had: their files have modes and times that the code can set."""
    try:
        options = "newinstance,ptmxmode=0666,mode=0600,max=%d" % TERMINALS
        linux.mount("pts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC | MS_NODIRATIME, options)
    except OSError:
        pass  # a kernel without pseudo-terminals: programs hear that there are none


def scratch_options(disk_bytes: int) -> str:
    return "size=%d,nr_inodes=%d,mode=0700" % (disk_bytes, SCRATCH_INODES)


def raise_own_loopback(member: ContainedMember) -> None:
    linux.raise_loopback()


def close_inherited(member: ContainedMember) -> None:
    linux.close_all_but([CHANNEL, *member.kept_descriptors()])


def empty_bounding_set(member: ContainedMember) -> None:
    linux.drop_bounding_set()


def close_back_doors(member: ContainedMember) -> None:
    """Covers the places by which the layers could be reached directly; the warden keeps descriptors to what it
    needs."""
    for place in ("/.scratch", "/.lower"):
        cover(place)


def cover(place: str) -> None:
    linux.mount("closed", place, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,mode=000")


WARDEN_STEPS = (
    ("restore signals", restore_signals),
    ("take an unprivileged identity", become_inner_root),
    ("leave the caller's keyring", leave_keyring),
    ("close inherited descriptors", close_inherited),
)


def start_own_session(member: ContainedMember) -> None:
    os.setsid()


def forbid_core_dumps(member: ContainedMember) -> None:
    """One byte is less than any core file takes, and it is the only value at which the kernel does not start the host's
    program for core dumps either. The filter keeps it there."""
    ceiling = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1) if ceiling != 0 else (0, 0))


def forbid_priorities(member: ContainedMember) -> None:
    """The starter may have a raised priority; the code has none."""
    for kind in (resource.RLIMIT_RTPRIO, resource.RLIMIT_NICE):
        resource.setrlimit(kind, (0, 0))


def bound_kernel_memory(member: ContainedMember) -> None:
    """What is not charged to a run's group everywhere: locked pages and message queues."""
    for kind, amount in ((resource.RLIMIT_MEMLOCK, 64 << 20), (resource.RLIMIT_MSGQUEUE, 819200)):
        ceiling = resource.getrlimit(kind)[1]
        value = amount if ceiling == resource.RLIM_INFINITY else min(amount, ceiling)
        resource.setrlimit(kind, (value, value))


def prefer_to_die(member: ContainedMember) -> None:
    """If memory runs out, the kernel takes the code, not its warden."""
    own_proc_entries(member)
    linux.write_file("/proc/self/oom_score_adj", "500")


def drop_identity(member: ContainedMember) -> None:
    if not member.rootless:
        os.setgroups([])
        os.setresgid(INNER_UID, INNER_UID, INNER_UID)
        os.setresuid(INNER_UID, INNER_UID, INNER_UID)


def drop_capabilities(member: ContainedMember) -> None:
    linux.drop_capabilities()


def refuse_new_privileges(member: ContainedMember) -> None:
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)


def own_proc_entries(member: ContainedMember) -> None:
    """A change of identity makes /proc/self belong to root; the code may look at itself, as anywhere else."""
    linux.prctl(linux.PR_SET_DUMPABLE, 1)


def filter_system_calls(member: ContainedMember) -> None:
    linux.syscall(
        linux.NUMBERS["seccomp"],
        ctypes.c_uint(1),
        ctypes.c_uint(0),
        ctypes.byref(member.filter.program),
        what="seccomp",
    )


CODE_STEPS = (
    ("restore signals", restore_signals),
    ("own /proc entries", own_proc_entries),
    ("take an unprivileged identity", take_identity),
    ("leave the caller's keyring", leave_keyring),
    ("bound kernel objects", bound_kernel_objects),
    ("open the count of processes", traces.open_last_pid),
    ("mount own /proc", mount_own_proc),
    ("mount own scratch", mount_own_scratch),
    ("mount own terminals", mount_own_terminals),
    ("raise own loopback", raise_own_loopback),
    ("open what shows traces", traces.open_traces),
    ("close the back doors", close_back_doors),
    ("empty the bounding set", empty_bounding_set),
    ("start own session", start_own_session),
    ("forbid core dumps", forbid_core_dumps),
    ("forbid priorities", forbid_priorities),
    ("bound kernel memory", bound_kernel_memory),
    ("prefer to die when memory runs out", prefer_to_die),
    ("drop the identity", drop_identity),
    ("drop all capabilities", drop_capabilities),
    ("refuse new privileges", refuse_new_privileges),
    ("own /proc entries", own_proc_entries),
    ("wait until changes show", traces.await_step),
    ("filter system calls", filter_system_calls),
)


def enter(steps: Steps, member: Any) -> None:
    for name, step in steps:
        try:
            step(member)
        except OSError as error:
            raise ContainmentFailed(name, error) from error


def limit_resources(limits: Limits) -> None:
    """Per process, set by the code process on itself when the request names them; the groups' limits hold for all
    together."""
    for kind, key, margin in RESOURCES:
        amount = limits.get(key)
        ceiling = resource.getrlimit(kind)[1]
        if amount is not None:
            wanted = int(amount) + margin
            value = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
            resource.setrlimit(kind, (value, value))
