"""What a run opens in its workspace, seen from outside of its processes: which files each program opened, executed, or
tried to open in vain. The code process, while it is still ours, installs a second filter that stops every call that
opens or executes until the warden has looked at it, and hands that filter's listener to its warden; the warden notes
the path, and lets the call go on. Nothing is refused here: a process that changes the path after it was read fools the
record, not the sandbox.

A program is one execution: a process that executes another program becomes a new one.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct

import linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import Call, Json

ROOT = "/work"
# A judgement by an incomplete record fails: honest builds and tests stay far below these limits.
MOST_PROGRAMS, MOST_PATHS, MOST_BYTES = 5000, 100000, 16 << 20
ARGUMENT_BYTES, ENVIRONMENT_BYTES = 2048, 65536

_RECEIVE, _SEND, _SET_FLAGS = 0xC0502100, 0xC0182101, 0x40082104
_SAME_CPU = 1
_NOTICE = struct.Struct("QIIiIQ6Q")
_ANSWER = struct.Struct("QqiI")
_GO_ON = 1
_NEW_LISTENER, _WAIT_KILLABLE = 8, 32
# name: (number on x86_64, number on aarch64, what it is, argument with the path, argument with the directory, argument
# with flags)
_CALLS = {
    "open": (2, None, "open", 0, None, 1),
    "openat": (257, 56, "open", 1, 0, 2),
    "openat2": (437, 437, "open", 1, 0, None),
    "execve": (59, 221, "exec", 0, None, None),
    "execveat": (322, 281, "exec", 1, 0, None),
}
_BY_NUMBER = {call[1 if linux.MACHINE == "aarch64" else 0]: call[2:] for call in _CALLS.values()}
_BY_NUMBER.pop(None, None)
_SET_AFFINITY = (203, 122)
_PRETEND = 0x00050000
_AT_FDCWD = 0xFFFFFF9C
_MOST_OPEN = 64
_MOST_LINKS = 40
# Nothing in there leads to the workspace.
_SYSTEM = ("/usr/", "/lib", "/bin/", "/sbin/", "/etc/")
_SYSTEM_BYTES = tuple(map(os.fsencode, _SYSTEM))


def _filter(keeps_processors: bool) -> bytes:
    """Calls that open or execute go to the listener, all others go on; one that chooses processors does nothing where
    they are to stay as they are."""
    instruction = struct.Struct("HBBI").pack
    numbers = sorted(_BY_NUMBER)
    program = [
        instruction(0x20, 0, 0, 4),
        instruction(0x15, 1, 0, linux.AUDIT_ARCHITECTURES[linux.MACHINE]),
        instruction(0x06, 0, 0, 0x7FFF0000),
        instruction(0x20, 0, 0, 0),
    ]
    if keeps_processors:
        number = _SET_AFFINITY[1 if linux.MACHINE == "aarch64" else 0]
        program += [instruction(0x15, 0, 1, number), instruction(0x06, 0, 0, _PRETEND)]
    program += [instruction(0x15, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
    return b"".join(program + [instruction(0x06, 0, 0, 0x7FFF0000), instruction(0x06, 0, 0, 0x7FC00000)])


def step_aside() -> None:
    """In the code process: it and all that it starts stay on half of the processors."""
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        raise OSError(errno.ENOTSUP, "there is only one processor")
    os.sched_setaffinity(0, usable[(len(usable) + 1) // 2 :])


def install(keeps_processors: bool = False) -> int:
    """In the code process: from here on each call waits for the listener, which this returns."""
    code = _filter(keeps_processors)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    for flags in (_NEW_LISTENER | _WAIT_KILLABLE, _NEW_LISTENER):
        try:
            return linux.syscall(
                linux.NUMBERS["seccomp"], ctypes.c_uint(1), ctypes.c_uint(flags), program, what="seccomp listener"
            )
        except OSError as error:
            failed = error  # a kernel older than the second flag
    raise failed


class Observer:
    """The warden's side."""

    def __init__(self, listener: int, pid: int) -> None:
        self._listener = listener
        try:
            # Caller and observer take turns: a wake-up on the same processor is the quicker one.
            fcntl.ioctl(listener, _SET_FLAGS, _SAME_CPU)
        except OSError:
            pass  # a kernel older than 6.6
        self._memory = {}  # thread: its memory
        self._program_of: dict[int, int | tuple[int | None] | None] = {pid: None}
        self._programs, self._paths, self._bytes, self._truncated = [], {}, 0, False

    def fileno(self) -> int:
        return self._listener

    def take(self) -> bool:
        """One call that waits. False: no process is left that could make one."""
        notice = bytearray(_NOTICE.size)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, notice)
        except FileNotFoundError:
            return True  # it was killed meanwhile
        except OSError:
            return False
        identity, thread, _, number, _, _, *arguments = _NOTICE.unpack(notice)
        try:
            self._note(thread, _BY_NUMBER[number], arguments)
        except PermissionError:
            self._truncated = True  # it may not be looked into (PR_SET_DUMPABLE): what it asks for is left out
        except (OSError, KeyError, ValueError):
            pass  # it is gone, or has no such path: the call will say so itself
        try:
            fcntl.ioctl(self._listener, _SEND, bytearray(_ANSWER.pack(identity, 0, 0, _GO_ON)))
        except OSError:
            pass
        return True

    def _note(self, thread: int, call: Call, arguments: list[int]) -> None:
        what, path_at, directory_at, flags_at = call
        path = self._read_path(thread, arguments[path_at])
        is_new = isinstance(self._program_of.get(thread), tuple)
        # Most calls are such: each of them keeps its caller waiting.
        if what == "open" and not is_new and path.startswith(_SYSTEM_BYTES) and b"/.." not in path:
            return
        if not path.startswith(b"/"):
            path = os.path.join(
                self._directory(thread, arguments[directory_at] if directory_at is not None else _AT_FDCWD), path
            )
        path = os.fsdecode(path)
        if what == "exec":
            self._note_execution(thread, path)
            return
        if is_new:
            self._program(thread)  # a program that asks nothing of the workspace is listed as well
        flags = arguments[flags_at] if flags_at is not None else 0
        for name in self._names(thread, path, follow=not flags & os.O_NOFOLLOW):
            self._note_opening(self._program(thread), name, flags)

    def _names(self, thread: int, path: str, follow: bool = True) -> list[str]:
        """The names of the workspace that a path has: as it is written, and where its links lead."""
        plain = os.path.normpath(path)
        if plain.startswith(_SYSTEM) and "/.." not in path:
            return []
        names = dict.fromkeys((plain, self._resolve(thread, path, follow)))
        return [name for name in names if name.startswith(ROOT + "/")]

    def _resolve(self, thread: int, path: str, follow: bool = True) -> str:
        """As the thread sees it: its /proc/self is another than that of this process."""
        parts, place, links = path.split("/")[::-1], "", 0
        while parts:
            part = parts.pop()
            if part in ("", "."):
                continue
            if part == "..":
                place = place[: max(0, place.rfind("/"))]
                continue
            if place == "/proc" and part in ("self", "thread-self"):
                part = "%d" % thread
            place = "%s/%s" % (place, part)
            if not (parts or follow):
                break
            try:
                target = os.readlink(place)
            except OSError:
                continue
            links += 1
            if links > _MOST_LINKS:
                raise OSError("too many links")
            place = "" if target.startswith("/") else place[: place.rfind("/")]
            parts.extend(target.split("/")[::-1])
        return place

    def _note_execution(self, thread: int, path: str) -> None:
        names = self._names(thread, path)
        if not os.path.exists(self._resolve(thread, path)):
            for name in names:
                self._add(self._program(thread), "missing", name)
            return
        program = self._program(thread)
        for name in names:
            self._add(program, "exec", name)
        self._close_memory(thread)  # what comes next has a memory of its own
        self._program_of[thread] = (program,)

    def _note_opening(self, program: int | None, path: str, flags: int) -> None:
        try:
            is_directory = os.path.isdir(path) if os.lstat(path) else False
        except (FileNotFoundError, NotADirectoryError):
            if not flags & os.O_CREAT:
                self._add(program, "missing", path)
                return
            is_directory = False
        if not is_directory and not flags & os.O_PATH:
            self._add(program, "write" if flags & (os.O_WRONLY | os.O_RDWR) else "read", path)

    def _add(self, program: int | None, how: str, path: str) -> None:
        key = program, how, path[len(ROOT) + 1 :]
        if key in self._paths:
            return
        self._bytes += len(path)
        if len(self._paths) >= MOST_PATHS or self._bytes > MOST_BYTES:
            self._truncated = True
        else:
            self._paths[key] = None

    def _read_path(self, thread: int, address: int) -> bytes:
        memory = self._memory.get(thread)
        if memory is None:
            if len(self._memory) >= _MOST_OPEN:
                self._close_memory(next(iter(self._memory)))
            memory = self._memory[thread] = os.open("/proc/%d/mem" % thread, os.O_RDONLY | os.O_CLOEXEC)
        text = os.pread(memory, 256, address)
        if b"\0" not in text:
            text = os.pread(memory, 4096, address)
        return text.split(b"\0", 1)[0]

    def _close_memory(self, thread: int) -> None:
        memory = self._memory.pop(thread, None)
        if memory is not None:
            os.close(memory)

    def _directory(self, thread: int, descriptor: int) -> bytes:
        descriptor &= 0xFFFFFFFF
        name = "cwd" if descriptor == _AT_FDCWD else "fd/%d" % descriptor
        return os.readlink(b"/proc/%d/%s" % (thread, name.encode()))

    def _program(self, thread: int) -> int | None:
        """Where its program stands in the list; a tuple holds the one that executed it. None: the code process
        itself."""
        known = self._program_of.get(thread)
        if isinstance(known, int):
            return known
        if known is None and thread in self._program_of:
            return None
        with open("/proc/%d/status" % thread, "rb") as file:
            facts = dict(line.split(b":", 1) for line in file.read().split(b"\n") if b":" in line)
        process, parent = int(facts[b"Tgid"]), int(facts[b"PPid"])
        if known is None and process != thread:
            number = self._program(process)
        else:
            number = self._add_program(thread, known[0] if known else self._program(parent) if parent > 1 else None)
        self._program_of[thread] = number
        return number

    def _add_program(self, thread: int, parent: int | None) -> int:
        if len(self._programs) >= MOST_PROGRAMS or self._bytes > MOST_BYTES:
            self._truncated = True
            return len(self._programs) - 1
        with open("/proc/%d/cmdline" % thread, "rb") as file:
            arguments = file.read(ARGUMENT_BYTES).rstrip(b"\0").split(b"\0")
        directory = os.readlink("/proc/%d/cwd" % thread)
        searched = self._searched(thread, directory)
        self._bytes += sum(map(len, arguments)) + sum(map(len, searched))
        self._programs.append(
            {
                "program": os.readlink("/proc/%d/exe" % thread),
                "parent": parent,
                "directory": directory,
                "arguments": [os.fsdecode(each) for each in arguments],
                "searched": searched,
            }
        )
        return len(self._programs) - 1

    def _searched(self, thread: int, directory: str) -> list[str]:
        """Directories of the workspace in which this program looks for others by their names."""
        with open("/proc/%d/environ" % thread, "rb") as file:
            variables = file.read(ENVIRONMENT_BYTES).split(b"\0")
        entries = [os.fsdecode(each[5:]).split(":") for each in variables if each.startswith(b"PATH=")]
        places = [os.path.normpath(os.path.join(directory, entry)) for entry in (entries[0] if entries else ())]
        return [place[len(ROOT) + 1 :] for place in places if place == ROOT or place.startswith(ROOT + "/")]

    def close(self) -> None:
        for thread in list(self._memory):
            self._close_memory(thread)
        os.close(self._listener)

    def report(self) -> Json:
        return {"programs": self._programs, "paths": [list(key) for key in self._paths], "truncated": self._truncated}
