"""What `signal` wraps: the same calls, with numbers where that has members of enumerations."""

from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

SIG_DFL: int
SIG_IGN: int
SIG_BLOCK: int
SIG_SETMASK: int
SIG_UNBLOCK: int
SIGCHLD: int
SIGINT: int
SIGQUIT: int
SIGTERM: int

def default_int_handler(signalnum: int, frame: FrameType | None, /) -> None: ...
def getsignal(signalnum: int, /) -> Any: ...
def pthread_sigmask(how: int, mask: Iterable[int], /) -> set[int]: ...
def set_wakeup_fd(fd: int, /, *, warn_on_full_buffer: bool = ...) -> int: ...
def signal(signalnum: int, handler: Callable[[int, FrameType | None], Any] | int | None, /) -> Any: ...
def valid_signals() -> set[int]: ...
