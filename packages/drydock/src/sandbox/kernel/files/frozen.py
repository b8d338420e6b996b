"""The files of a session at the moment of a fork, for its forks to stand on: each has them below a layer of its own.

They are copied once for all forks of one state, as an overlay must not change under who uses it, and the session goes
on. Nothing of the session can reach the copies."""

from __future__ import annotations

import os
import shutil
import stat

from files import capture
from files.merged import Merged
from files.snapshots import INNER_UID, NEW_FILE, OPEN_DIRECTORY, OPEN_FILE, copy_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_OPAQUE = "user.overlay.opaque"


class Frozen:
    """A directory of the session's scratch with one copy of each place that is not empty."""

    def __init__(self, scratch: int, name: str) -> None:
        self._store, self.name = scratch, name
        self.users: list[int] = []
        self.paths: dict[str, str] = {}
        os.mkdir(name, 0o700, dir_fd=scratch)

    def keep_layer(self, top: int, below: int | None) -> None:
        """What the session has changed of its workspace, in the words of an overlay."""
        merged = Merged(top, below) if below is not None else None
        self._copy("work", top, merged.walk() if merged else capture.walk(top), merged)

    def keep_place(self, name: str, path: str) -> None:
        root = os.open(path, OPEN_DIRECTORY)
        try:
            self._copy(name, root, capture.walk(root), None)
        finally:
            os.close(root)

    def _copy(self, name: str, root: int, entries: Iterable[tuple[str, str, int]], merged: Merged | None) -> None:
        target = None
        try:
            for path, entry, parent in entries:
                if target is None:
                    target = self._make_target(name, root)
                _copy_entry(path, entry, parent, target)
            for path in merged.opaque if merged and target is not None else ():
                os.setxattr("/proc/self/fd/%d/%s" % (target or 0, path), _OPAQUE, b"y")
        finally:
            if target is not None:
                os.close(target)

    def _make_target(self, name: str, root: int) -> int:
        path, found = "%s/%s" % (self.name, name), os.fstat(root)
        os.mkdir(path, 0o700, dir_fd=self._store)
        target = os.open(path, OPEN_DIRECTORY, dir_fd=self._store)
        os.fchown(target, INNER_UID, INNER_UID)
        os.fchmod(target, stat.S_IMODE(found.st_mode))
        self.paths[name] = path
        return target

    def drop(self) -> None:
        shutil.rmtree(self.name, dir_fd=self._store)


def _copy_entry(path: str, name: str, parent: int, target: int) -> None:
    try:
        found = os.lstat(name, dir_fd=parent)
    except FileNotFoundError:
        return
    kind, mode = stat.S_IFMT(found.st_mode), stat.S_IMODE(found.st_mode)
    if kind == stat.S_IFREG:
        source = os.open(name, OPEN_FILE, dir_fd=parent)
        try:
            copy = os.open(path, NEW_FILE, 0o600, dir_fd=target)
            os.fchmod(copy, mode)
            os.fchown(copy, INNER_UID, INNER_UID)
            copy_bytes(source, copy, found.st_size, found.st_mtime_ns)
        finally:
            os.close(source)
        return
    if kind == stat.S_IFDIR:
        os.mkdir(path, 0o700, dir_fd=target)
        os.chmod(path, mode, dir_fd=target)
        if capture.is_opaque(name, parent):
            os.setxattr("/proc/self/fd/%d/%s" % (target, path), _OPAQUE, b"y")
    elif kind == stat.S_IFLNK:
        os.symlink(os.readlink(name, dir_fd=parent), path, dir_fd=target)
    elif kind == stat.S_IFCHR and found.st_rdev == 0:
        os.mknod(path, stat.S_IFCHR, 0, dir_fd=target)
        return
    else:
        return  # a socket or a pipe: who was at its other end is not there any more
    os.chown(path, INNER_UID, INNER_UID, dir_fd=target, follow_symlinks=False)
