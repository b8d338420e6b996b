"""Where a process is held while copies of it are made."""

from __future__ import annotations

import errno
import os
import signal
import struct

from sessions.tracee import Lost, Tracee

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

# For an interpreter to come to its fork point, and for each copy of it; ten times what a busy machine takes.
PATIENCE_S = 10.0
# A program that can't call `setns` reads so many bytes from its channel in place of that, and gets none.
READ_BYTES = 8191
_CHANNEL = 3
_PR_GET_TID_ADDRESS = 40
_LOWEST, _DO_FORK = 4096, 11


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


def hold_at_read(pid: int, ask: Callable[[], object], use: Callable[[Tracee, int, int], None]) -> None:
    """The same for a program with threads that a copy can do without, such as Node: they are held as well, so that none
    of them can touch what the process is made to do."""
    original = Tracee(pid)
    previous = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    threads: dict[int, Tracee] = {}
    is_held = False
    try:
        original.seize()
        original.stop()
        ask()
        buffer = original.await_read(_CHANNEL, READ_BYTES)
        is_held = True
        _hold_threads(pid, threads)
        original.call("prctl", _PR_GET_TID_ADDRESS, buffer)
        (thread_id,) = struct.unpack("Q", original.read(buffer, 8))
        _let_fork(original)
        use(original, buffer, thread_id)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        for thread in threads.values():
            thread.let_go(is_stopped=True)
        original.release(0) if is_held else original.let_go()


def _hold_threads(pid: int, threads: dict[int, Tracee]) -> None:
    """Until there is none that is not held: one may have started another meanwhile."""
    while True:
        fresh = [int(name) for name in os.listdir("/proc/%d/task" % pid) if int(name) not in (pid, *threads)]
        for number in fresh:
            thread = Tracee(number)
            thread.seize()
            threads[number] = thread
            thread.stop()
        if not fresh:
            return


def _let_fork(original: Tracee) -> None:
    """V8 keeps its memory out of forks: a program that is started from it has no use for it. A copy has."""
    with open("/proc/%d/maps" % original.pid) as lines:
        ends = [line.split("-", 1)[0] for line in lines if "[vvar" in line]
    if not ends:
        raise Lost("its memory does not end as it should")
    try:
        original.call("madvise", _LOWEST, int(ends[0], 16) - _LOWEST, _DO_FORK)
    except OSError as error:
        if error.errno != errno.ENOMEM:  # between its parts there is none, which is no matter
            raise


def _give_up(number: int, frame: FrameType | None) -> NoReturn:
    raise Lost("it did not come to its fork point in time")
