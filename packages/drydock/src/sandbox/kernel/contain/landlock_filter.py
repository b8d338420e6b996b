"""The system call filter where there are no namespaces: what they would have kept apart is refused instead."""

from __future__ import annotations

import ctypes
import errno

import linux
from contain import filter_head, seccomp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import Step

UNIX_FAMILY, STREAM, SEQPACKET, TYPE_MASK = 1, 1, 5, 0xF

# The host's network and its unix sockets. A pair of sockets can reach no other process, as long as it can't be
# connected anew.
SOCKETS = "socket connect bind listen accept accept4".split()
# The host's System V memory, queues and semaphores, and everybody's files and processes as far as Landlock does not
# look.
SHARED = """
shmget shmat shmctl shmdt semget semop semtimedop semctl msgget msgrcv msgsnd msgctl
mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink
inotify_add_watch inotify_init inotify_init1 ioprio_set
""".split()
# Landlock leaves the metadata of files open. Where the code is the same user as the caller, all of that is the
# caller's.
METADATA = """
chmod fchmod fchmodat fchmodat2 chown chown32 fchown fchownat lchown setxattr lsetxattr fsetxattr removexattr
lremovexattr fremovexattr utime utimes utimensat futimesat
""".split()
ON_ITSELF_ONLY = ("prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler")


class LandlockFilter(seccomp.Filter):
    def __init__(self, own_user: bool) -> None:
        self._refused = set(SOCKETS) | set(SHARED) | (set() if own_user else set(METADATA))
        code = self._compile(False)
        self._buffer = ctypes.create_string_buffer(code, len(code))
        self.program = seccomp.FilterProgram(len(code) // 8, ctypes.cast(self._buffer, ctypes.c_void_p))

    def _describe(self, grouped: bool) -> None:
        allowed, refused = filter_head.ALLOW, seccomp.errno_action(errno.EPERM)
        for name in seccomp.ALLOWED:
            if name != "socketpair":
                self._add(refused if name in self._refused else allowed, name)
        for name in [*seccomp.REFUSED, "socket"]:
            self._add(refused, name)
        self._describe_mappings(grouped)
        for kind in (STREAM, SEQPACKET):
            self._add(allowed, "socketpair", (0, seccomp.EQ, UNIX_FAMILY, 0), (1, seccomp.MASKED_EQ, TYPE_MASK, kind))
        for value in seccomp.PERSONALITIES:
            self._add(allowed, "personality", (0, seccomp.EQ, value, 0))
        for name in ON_ITSELF_ONLY:
            self._add(allowed, name, (0, seccomp.EQ, 0, 0))
        self._add(allowed, "setpriority", (0, seccomp.EQ, seccomp.PRIO_PROCESS, 0), (1, seccomp.EQ, 0, 0))

    def _look_at_arguments(self) -> list[tuple[str, list[Step]]]:
        # Only /proc shows what a process here uses, so it can't make itself unreadable.
        stays_readable = filter_head.only_if(0, linux.PR_SET_DUMPABLE, [("return", filter_head.PRETEND)])
        core_limit = filter_head.keep_core_limit_of_any()
        return [*seccomp.LIMITS_AND_NAMESPACES, ("prlimit64", core_limit), ("prctl", stays_readable)]
