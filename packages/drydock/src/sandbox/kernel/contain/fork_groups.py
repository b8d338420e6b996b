"""Control groups of forks. Only the maker of a fork server's groups can make more: the broker makes them, on request
of the wardens. A group belongs to the fork whose processes are in it, and is free once it is empty."""

from __future__ import annotations

import time

from contain.cgroups import SlotV1, SlotV2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contain.cgroups import Groups
    from shapes import Json

FIRST = 100_000
# A group that was handed out and is still empty: its fork was never made.
GIVEN_FOR_S = 30.0
_FILES = (
    "_limit",
    "_swap",
    "_peak",
    "_stat",
    "_kernel",
    "_reclaim",
    "_oom",
    "_pids",
    "_pid_events",
    "_pid_count",
    "_cpu",
)


class ForkGroups:
    """The broker's side."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._made: dict[int, SlotV1] = {}
        self._given: dict[int, float] = {}

    def give(self) -> tuple[list[int], Json]:
        """Descriptors of the files of an empty group, and what tells which is which."""
        number = self._find_empty()
        slot = self._made[number]
        self._given[number] = time.monotonic()
        files = [name for name in _FILES if getattr(slot, name) is not None]
        return [getattr(slot, name) for name in files], {
            "group": number,
            "files": files,
            "unified": isinstance(slot, SlotV2),
        }

    def attach(self, number: int, pid: int) -> None:
        self._made[number].attach(pid)
        self._given.pop(number, None)

    def _find_empty(self) -> int:
        now = time.monotonic()
        for number, slot in self._made.items():
            if now - self._given.get(number, -GIVEN_FOR_S) >= GIVEN_FOR_S and slot.processes() == 0:
                return number
        number = FIRST + len(self._made)
        self._made[number] = self._groups.open_slot(number, None, None)
        return number


def adopt(facts: Json, descriptors: list[int]) -> SlotV1:
    """The warden's side: makes the group usable like that of any other slot."""
    kind = SlotV2 if facts["unified"] else SlotV1
    slot = kind.__new__(kind)
    opened = dict(zip(facts["files"], descriptors))
    for name in _FILES:
        setattr(slot, name, opened.get(name))
    return slot
