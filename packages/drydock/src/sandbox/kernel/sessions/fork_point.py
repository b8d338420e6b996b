"""Where a process is held while copies of it are made."""

from __future__ import annotations

import signal

from sessions.tracee import Lost, Tracee

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

# For an interpreter to come to its fork point, and for each copy of it; ten times what a busy machine takes.
PATIENCE_S = 10.0


def hold_at_fork_point(pid: int, ask: Callable[[], object], use: Callable[[Tracee, int, int], None]) -> None:
    """Holds the process where it can be copied; `ask` makes it go there. It goes on when `use` has returned."""
    original = Tracee(pid)
    previous = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    is_stopped = False
    try:
        original.seize()
        ask()
        _, _, buffer, thread_id, *_ = original.await_fork_point()
        is_stopped = True
        use(original, buffer, thread_id)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        original.release(0) if is_stopped else original.let_go()


def _give_up(number: int, frame: FrameType | None) -> NoReturn:
    raise Lost("it did not come to its fork point in time")
