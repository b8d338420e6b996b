"""The control groups of a fork server's slots."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contain.cgroups import Groups, SlotV1


class SlotTable:
    """Slots by number, made when one is first used."""

    def __init__(self, groups: Groups, processes: int) -> None:
        self._groups, self._processes, self._opened = groups, processes, {}

    def __getitem__(self, slot: int) -> SlotV1:
        if slot not in self._opened:
            self._opened[slot] = self._groups.open_slot(slot, 64 << 20, self._processes)
        return self._opened[slot]

    def descriptors(self) -> list[int]:
        """Of all groups, and of those slots that are open."""
        return [*self._groups.descriptors(), *(each for slot in self._opened.values() for each in slot.descriptors())]

    def look_at(self, slot: int) -> SlotV1:
        """For who reads what a group says, and leaves its limits to others."""
        if slot not in self._opened:
            self._opened[slot] = self._groups.open_slot(slot, None, None)
        return self._opened[slot]
