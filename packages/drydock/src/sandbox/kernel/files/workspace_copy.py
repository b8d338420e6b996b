"""Where no overlay can be mounted: the user's directory is copied for the run, and what the run did is found by
comparison.

A file counts as untouched while its inode, size and times are those of the moment after it was copied. The copies carry
the times of their originals, so that any later write shows."""

from __future__ import annotations

import os
import shutil
import stat

import plain_json as json
from files import capture
from frames import ENTRY, pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from shapes import Socket, Stamp, Stamps


def copy_workspace(source: str, target: str, hide: Iterable[str], owner: int | None = None) -> Stamps:
    """What was copied, by path, each with its stamp. What can't be read, or is no file, directory or link, is left
    out."""
    copied = {}
    _copy_directory(source, target, "", frozenset(hide), owner, copied)
    return copied


def _copy_directory(
    source: str, target: str, prefix: str, hide: frozenset[str], owner: int | None, copied: Stamps
) -> None:
    found = os.stat(source)
    try:
        entries = sorted(os.scandir(source), key=lambda item: item.name)
    except PermissionError:
        entries = []
    for entry in entries:
        path = prefix + entry.name
        if path in hide:
            continue
        place = os.path.join(target, entry.name)
        try:
            if entry.is_dir(follow_symlinks=False):
                os.mkdir(place, 0o700)
                _copy_directory(entry.path, place, path + "/", hide, owner, copied)
            elif entry.is_file(follow_symlinks=False) or entry.is_symlink():
                _copy_leaf(entry.path, place, owner)
            else:
                continue
        except (PermissionError, FileNotFoundError):
            continue  # nor could the run have read it; or it went away meanwhile
        copied[path] = _stamp(os.lstat(place))
    _dress(target, found, owner)


def _copy_leaf(source: str, target: str, owner: int | None) -> None:
    found = os.lstat(source)
    shutil.copyfile(source, target, follow_symlinks=False)
    _dress(target, found, owner, follow=False)


def _dress(target: str, like: os.stat_result, owner: int | None, follow: bool = True) -> None:
    if owner is not None:
        os.chown(target, owner, owner, follow_symlinks=False)
    if not stat.S_ISLNK(like.st_mode):
        os.chmod(target, stat.S_IMODE(like.st_mode))
    os.utime(target, ns=(like.st_atime_ns, like.st_mtime_ns), follow_symlinks=follow)


def _stamp(found: os.stat_result) -> Stamp:
    if stat.S_ISDIR(found.st_mode):
        return None
    return (found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def send_differences(connection: Socket, top: int, copied: Stamps, limit_bytes: int) -> None:
    """`top` is a descriptor of the copy. In the words of an overlay: what is there and differs, whiteouts for what is
    not."""
    _make_readable(top)
    there, untouched = set(), set()
    for path, name, parent in capture.walk(top):
        found = os.lstat(name, dir_fd=parent)
        there.add(path)
        if copied.get(path) is not None and copied[path] == _stamp(found):
            untouched.add(path)
    capture.send_changes(connection, top, limit_bytes, untouched)
    for path in copied:
        parent = os.path.dirname(path)
        # For a directory that is gone only the topmost path is reported; the entries that replaced it say the rest.
        if path not in there and (not parent or parent in there):
            connection.sendall(pack(ENTRY, json.dumps({"path": path, "mode": 0, "type": "whiteout"}).encode()))


def _make_readable(top: int, directories: int = 0o500) -> None:
    """The run could remove the permissions of its own files, and here no process has more rights."""
    if os.geteuid() == 0:
        return
    for entry in os.scandir(top):
        if entry.is_symlink():
            continue
        is_directory = entry.is_dir(follow_symlinks=False)
        mode = stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode)
        wanted = mode | (directories if is_directory else 0o400)
        if mode != wanted:
            os.chmod(entry.name, wanted, dir_fd=top)
        if is_directory:
            below = os.open(entry.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
            try:
                _make_readable(below, directories)
            finally:
                os.close(below)


def remove(path: str) -> None:
    """When nothing runs in it any more. What resists is collected later, with its host's directory."""
    try:
        top = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            _make_readable(top, 0o700)
        finally:
            os.close(top)
    except OSError:
        pass
    shutil.rmtree(path, ignore_errors=True)
