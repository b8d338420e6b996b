"""After a run, when nothing of it is alive: what it left in its directory, entry by entry, for the host."""

from __future__ import annotations

import errno
import os
import stat

import plain_json as json
from frames import CONTENT, ENTRY, pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from files.merged import Merged
    from shapes import Json, Socket, Stamp

CHUNK = 1 << 20
MAX_DEPTH = 200


class TooLarge(OSError):
    """More than the limit on disk allows, or directories nested deeper than a path can name."""


def send_changes(*request: Any, **more: Any) -> None:
    for _ in stream_changes(*request, **more):
        pass


def stream_changes(
    connection: Socket,
    root: int,
    limit_bytes: int,
    skip: Iterable[str] = (),
    known: dict[str, Stamp] | None = None,
    merged: Merged | None = None,
) -> Iterator[None]:
    """Stops after each message, for who has something else to do meanwhile. `root` is a descriptor of the directory.
    Contents of one inode are sent once; later names refer to the first. `known` remembers, for a session, what was sent
    before: only what differs is sent again. `merged` takes the place of `root` where that is a layer upon another."""
    sent = {}
    budget = limit_bytes
    for path, name, parent in merged.walk() if merged else walk(root, skip=frozenset(skip)):
        try:
            entry, stamp, content = _look(path, name, parent)
            if merged and path in merged.opaque:
                entry["opaque"] = True
        except (FileNotFoundError, NotADirectoryError):
            continue  # it went away meanwhile
        try:
            inode = stamp and stamp[:2]
            if inode in sent:
                entry["same"] = sent[inode]
            elif content is not None:
                sent[inode] = path
                if known is not None and known.get(path) == stamp:
                    entry["unchanged"] = True
                else:
                    budget -= entry["size"]
                    if budget < 0:
                        raise TooLarge(path)
            connection.sendall(pack(ENTRY, json.dumps(entry).encode()))
            yield
            if content is not None and "same" not in entry and "unchanged" not in entry:
                yield from _send_content(connection, content, entry["size"])
                if known is not None:
                    known[path] = stamp
        finally:
            if content is not None:
                os.close(content)


def _look(path: str, name: str, parent: int) -> tuple[Json, tuple[int, ...] | None, int | None]:
    """(entry, stamp, descriptor): the last two of a regular file only, which is what was opened, not what had that name
    before."""
    found = os.lstat(name, dir_fd=parent)
    entry = {"path": path, "mode": stat.S_IMODE(found.st_mode), "type": "other"}
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFREG:
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=parent)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):
                return entry, None, None
            raise
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            return entry, None, None
        entry.update(type="file", size=found.st_size, mode=stat.S_IMODE(found.st_mode))
        return entry, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns), descriptor
    if kind == stat.S_IFDIR:
        entry.update(type="directory", opaque=is_opaque(name, parent))
    elif kind == stat.S_IFLNK:
        entry.update(type="symlink", target=os.readlink(name, dir_fd=parent))
    elif kind == stat.S_IFCHR and found.st_rdev == 0:
        entry.update(type="whiteout")
    return entry, None, None


def walk(
    directory: int, prefix: str = "", skip: frozenset[str] = frozenset(), depth: int = 0
) -> Iterator[tuple[str, str, int]]:
    """Depth first, by descriptors: no path is ever resolved twice, and no link is followed. What is gone by the time
    that it is looked at (in a session, processes of earlier steps may still be at work) is left out."""
    if depth > MAX_DEPTH:
        raise TooLarge(prefix)
    for entry in sorted(os.scandir(directory), key=lambda item: item.name):
        path = prefix + entry.name
        if path in skip:
            continue
        yield path, entry.name, directory
        if entry.is_dir(follow_symlinks=False):
            try:
                below = os.open(
                    entry.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory
                )
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                    continue
                raise
            try:
                yield from walk(below, path + "/", skip, depth + 1)
            finally:
                os.close(below)


def is_opaque(name: str, parent: int) -> bool:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    except OSError:
        return False
    try:
        return os.getxattr(descriptor, "user.overlay.opaque") == b"y"
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _send_content(connection: Socket, descriptor: int, size: int) -> Iterator[None]:
    """As much as there was when it was looked at, and an empty chunk as its end."""
    while size > 0:
        data = os.read(descriptor, min(CHUNK, size))
        if not data:
            break
        size -= len(data)
        connection.sendall(pack(CONTENT, data))
        yield
    connection.sendall(pack(CONTENT))
