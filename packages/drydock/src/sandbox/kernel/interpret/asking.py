"""Standard input of code that somebody answers while it runs.

    "asks"   reads of Python's own streams that would wait ask the host first. Programs that the code starts, and
             processes that it forks, find the end of their input at once: nobody would know that they wait
    "stdin"  what the host sends, for everything in the step

A step's input is a socket that is made in the step's own process. No process of an earlier step can have inherited it,
and a socket can't be opened through /proc as a pipe can."""

from __future__ import annotations

import _socket
import io
import os
import select
import sys
import types

from frames import ASK, HIDDEN, READY
from interpret import interpreter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from shapes import CodeChannel

ASKS = "asks"


class Answers(io.RawIOBase):
    """Reads from `descriptor`, which it owns. Once closed, here or by the host, it is at its end."""

    name, mode = "<stdin>", "r"

    def __init__(self, descriptor: int, channel: CodeChannel) -> None:
        self._descriptor, self._channel = descriptor, channel
        self._is_asked = False

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0

    def readinto(self, buffer: Any, /) -> int:
        if self._descriptor < 0 or not self._channel.is_own():
            return 0
        self.ask()
        self._is_asked = False
        return os.readv(self._descriptor, [buffer])

    def ask(self, question: bytes = b"") -> None:
        """Unless somebody is asked already, or has answered."""
        if self._is_asked or self._descriptor < 0 or not self._channel.is_own():
            return
        waiting = select.poll()
        waiting.register(self._descriptor, select.POLLIN)
        if waiting.poll(0):
            return
        self._is_asked = True
        interpreter.flush()
        self._channel.send(ASK, question)

    def end(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class _Open:
    """The input of the step that runs, and the stream that it stands in for."""

    answers: Answers | None = None
    stream: Any = None
    before: Any = None
    knows_getpass = False


def offer_answers(channel: CodeChannel, descriptor: int) -> None:
    """From here on the code's reads are answered through this descriptor, which must not be inherited by programs."""
    _Open.answers = Answers(descriptor, channel)
    _replace_stream(_Open.answers)
    if not _Open.knows_getpass:
        _Open.knows_getpass = True
        if "getpass" in sys.modules:
            _hide_passwords(sys.modules["getpass"])
        else:
            sys.modules["getpass"] = _Getpass("getpass")


def take_over_input(channel: CodeChannel) -> None:
    """For a single run: its input becomes what is asked for, and nobody else's."""
    descriptor = os.dup(0)
    _read_nothing()
    offer_answers(channel, descriptor)


def open_for_step(channel: CodeChannel, kind: str) -> None:
    """In the step's own process: makes its input, and says that it is ready, with the other end."""
    ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    channel.give(READY, b"%d" % os.getpid(), theirs.fileno())
    theirs.close()
    if kind == ASKS:
        offer_answers(channel, ours.detach())
        return
    os.dup2(ours.fileno(), 0)
    ours.close()
    _replace_stream(io.FileIO(0, "r", closefd=False))


def end_step() -> None:
    """What the step left unread is nobody's."""
    if _Open.stream is None:
        return
    if _Open.answers is None:
        _read_nothing()
    else:
        _Open.answers.end()
    if sys.stdin is _Open.stream:
        sys.stdin = _Open.before
    if sys.__stdin__ is _Open.stream:
        sys.__stdin__ = _Open.before
    _Open.answers = _Open.stream = _Open.before = None


def _replace_stream(raw: Any) -> None:
    """One that the code has put in its place itself stays there."""
    _Open.before, _Open.stream = sys.__stdin__, interpreter.open_input(raw)
    if sys.stdin is _Open.before:
        sys.stdin = _Open.stream
    sys.__stdin__ = _Open.stream


def _read_nothing() -> None:
    nothing = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    os.close(nothing)


class _Getpass(types.ModuleType):
    """Stands for the module until something of it is used: it is not even looked for before."""

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        module: Any = self
        module.__class__ = types.ModuleType
        sys.modules.pop("getpass", None)
        import getpass

        _hide_passwords(getpass)
        module.__dict__.update(getpass.__dict__)
        return getattr(module, name)


def _hide_passwords(module: ModuleType) -> None:
    """Without a terminal the module warns that what is typed may be seen. Who is asked here knows to hide it."""

    def getpass(prompt: str = "Password: ", stream: Any = None, **_: Any) -> str:
        if _Open.answers is not None and sys.stdin is _Open.stream and stream is None:
            # The host prints the prompt: when it is seen, what is typed is hidden.
            _Open.answers.ask(HIDDEN + prompt.encode("utf-8", "backslashreplace"))
        else:
            out = stream or sys.stderr
            out.write(prompt)
            out.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError("EOF when reading a line")
        return line.rstrip("\n")

    if hasattr(module, "unix_getpass"):  # not a module of the code's own by that name
        module.__dict__["getpass"] = getpass
