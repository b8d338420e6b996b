"""Landlock: a process gives up what it does not need, and no namespace is needed for that. What it can't hold (metadata
of files, unix sockets, System V memory) is the system call filter's part."""

from __future__ import annotations

import ctypes
import os
import struct

import linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
# Older ones can't keep the code's signals inside, and without that the end of a run can't be known.
NEEDED_VERSION = 6
ALL_OF_FILES, ALL_OF_NETWORK, SCOPE_SOCKETS, SCOPE_SIGNALS = (1 << 16) - 1, 3, 1, 2
EXECUTE, WRITE_FILE, READ_FILE, READ_DIRECTORY, TRUNCATE = 1, 2, 4, 8, 1 << 14
READ = EXECUTE | READ_FILE | READ_DIRECTORY
_RULE_BENEATH_PATH = 1


def check() -> None:
    version = _version()
    if version < NEEDED_VERSION:
        has = "this kernel has none, or it is switched off" if version <= 0 else "this kernel has version %d" % version
        raise OSError(0, "Landlock of version %d is needed (Linux 6.12), and %s" % (NEEDED_VERSION, has))


def _version() -> int:
    try:
        return linux.syscall(
            CREATE_RULESET, ctypes.c_void_p(0), ctypes.c_size_t(0), ctypes.c_uint(1), what="landlock_create_ruleset"
        )
    except OSError:
        return 0


_scoped_process = None


def scope_signals(outsider: int) -> None:
    """From here on this process can signal only itself and its descendants. `outsider`, a living process of the same
    user, is used to test that."""
    global _scoped_process  # noqa: PLW0603  (what a process has done to itself is a fact of the process)
    os.kill(outsider, 0)
    _restrict(_create(0, 0, SCOPE_SIGNALS))
    try:
        os.kill(outsider, 0)
    except PermissionError:
        _scoped_process = os.getpid()
        return
    raise OSError(0, "Landlock does not keep signals inside")


def signal_descendants(number: int) -> None:
    """To every process of this scope but the caller, at once: nothing that forks can run away from it. Outside of a
    scope the same call would reach every process of the user, so only a process that has tested its scope makes it."""
    if _scoped_process != os.getpid():
        raise RuntimeError("signals are not scoped")
    os.kill(-1, number)


def restrict(readable: Iterable[str], devices: Iterable[str], writable: str) -> None:
    """Paths that do not exist are left out; everything that is not named is closed."""
    ruleset = _create(ALL_OF_FILES, ALL_OF_NETWORK, SCOPE_SOCKETS | SCOPE_SIGNALS)
    for path in readable:
        _allow(ruleset, path, READ)
    for path in devices:
        _allow(ruleset, path, READ_FILE | WRITE_FILE | TRUNCATE)
    _allow(ruleset, writable, ALL_OF_FILES)
    _restrict(ruleset)


def _create(files: int, network: int, scoped: int) -> int:
    packed = struct.pack("QQQ", files, network, scoped)
    return linux.syscall(
        CREATE_RULESET, packed, ctypes.c_size_t(len(packed)), ctypes.c_uint(0), what="landlock_create_ruleset"
    )


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            access &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
        packed = struct.pack("=Qi", access, place)
        linux.syscall(
            ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(_RULE_BENEATH_PATH),
            packed,
            ctypes.c_uint(0),
            what="landlock_add_rule %s" % path,
        )
    finally:
        os.close(place)


def _restrict(ruleset: int) -> None:
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.syscall(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0), what="landlock_restrict_self")
    os.close(ruleset)
