"""The system calls that code in the dock may make: a list of what is allowed. Anything else answers ENOSYS, so that
libraries fall back as on an older kernel; what is an attack by its nature answers EPERM."""

from __future__ import annotations

import ctypes
import errno
import os
import zlib

import linux
from contain import filter_head
from linux import CLONE_NAMESPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import Step

ALLOWED = """
accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod chown chown32 clock_getres clock_gettime
clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl
epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd eventfd2 execve execveat exit exit_group
faccessat faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr
flistxattr flock fork fremovexattr fsetxattr fstat fstatfs fsync ftruncate futex futex_wait futex_waitv futex_wake
futex_requeue futimesat get_robust_list getcpu getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer
getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid
getsockname getsockopt gettid gettimeofday getuid getxattr inotify_add_watch inotify_init inotify_init1
inotify_rm_watch ioprio_get ioprio_set kill lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr
lseek lsetxattr lstat madvise membarrier mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall mprotect
mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap mseal msync munlock munlockall munmap
nanosleep newfstatat open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free
pkey_mprotect poll ppoll prctl pread64 preadv preadv2 pselect6 pwrite64 pwritev pwritev2 read readahead readlink
readlinkat readv recvfrom recvmmsg recvmsg remap_file_pages removexattr rename renameat renameat2 restart_syscall
rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
sched_getscheduler sched_rr_get_interval sched_yield seccomp select sendfile sendmmsg sendmsg sendto set_robust_list
set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setregid setresgid setresuid setreuid setrlimit
setsid setsockopt setuid setxattr shmat shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 socketpair splice
stat statfs statx symlink symlinkat sync sync_file_range syncfs sysinfo tee tgkill time timer_create timer_delete
timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill truncate umask
uname unlink unlinkat utime utimensat utimes vfork vmsplice wait4 waitid write writev
""".split()

# What these make lies in the kernel, belongs to no process, and has no limit of a run's own: they are there where a
# control group counts it. Shared memory of System V is counted everywhere, and POSIX semaphores are files of /dev/shm.
LANDLOCK = "landlock_add_rule landlock_create_ruleset landlock_restrict_self".split()
COUNTED_BY_GROUPS = [*"memfd_create msgctl msgget msgrcv msgsnd semctl semget semop semtimedop".split(), *LANDLOCK]

# These are used by attackers, or by tools that need a clear error.
REFUSED = """
acct add_key bpf chroot clock_adjtime clock_settime delete_module fanotify_init finit_module fsconfig fsmount fsopen
fspick init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl
lookup_dcookie mbind memfd_secret migrate_pages modify_ldt mount mount_setattr move_mount move_pages name_to_handle_at
nfsservctl open_by_handle_at open_tree perf_event_open pidfd_getfd pivot_root process_madvise process_mrelease
process_vm_readv process_vm_writev ptrace quotactl quotactl_fd reboot request_key set_mempolicy settimeofday
swapoff swapon syslog umount2 unshare userfaultfd uselib vhangup
""".split()

# Only a process that a warden traces has these; for others they fail with ENOSYS. With them a copy of a session's
# interpreter gets into namespaces of its own. The code can't trace any process.
TRACED = """
setns
""".split()

# Shared memory without a file. It lasts as long as a page of it is mapped somewhere, and its size is not visible: where
# no control group counts it, one mapping may have this much, and a meter knows how many there are.
MAP_KIND, MAP_SHARED, MAP_ANONYMOUS = 0x0F, 0x01, 0x20
SHARED_MAPPING_BYTES = 1 << 20

# AF_UNIX, AF_INET, AF_INET6: the namespace has a loopback and nothing else.
UNIX_FAMILY, INTERNET_FAMILIES = 1, (2, 10)
# The usual one, TCP and UDP. The code of others (MPTCP, UDP-Lite, SCTP) is young or little used, and no program needs
# it.
PROTOCOLS = (0, 6, 17)
# Options that leave something in the network namespace after the socket is gone, by level: groups, which the kernel
# announces for seconds with packets of its own (IP, IPv6), and the key of fast openings (TCP).
LASTING_OPTIONS = {0: (35, 39, 42, 46), 41: (20, 27, 42, 46), 6: (23, 33)}
# As an ordinary user, the warden is the same user as the code: only this keeps the code from taking its time or
# descriptors.
SCHEDULING = ("sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler")
WARDEN_PID = 1
PRIO_PROCESS = 0
# The first two type into somebody's terminal. A terminal stays a plain one: what else can be put behind it is old and
# little used, and the kernel loads it for anybody.
TIOCSTI, TIOCLINUX, TIOCSETD = 0x5412, 0x541C, 0x5423
PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)

# clone3 is absent on purpose: it passes its flags by pointer, where a filter can't look. The C library then takes
# clone.
LIMITS_AND_NAMESPACES = [
    ("setrlimit", filter_head.keep_core_limit()),
    ("clone", filter_head.allow_unless_any_bit(0, sum(CLONE_NAMESPACES))),
    ("ioctl", filter_head.allow_unless(1, [TIOCSTI, TIOCLINUX, TIOCSETD])),
]

ACT_KILL_PROCESS, ACT_TRACE = 0x80000000, 0x7FF00000
_ATTRIBUTE_BAD_ARCH, _ATTRIBUTE_OPTIMIZE = 2, 8
LE, EQ, GT, MASKED_EQ = 3, 4, 6, 7


def errno_action(number: int) -> int:
    return 0x00050000 | number


class _Argument(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


class FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def _cache_path(grouped: bool, directory: str) -> str:
    """Compiling takes longer than all the rest of a member: the result is kept beside the owner's other state, under a
    name that changes with what it was made from (its text: packages are unpacked with one and the same date), with this
    machine and with this user."""
    made_from = 0
    for path in (__file__, linux.__file__, filter_head.__file__):
        with open(path, "rb") as source:
            made_from = zlib.crc32(source.read(), made_from)
    facts = (os.uname().machine, os.geteuid(), made_from, os.stat(__file__).st_size, int(grouped))
    return os.path.join(directory, "filter-%s-%d-%08x-%d-%d.bpf" % facts)


def _read_own(path: str) -> bytes | None:
    """Only a file that no other user could have written."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if found.st_uid != os.geteuid() or found.st_mode & 0o022 or found.st_size % 8 or not found.st_size:
            return None
        return file.read()


def _write_own(path: str, code: bytes) -> None:
    try:
        temporary = "%s.%d" % (path, os.getpid())
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(code)
        os.rename(temporary, path)
    except OSError:
        pass  # a home that can't be written to: the next start compiles again


class CompiledFilter:
    """A compiled program, to be installed with one system call."""

    def __init__(self, code: bytes) -> None:
        self.code, self._buffer = code, ctypes.create_string_buffer(code, len(code))
        self.program = FilterProgram(len(code) // 8, ctypes.cast(self._buffer, ctypes.c_void_p))


class Filter(CompiledFilter):
    """Built once in the fork server, and installed in each run."""

    def __init__(self, grouped: bool, cache_directory: str) -> None:
        cached = _cache_path(grouped, cache_directory)
        code = _read_own(cached)
        if code is None:
            code = self._compile(grouped)
            _write_own(cached, code)
        super().__init__(code)

    def _compile(self, grouped: bool) -> bytes:
        try:
            library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
        except OSError as error:
            raise RuntimeError(
                "libseccomp.so.2 is missing: install it (Debian: apt-get install libseccomp2)"
            ) from error
        library.seccomp_init.restype = ctypes.c_void_p
        library.seccomp_init.argtypes = [ctypes.c_uint32]
        library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
        library.seccomp_rule_add_array.argtypes = [
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_int,
            ctypes.c_uint,
            ctypes.c_void_p,
        ]
        library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self._library = library
        self._context = library.seccomp_init(errno_action(errno.ENOSYS))
        if not self._context:
            raise RuntimeError("seccomp_init failed")
        library.seccomp_attr_set(self._context, _ATTRIBUTE_BAD_ARCH, ACT_KILL_PROCESS)
        library.seccomp_attr_set(self._context, _ATTRIBUTE_OPTIMIZE, 2)
        self._describe(grouped)
        head = [(number, steps) for name, steps in self._look_at_arguments() if (number := self._number(name)) >= 0]
        code = filter_head.assemble(head) + self._export()
        library.seccomp_release(ctypes.c_void_p(self._context))
        return code

    def _describe(self, grouped: bool) -> None:
        for name in ALLOWED:
            self._add(filter_head.ALLOW, name)
        for name in REFUSED:
            self._add(errno_action(errno.EPERM), name)
        for name in COUNTED_BY_GROUPS if grouped else ():
            self._add(filter_head.ALLOW, name)
        for name in TRACED if grouped else (*TRACED, *LANDLOCK):
            self._add(ACT_TRACE, name)
        self._describe_mappings(grouped)
        for value in PERSONALITIES:
            self._add(filter_head.ALLOW, "personality", (0, EQ, value, 0))

    def _look_at_arguments(self) -> list[tuple[str, list[Step]]]:
        """(Name, steps) of each rule of the filter's head. What is decided there is not in libseccomp's part."""
        not_on_warden = filter_head.allow_unless(0, [WARDEN_PID])
        return [
            *LIMITS_AND_NAMESPACES,
            ("socket", filter_head.allow_sockets(UNIX_FAMILY, INTERNET_FAMILIES, PROTOCOLS)),
            ("setsockopt", filter_head.refuse_options(LASTING_OPTIONS)),
            ("prlimit64", [*filter_head.keep_core_limit_of_any(), *not_on_warden]),
            *[(name, not_on_warden) for name in SCHEDULING],
            ("setpriority", filter_head.only_if(0, PRIO_PROCESS, filter_head.allow_unless(1, [WARDEN_PID]))),
        ]

    def _describe_mappings(self, grouped: bool) -> None:
        if grouped:
            self._add(filter_head.ALLOW, "mmap")
            return
        self._add(
            errno_action(errno.ENOMEM),
            "mmap",
            (1, GT, SHARED_MAPPING_BYTES, 0),
            (3, MASKED_EQ, MAP_KIND | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS),
        )
        self._add(filter_head.ALLOW, "mmap", (1, LE, SHARED_MAPPING_BYTES, 0))
        for bit in (
            0x01,
            0x02,
            0x04,
            0x08,
            MAP_ANONYMOUS,
        ):  # whatever differs in one of those is another kind of mapping
            self._add(filter_head.ALLOW, "mmap", (3, MASKED_EQ, bit, (MAP_SHARED | MAP_ANONYMOUS) & bit ^ bit))

    def _number(self, name: str) -> int:
        return self._library.seccomp_syscall_resolve_name(name.encode())

    def _add(self, action: int, name: str, *conditions: tuple[int, int, int, int]) -> None:
        number = self._number(name)
        if number < 0:
            return  # not a system call of this architecture or of this libseccomp: it stays refused
        array = (_Argument * len(conditions))(*[_Argument(*condition) for condition in conditions])
        failed = self._library.seccomp_rule_add_array(self._context, action, number, len(conditions), array)
        if failed:
            raise RuntimeError("seccomp rule for %s: %s" % (name, os.strerror(-failed)))

    def _export(self) -> bytes:
        read_end, write_end = os.pipe()
        try:
            if self._library.seccomp_export_bpf(self._context, write_end):
                raise RuntimeError("seccomp_export_bpf failed")
        finally:
            os.close(write_end)
        with os.fdopen(read_end, "rb") as pipe:
            return pipe.read()
