"""How a member is made: pid 1 of its namespaces and the code process, cloned from the fork server without an
interpreter's help."""

from __future__ import annotations

import ctypes
import os
import struct

import linux
from linux import libc

_CLONE_CHILD_SETTID, _CLONE_CHILD_CLEARTID = 0x01000000, 0x00200000
_PR_GET_TID_ADDRESS = 40
_python = ctypes.pythonapi
for _hook in (_python.PyOS_BeforeFork, _python.PyOS_AfterFork_Parent, _python.PyOS_AfterFork_Child):
    _hook.restype = None


def _thread_id_address() -> int:
    """Where the C library keeps this thread's id, so that a raw clone can set it right in the child."""
    address = ctypes.c_ulong()
    if libc.prctl(_PR_GET_TID_ADDRESS, ctypes.addressof(address), 0, 0, 0) == 0:
        return address.value
    return 0


_TID_ADDRESS = _thread_id_address()
_TID_FLAGS = _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID if _TID_ADDRESS else 0
# The order of the last two arguments differs between architectures.
_TID_TAIL = (_TID_ADDRESS, 0) if linux.MACHINE == "x86_64" else (0, _TID_ADDRESS)


def _bare_clone(flags: int) -> int:
    return libc.syscall(
        _SYS_CLONE, ctypes.c_ulong(flags | _TID_FLAGS | 17), _NULL, _NULL, _CLONE_TAIL[0], _CLONE_TAIL[1]
    )


_SYS_CLONE, _NULL = ctypes.c_long(linux.NUMBERS.get("clone", -1)), ctypes.c_void_p(0)
_CLONE_TAIL = [ctypes.c_void_p(address) for address in _TID_TAIL]
_SYS_SETNS, _SYS_RSEQ = ctypes.c_long(linux.NUMBERS.get("setns", -1)), 334
_poll, _read, _close = libc.poll, libc.read, libc.close


def _own_arguments() -> tuple[int, int]:
    """Where the words lie that this process was started with: (address, length)."""
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rsplit(b")", 1)[1].split()
    start, end = int(fields[45]), int(fields[46])
    return start, end - start


_ARGUMENTS, _SHOWN_NAME = _own_arguments(), b"drydock"


def _cover_arguments() -> None:
    """The fork server's arguments name the owner's home, and every process in the namespace can read the arguments
    of pid 1."""
    start, length = _ARGUMENTS
    if length > len(_SHOWN_NAME):
        ctypes.memset(start, 0, length)
        ctypes.memmove(start, _SHOWN_NAME, len(_SHOWN_NAME))


def clone_member(flags: int, gate: tuple[int, int], leash: int, surplus: list[int]) -> tuple[int, int]:
    """Clones pid 1 of a member, which forks the code process and falls asleep. Returns thrice: in the fork server (pid
    1's pid, 0); in the code process (0, 0); and in pid 1 (0, the code process's pid) when there is something to read on
    `leash`.

    Pid 1 waits at `gate` until the fork server has let it through, and closes what is `surplus` to it. It is no
    interpreter until it is woken, but a few system calls: whatever else it did here would be pages to copy for a
    process that, as a rule, never has anything to do. All signals must be blocked."""
    through = ctypes.create_string_buffer(1)
    wait = struct.pack("ihh", leash, 1, 0)
    _python.PyOS_BeforeFork()
    pid = _bare_clone(flags)
    if pid != 0:
        error = ctypes.get_errno()
        _python.PyOS_AfterFork_Parent()
        if pid < 0:
            raise OSError(error, "clone: " + os.strerror(error))
        return pid, 0
    libc.prctl(linux.PR_SET_PDEATHSIG, 9, 0, 0, 0)
    libc.prctl(linux.PR_SET_DUMPABLE, 0, 0, 0, 0)
    _close(gate[1])
    if _read(gate[0], through, 1) != 1:
        os._exit(1)  # the fork server did not prepare this member
    _cover_arguments()
    code = _bare_clone(0)
    if code > 0:
        for descriptor in surplus:
            _close(descriptor)
        _poll(wait, 1, -1)
    elif code < 0:
        os._exit(1)
    _python.PyOS_AfterFork_Child()
    return 0, code


def clone_child(flags: int) -> int:
    """A fork in new namespaces: returns the child's pid, and 0 in the child."""
    _python.PyOS_BeforeFork()
    pid = _bare_clone(flags)
    if pid == 0:
        _python.PyOS_AfterFork_Child()
        return 0
    error = ctypes.get_errno()
    _python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, "clone: " + os.strerror(error))
    return pid


def stop_at_fork_point(buffer: int) -> int:
    """In the code process: a warden that traces it makes copies of it here. Returns 0 in the process that called, 1
    in a copy, and raises if no process traces it. `buffer` is memory that the warden may use meanwhile."""
    _python.PyOS_BeforeFork()
    returned = libc.syscall(
        _SYS_SETNS, ctypes.c_int(-1), ctypes.c_long(0), ctypes.c_void_p(buffer), ctypes.c_void_p(_TID_ADDRESS)
    )
    if returned == 1:
        _python.PyOS_AfterFork_Child()
        _register_restartable_sequences()
        return 1
    error = ctypes.get_errno()
    _python.PyOS_AfterFork_Parent()
    if returned < 0:
        raise OSError(error, "the copy was not made: " + os.strerror(error))
    return 0


def _register_restartable_sequences() -> None:
    """The C library has registered them once, for a thread that this one is a copy of by way of another."""
    try:
        offset, size = (ctypes.c_long.in_dll(libc, name).value for name in ("__rseq_offset", "__rseq_size"))
    except ValueError:
        return  # a C library without them
    libc.pthread_self.restype = ctypes.c_ulong
    address, length = libc.pthread_self() + offset, max(size & 0xFFFFFFFF, 32)
    libc.syscall(ctypes.c_long(_SYS_RSEQ), ctypes.c_void_p(address), length, 0, ctypes.c_uint(0x53053053))
