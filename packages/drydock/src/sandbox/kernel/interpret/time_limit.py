"""Limits how long objects of the program's own making may take to answer."""

from __future__ import annotations

import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from shapes import T

# Time limit of a program's own __repr__ or __str__.
SECONDS = 2.0


class TimeLimitReached(BaseException):
    """Raised by the alarm; no Exception, so that a program's `except Exception` does not swallow it."""


class _Alarm:
    """Interrupts what runs after `arm` when SECONDS have passed, where signals can be had (the main thread).

    It repeats, for code that swallows the first. What no Python signal can interrupt is left to the run's deadline.
    """

    def __init__(self) -> None:
        self.active = False
        self.handler = self.timer = None

    def arm(self) -> None:
        try:
            self.handler = signal.signal(signal.SIGALRM, self.ring)
        except ValueError:  # another thread than the main one
            return
        self.active = True
        self.timer = signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.05)

    def ring(self, _signal: int, _frame: object) -> None:
        if self.active:
            raise TimeLimitReached()

    def disarm(self) -> None:
        if self.handler is not None:
            self.active = False
            signal.setitimer(signal.ITIMER_REAL, *(self.timer or (0,)))
            signal.signal(signal.SIGALRM, self.handler)


def run_limited(task: Callable[[], T], otherwise: Callable[[BaseException], T]) -> T:
    """task(), or what `otherwise` makes of its failure; nothing that the program's objects do gets out of here."""
    alarm = _Alarm()
    outcome: tuple[T] | None = None
    failure: BaseException = TimeLimitReached()
    try:
        alarm.arm()
        outcome = (task(),)
    except BaseException as error:
        failure = error
    while True:
        try:
            alarm.disarm()
            break
        except TimeLimitReached:  # It rang between two instructions; the next ring is far.
            continue
        except BaseException:
            break
    # Only now: on a busy machine the alarm rings again while a failure is handled.
    return otherwise(failure) if outcome is None else outcome[0]
