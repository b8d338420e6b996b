"""The files of a session, as they were after each step. A snapshot copies only what changed since the last one.

Processes of earlier steps may be alive and swap what is copied for links or pipes meanwhile. So every path is opened
below a directory that is held by descriptor, no link is followed on the way, and what was opened is looked at again."""

from __future__ import annotations

import errno
import os
import shutil
import stat

import linux
from files import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from shapes import Manifest

OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
OPEN_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
INNER_UID = 1000
CHUNK = 1 << 20


class Snapshots:
    """`top` is the descriptor of the directory that holds what the session wrote (an overlay's upper layer, or the work
    directory itself); `lower` that of the user's directory, if there is one. Restoring goes through /work, the merged
    view: an overlay's layers must not be changed behind its back."""

    def __init__(self, top: int, lower: int | None, store: int) -> None:
        self._top, self._lower, self._store = top, lower, store
        self._work = os.open("/work", OPEN_DIRECTORY)
        self._copies = {}
        self._next = 0

    def take(self) -> Manifest:
        """A manifest: path to (kind, mode, what)."""
        return self._list(copy=True)

    def forget(self, kept: list[Manifest]) -> None:
        """Drops the copies that none of the manifests in `kept` needs."""
        needed = {entry[2] for manifest in kept for entry in manifest.values() if entry[0] == "file"}
        for key in [key for key in self._copies if key not in needed]:
            os.unlink("%d" % self._copies.pop(key), dir_fd=self._store)

    def restore(self, manifest: Manifest) -> None:
        now = self._list(copy=False)
        for path in sorted(set(now) - set(manifest), key=len, reverse=True):
            self._restore_below(path)
        for path in sorted(manifest, key=len):
            if now.get(path) != manifest[path]:
                self._put(path, *manifest[path])
        for path, (kind, _, opaque) in now.items():
            if kind == "directory" and opaque and manifest.get(path, (kind, 0, False))[2] is False:
                self._refill(path, manifest)

    def _refill(self, path: str, manifest: Manifest) -> None:
        """The step deleted this directory and made it again: what lay below is hidden for good, and is copied."""
        if self._lower is None:
            return
        try:
            with _Place(self._lower, path) as source, _Place(self._work, path) as target:
                for name in source.names():
                    if path + "/" + name not in manifest:
                        with source.below(name) as inner_source, target.below(name) as inner_target:
                            if not inner_target.exists():
                                _copy_entry(inner_source, inner_target)
        except (FileNotFoundError, NotADirectoryError):
            pass  # there was no directory below

    def _list(self, copy: bool) -> Manifest:
        found = {}
        for path, name, parent in capture.walk(self._top):
            try:
                found[path] = self._describe(name, parent, copy)
            except (FileNotFoundError, NotADirectoryError):
                continue  # it went away meanwhile
        return found

    def _describe(self, name: str, parent: int, copy: bool) -> tuple[str, int, Any]:
        seen = os.lstat(name, dir_fd=parent)
        kind, mode = stat.S_IFMT(seen.st_mode), stat.S_IMODE(seen.st_mode)
        if kind == stat.S_IFLNK:
            return "symlink", 0, os.readlink(name, dir_fd=parent)
        if kind == stat.S_IFDIR:
            return "directory", mode, capture.is_opaque(name, parent)
        if kind == stat.S_IFREG:
            return self._describe_file(name, parent, copy)
        return "gone" if kind == stat.S_IFCHR and seen.st_rdev == 0 else "other", 0, None

    def _describe_file(self, name: str, parent: int, copy: bool) -> tuple[str, int, Any]:
        try:
            descriptor = os.open(name, OPEN_FILE, dir_fd=parent)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):
                return "other", 0, None  # it is a link or a socket by now
            raise
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                return "other", 0, None
            key = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            if copy and key not in self._copies:
                self._copies[key] = self._copy(descriptor, found.st_size)
            return "file", stat.S_IMODE(found.st_mode), key
        finally:
            os.close(descriptor)

    def _copy(self, source: int, size: int) -> int:
        """The number that the copy has as its name. A number is never used again: the copy may have failed half-way."""
        number, self._next = self._next, self._next + 1
        target = os.open("%d" % number, NEW_FILE, 0o600, dir_fd=self._store)
        try:
            copy_bytes(source, target, size)
        except OSError:
            os.unlink("%d" % number, dir_fd=self._store)
            raise
        return number

    def _restore_below(self, path: str) -> None:
        """The step made this path appear in the layer: what lay below shows again, or nothing."""
        with _Place(self._work, path) as target:
            if self._lower is None:
                target.remove()
                return
            try:
                with _Place(self._lower, path) as source:
                    _copy_entry(source, target)
            except (FileNotFoundError, NotADirectoryError):
                target.remove()
            except OSError as error:
                if error.errno != errno.ELOOP:
                    raise
                target.remove()

    def _put(self, path: str, kind: str, mode: int, what: Any) -> None:
        with _Place(self._work, path) as target:
            if kind == "directory":
                target.make_directory(mode)
            elif kind == "symlink":
                target.make_link(what)
            elif kind == "gone":
                target.remove()
            elif kind == "file":
                source = os.open("%d" % self._copies[what], OPEN_FILE, dir_fd=self._store)
                try:
                    target.make_file(source, mode, what[2])
                finally:
                    os.close(source)
            # Else a socket or a pipe: nothing that content could bring back.


class _Place:
    """A name in a directory that is held open."""

    def __init__(self, root: int, path: str) -> None:
        directory, self.name = os.path.split(path)
        self.parent = linux.open_beneath(root, directory or ".", OPEN_DIRECTORY)

    def __enter__(self) -> _Place:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.parent)

    def look(self) -> os.stat_result:
        return os.lstat(self.name, dir_fd=self.parent)

    def remove(self) -> None:
        try:
            if stat.S_ISDIR(self.look().st_mode):
                shutil.rmtree(self.name, dir_fd=self.parent)
            else:
                os.unlink(self.name, dir_fd=self.parent)
        except FileNotFoundError:
            pass

    def make_directory(self, mode: int) -> bool:
        try:
            exists = stat.S_ISDIR(self.look().st_mode)
        except FileNotFoundError:
            exists = False
        if not exists:
            self.remove()
            os.mkdir(self.name, 0o700, dir_fd=self.parent)
        descriptor = os.open(self.name, OPEN_DIRECTORY, dir_fd=self.parent)
        os.fchmod(descriptor, mode)
        os.close(descriptor)
        self._give_away()
        return not exists

    def make_link(self, target: str) -> None:
        self.remove()
        os.symlink(target, self.name, dir_fd=self.parent)
        self._give_away()

    def make_file(self, source: int, mode: int, changed_ns: int) -> None:
        self.remove()
        descriptor = os.open(self.name, NEW_FILE, 0o600, dir_fd=self.parent)
        os.fchmod(descriptor, mode)
        os.fchown(descriptor, INNER_UID, INNER_UID)
        copy_bytes(source, descriptor, os.fstat(source).st_size, changed_ns)

    def _give_away(self) -> None:
        os.chown(self.name, INNER_UID, INNER_UID, dir_fd=self.parent, follow_symlinks=False)

    def exists(self) -> bool:
        try:
            self.look()
            return True
        except FileNotFoundError:
            return False

    def names(self) -> list[str]:
        descriptor = os.open(self.name, OPEN_DIRECTORY, dir_fd=self.parent)
        try:
            return os.listdir(descriptor)
        finally:
            os.close(descriptor)

    def below(self, name: str) -> _Place:
        return _Place(self.parent, "%s/%s" % (self.name, name))


def _copy_entry(source: _Place, target: _Place) -> None:
    found = source.look()
    mode = stat.S_IMODE(found.st_mode)
    if stat.S_ISDIR(found.st_mode):
        if target.make_directory(mode):
            for name in source.names():
                with source.below(name) as inner_source, target.below(name) as inner_target:
                    _copy_entry(inner_source, inner_target)
    elif stat.S_ISLNK(found.st_mode):
        target.make_link(os.readlink(source.name, dir_fd=source.parent))
    elif stat.S_ISREG(found.st_mode):
        descriptor = os.open(source.name, OPEN_FILE, dir_fd=source.parent)
        try:
            target.make_file(descriptor, mode, found.st_mtime_ns)
        finally:
            os.close(descriptor)


def copy_bytes(source: int, target: int, size: int, changed_ns: int | None = None) -> None:
    """No more than there was when it was looked at: a file that grows faster than it is copied must not keep us. Closes
    `target`."""
    try:
        while size > 0:
            data = os.read(source, min(CHUNK, size))
            if not data:
                break
            size -= len(data)
            while data:
                data = data[os.write(target, data) :]
        if changed_ns is not None:
            os.utime(target, ns=(changed_ns, changed_ns))
    finally:
        os.close(target)
