"""Two layers of an overlay as one: what a fork changed, above what its session had changed before it."""

from __future__ import annotations

import os
import stat

from files.capture import MAX_DEPTH, TooLarge, is_opaque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OPEN_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Merged:
    """Both are descriptors of directories. `opaque` are the directories of the result that hide what lies below both
    layers, of those that the upper layer alone does not tell of."""

    def __init__(self, top: int, below: int) -> None:
        self._top, self._below = top, below
        self.opaque: set[str] = set()

    def walk(self) -> Iterator[tuple[str, str, int]]:
        """Like `capture.walk`."""
        yield from self._walk(self._top, self._below, "", 0)

    def _walk(self, top: int | None, below: int | None, prefix: str, depth: int) -> Iterator[tuple[str, str, int]]:
        if depth > MAX_DEPTH:
            raise TooLarge(prefix)
        above, under = _names(top), _names(below)
        for name in sorted(above | under):
            path = prefix + name
            in_top = name in above
            directory = top if in_top else below
            assert directory is not None  # the name is in one of them
            upper = _enter(name, top) if in_top else None
            hides = in_top and (upper is None or is_opaque(name, directory))
            lower = None if hides else _enter(name, below)
            if in_top and lower is not None and below is not None and is_opaque(name, below):
                self.opaque.add(path)
            try:
                yield path, name, directory
                if upper is not None or lower is not None:
                    yield from self._walk(upper, lower, path + "/", depth + 1)
            finally:
                for descriptor in (upper, lower):
                    if descriptor is not None:
                        os.close(descriptor)


def _names(directory: int | None) -> set[str]:
    return set() if directory is None else set(os.listdir(directory))


def _enter(name: str, directory: int | None) -> int | None:
    """None of what is no directory, or is gone."""
    try:
        if directory is not None and stat.S_ISDIR(os.lstat(name, dir_fd=directory).st_mode):
            return os.open(name, OPEN_DIRECTORY, dir_fd=directory)
    except OSError:
        pass
    return None
