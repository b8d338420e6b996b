"""The limits of a run as this side holds them: one row each. Their keys in the policy, their defaults and the words
about them are in the host's table, `packages/protocol/src/limits.ts`; a test compares the two.

The deadline and the allowance for output are kept by who attends the run. All others follow from their rows."""

from __future__ import annotations

import resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from shapes import Ending, Limits, Meter


class Limit:
    """`name` is the limit's name in reports to the host, `key` its value's name in a request, `rehearsed` a value for
    rehearsals, which stay below it.

    `kind` is the kernel's limit for each process, `signal` what the kernel sends to a process that exceeds it. The
    limits of the whole run must be reached first, because they are reported: `margin` is how much higher the kernel's
    limit is.

    `measure` says how much all processes use together, in the unit of the request; it is looked at while the run
    lasts. It may stop counting once it is above the most that is allowed."""

    def __init__(
        self,
        name: str,
        key: str,
        rehearsed: float,
        kind: int | None = None,
        margin: int = 0,
        signal: str | None = None,
        measure: Callable[[Meter, float], float] | None = None,
    ) -> None:
        self.name, self.key, self.rehearsed = name, key, rehearsed
        self.kind, self.margin, self.signal, self.measure = kind, margin, signal, measure

    def reached(self, limits: Limits) -> Ending:
        return {"kind": "limit", "limit": self.name, "value": limits[self.key]}


TIMEOUT = Limit("timeout", "wallSeconds", 1)
OUTPUT = Limit("output", "outputBytes", 64)
MEMORY = Limit("memory", "memoryBytes", 1 << 40, measure=lambda meter, most: meter.memory_bytes(most))
CPU = Limit(
    "cpu",
    "cpuSeconds",
    1 << 20,
    kind=resource.RLIMIT_CPU,
    margin=1,
    signal="SIGXCPU",
    measure=lambda meter, most: meter.cpu_ns() / 1e9,
)
# The two processes more are the warden and the bridge, which as an ordinary user are the same user as the code.
PROCESSES = Limit("processes", "processes", 1, kind=resource.RLIMIT_NPROC, margin=2)
DISK = Limit("disk", "diskBytes", 1 << 20, kind=resource.RLIMIT_FSIZE, signal="SIGXFSZ")
FILES = Limit("files", "openFiles", 1, kind=resource.RLIMIT_NOFILE)

LIMITS = (TIMEOUT, OUTPUT, MEMORY, CPU, PROCESSES, DISK, FILES)

# What follows is made once, when the fork server starts: the request path reads it only.
RESOURCES = tuple((limit.kind, limit.key, limit.margin) for limit in LIMITS if limit.kind is not None)
WATCHED = tuple((limit, limit.measure) for limit in LIMITS if limit.measure is not None)
REHEARSED = {limit.key: limit.rehearsed for limit in LIMITS}


def find_exceeded(meter: Meter, limits: Limits) -> Ending | None:
    for limit, measure in WATCHED:
        most = limits[limit.key]
        if measure(meter, most) > most:
            return limit.reached(limits)
    return None


def limit_by_signal(signal: str | None, limits: Limits) -> Limit | None:
    """Where two limits are held by one of the kernel's, it was the lower."""
    sent = [limit for limit in LIMITS if limit.signal is not None and limit.signal == signal]
    return min(sent, key=lambda limit: limits[limit.key]) if sent else None


def limit_process(pid: int, wanted: Iterable[tuple[int, float]]) -> None:
    """From outside. No limit is raised: of two for the same kind, the lower holds."""
    for kind, amount in wanted:
        ceiling = resource.prlimit(pid, kind)[1]
        value = int(amount) if ceiling == resource.RLIM_INFINITY else min(int(amount), ceiling)
        resource.prlimit(pid, kind, (value, value))
