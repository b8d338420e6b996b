"""A process that is held by ptrace and made to do system calls, while not one instruction of its own program runs.

The process stops itself at its fork point: a call of `setns`, which the filter refuses to everybody whom no warden
traces. From there on the instruction that entered the kernel is executed again and again, each time with other
registers: the process does what they say, and stops behind it. What it may do is still up to its filter."""

from __future__ import annotations

import ctypes
import os
import signal
import struct

import linux
from linux import libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED = linux.MACHINE == "x86_64"
_SEIZE, _INTERRUPT, _STEP, _CONT, _DETACH, _EVENT_MESSAGE, _GET, _SET = 0x4206, 0x4207, 9, 7, 17, 0x4201, 12, 13
_CALL, _MARK_CALLS, _AT_CALL, _READ = 24, 0x1, signal.SIGTRAP | 0x80, 0
_TRACE_CHILDREN, _TRACE_FILTER, _KILL_WITH_US = 0x2 | 0x4 | 0x8, 0x80, 1 << 20
_EVENT_FILTER, _EVENT_STOP = 7, 128
_EVENTS_OF_CHILDREN = (1, 2, 3)
_ALL = 0x40000000  # children of every kind
_REGISTERS = struct.Struct("27Q")
_RAX, _ORIGINAL, _RIP = 10, 15, 16
_ARGUMENTS = (14, 13, 12, 7, 9, 8)  # rdi, rsi, rdx, r10, r8, r9
_INSTRUCTION_BYTES = 2  # of `syscall`
_WORD = (1 << 64) - 1
_NO_CALL = _WORD

CALLS = {
    "write": 1,
    "ioctl": 16,
    "pipe2": 293,
    "mmap": 9,
    "close": 3,
    "lseek": 8,
    "mprotect": 10,
    "madvise": 28,
    "recvmsg": 47,
    "clone": 56,
    "exit": 60,
    "wait4": 61,
    "chdir": 80,
    "setsid": 112,
    "setresuid": 117,
    "setresgid": 119,
    "capset": 126,
    "prctl": 157,
    "epoll_ctl": 233,
    "openat": 257,
    "eventfd2": 290,
    "epoll_create1": 291,
    "dup3": 292,
    "setns": 308,
    "close_range": 436,
    "landlock_create_ruleset": 444,
    "landlock_restrict_self": 446,
}

libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


class Lost(Exception):
    """The process ended, or did not do what it was made to do."""


def _ptrace(request: int, pid: int, address: int = 0, data: int = 0) -> None:
    if libc.ptrace(request, pid, address, data) < 0:
        error = ctypes.get_errno()
        raise OSError(error, "ptrace: " + os.strerror(error))


class Tracee:
    """Stopped, but for the moment of each call."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._buffer = ctypes.create_string_buffer(_REGISTERS.size)
        self._base: list[int] = []
        self._memory: int | None = None

    def seize(self) -> None:
        """It goes on, until it reaches its fork point. If this process ends, so does it."""
        _ptrace(_SEIZE, self.pid, 0, _TRACE_CHILDREN | _TRACE_FILTER | _KILL_WITH_US | _MARK_CALLS)

    def await_fork_point(self) -> tuple[int, ...]:
        """The arguments of the call that it stopped at. Signals that come meanwhile are its own."""
        while True:
            stop, event = self._wait()
            if event == _EVENT_FILTER:
                break
            _ptrace(_CONT, self.pid, 0, 0 if event else stop)
        registers = self._get()
        arguments = tuple(registers[at] for at in _ARGUMENTS)
        registers[_ORIGINAL] = _NO_CALL
        self._set(registers)
        _ptrace(_STEP, self.pid)
        self._await_step()
        self._base = self._get()
        return arguments

    def stop(self) -> None:
        """Wherever it is."""
        _ptrace(_INTERRUPT, self.pid)
        _, event = self._wait()
        if event != _EVENT_STOP:
            raise Lost("it did not stop")

    def await_read(self, descriptor: int, size: int) -> int:
        """Of one that is stopped: it goes on until it reads so many bytes, and is held there. Returns where it
        reads to. Signals that come meanwhile are its own."""
        signal_number = 0
        while True:
            _ptrace(_CALL, self.pid, 0, signal_number)
            stop, event = self._wait()
            signal_number = 0 if event or stop == _AT_CALL else stop
            if event in _EVENTS_OF_CHILDREN:
                raise Lost("it started another process")
            registers = self._get()
            given, _, length = (registers[at] for at in _ARGUMENTS[:3])
            if stop == _AT_CALL and (registers[_ORIGINAL], given, length) == (_READ, descriptor, size):
                break
        registers[_ORIGINAL] = _NO_CALL
        self._set(registers)
        _ptrace(_STEP, self.pid)
        self._await_step()
        self._base = self._get()
        return int(registers[_ARGUMENTS[1]])

    def follow_birth(self, base: list[int]) -> None:
        """Of a child that has just been cloned by a tracee: its first stop."""
        _, event = self._wait()
        if event != _EVENT_STOP:
            raise Lost("a new process did not stop")
        self._base = base

    def call(self, name: str, *arguments: int) -> int:
        """Does the call and returns what it returned; raises where that is an error."""
        self._enter(name, arguments)
        while True:
            stop, event = self._wait()
            if stop == signal.SIGTRAP and event == 0:
                return self._returned(name)
            if event != _EVENT_FILTER:
                raise Lost("%s: an unexpected stop" % name)
            _ptrace(_STEP, self.pid)

    def clone(self, flags: int, thread_id: int = 0) -> Tracee:
        """A child, stopped at its birth. With CLONE_VFORK this process is in the call until the child has ended:
        `await_return` comes then."""
        self._enter("clone", (flags, 0, 0, thread_id, 0))
        _, event = self._wait()
        if event not in _EVENTS_OF_CHILDREN:
            self._returned("clone")
            raise Lost("clone: no child")
        number = ctypes.c_ulong()
        _ptrace(_EVENT_MESSAGE, self.pid, 0, ctypes.addressof(number))
        child = Tracee(number.value)
        _ptrace(_STEP, self.pid)
        child.follow_birth(self._base)
        return child

    def await_return(self) -> int:
        self._await_step()
        return self._returned("clone")

    def end(self) -> None:
        """Exits, and is reaped as far as its tracer is concerned."""
        self._enter("exit", (0,))
        self._wait(ended=True)
        self.close()

    def kill(self) -> None:
        self.close()
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, _ALL)
        except OSError:
            pass  # it is gone already

    def release(self, returned: int) -> None:
        """It goes on behind its fork point, which returns this."""
        registers = list(self._base)
        registers[_RAX], registers[_ORIGINAL] = returned & _WORD, _NO_CALL
        self._set(registers)
        _ptrace(_DETACH, self.pid)
        self.close()

    def let_go(self, is_stopped: bool = False) -> None:
        """Of one that goes its own way: it is not traced any more, wherever it is."""
        try:
            if not is_stopped:
                _ptrace(_INTERRUPT, self.pid)
                self._wait()
            _ptrace(_DETACH, self.pid)
        except (OSError, Lost):
            pass  # it never was traced, or is gone

    def write(self, address: int, data: bytes) -> None:
        if os.pwrite(self._open_memory(), data, address) != len(data):
            raise Lost("its memory could not be written")

    def read(self, address: int, size: int) -> bytes:
        data = os.pread(self._open_memory(), size, address)
        if len(data) != size:
            raise Lost("its memory could not be read")
        return data

    def close(self) -> None:
        if self._memory is not None:
            os.close(self._memory)
            self._memory = None

    def _open_memory(self) -> int:
        if self._memory is None:
            self._memory = os.open("/proc/%d/mem" % self.pid, os.O_RDWR | os.O_CLOEXEC)
        return self._memory

    def _enter(self, name: str, arguments: tuple[int, ...]) -> None:
        registers = list(self._base)
        registers[_RIP] -= _INSTRUCTION_BYTES
        registers[_RAX], registers[_ORIGINAL] = CALLS[name], _NO_CALL
        for at, value in zip(_ARGUMENTS, arguments):
            registers[at] = value & _WORD
        self._set(registers)
        _ptrace(_STEP, self.pid)

    def _await_step(self) -> None:
        stop, event = self._wait()
        if stop != signal.SIGTRAP or event:
            raise Lost("an unexpected stop")

    def _returned(self, name: str) -> int:
        registers = self._get()
        if registers[_RIP] != self._base[_RIP]:
            raise Lost("%s: it is not where it should be" % name)
        value = registers[_RAX]
        if value > _WORD - 4096:
            raise OSError(_WORD + 1 - value, "%s: %s" % (name, os.strerror(_WORD + 1 - value)))
        return value

    def _get(self) -> list[Any]:
        _ptrace(_GET, self.pid, 0, ctypes.addressof(self._buffer))
        return list(_REGISTERS.unpack(self._buffer.raw))

    def _set(self, registers: list[int]) -> None:
        ctypes.memmove(self._buffer, _REGISTERS.pack(*registers), _REGISTERS.size)
        _ptrace(_SET, self.pid, 0, ctypes.addressof(self._buffer))

    def _wait(self, ended: bool = False) -> tuple[int, int]:
        """(Signal, event) of its next stop."""
        _, status = os.waitpid(self.pid, _ALL)
        if not os.WIFSTOPPED(status):
            if ended:
                return 0, 0
            raise Lost("it has ended")
        if ended:
            raise Lost("it did not end")
        return os.WSTOPSIG(status), status >> 16
