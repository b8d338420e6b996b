"""The terminal of a run: a pair whose one end the warden holds, and whose other end is the program's controlling
terminal. It is one of the member's own instance, which no other run can open."""

from __future__ import annotations

import fcntl
import os
import struct
import termios

from contain.steps import INNER_UID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import CodeEnds, Json, MountedMember

MULTIPLEXER = "/dev/pts/ptmx"
_SIZE = struct.Struct("HHHH")
_UNLOCK, _NUMBER = 0x40045431, 0x80045430  # TIOCSPTLCK, TIOCGPTN


def open_for(member: MountedMember, code: CodeEnds, size: Json) -> str:
    """Puts the warden's end into the place of the pipes, and returns the path of the other. That one stays open here as
    well, so that a program can close it and open it again without an end of the output between."""
    master = os.open(MULTIPLEXER, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    fcntl.ioctl(master, _UNLOCK, struct.pack("i", 0))
    number = struct.unpack("i", fcntl.ioctl(master, _NUMBER, bytes(4)))[0]
    path = "/dev/pts/%d" % number
    set_size(master, size)
    if not member.rootless:
        os.chown(path, INNER_UID, INNER_UID)
    member.terminal = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    code.close_input()
    os.close(code.out)
    code.out, code.input = master, os.dup(master)
    return path


def set_size(master: int, size: Json) -> None:
    """Who has changed it tells nobody: the kernel sends SIGWINCH to the programs in the foreground."""
    columns, rows = (max(1, min(int(size[name]), 65535)) for name in ("columns", "rows"))
    fcntl.ioctl(master, termios.TIOCSWINSZ, _SIZE.pack(rows, columns, 0, 0))


def enter(path: str) -> None:
    """In the code process, which leads its session: what it opens becomes its controlling terminal."""
    descriptor = os.open(path, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(descriptor, number)
    if descriptor > 2:
        os.close(descriptor)
