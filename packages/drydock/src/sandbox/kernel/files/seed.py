"""What lies on the user's directory when a run begins: a layer, sent by the host, put in place by the warden before the
code process gets its request. Each part of a path is opened from the one before and no link is followed, so that a link
in the layer or in the directory leads nowhere."""

from __future__ import annotations

import errno
import os
import stat

import plain_json as json
from frames import CODE, SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import FrameSource, Json

_STEP = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class SeedFailed(OSError):
    pass


def take(host: FrameSource, work: str, owner: int | None, limit_bytes: int) -> bytes:
    """Until the code comes, which is returned. The host hears of a failure only then: it does not listen before."""
    seeder, failed = None, None
    while True:
        kind, payload = host.receive()
        try:
            if failed is None:
                seeder = seeder or Seeder(work, owner, limit_bytes)
                seeder.finish() if kind == CODE else seeder.take(kind, payload)
        except (OSError, ValueError) as error:
            failed = error
        if kind == CODE:
            if failed is not None:
                raise SeedFailed(
                    getattr(failed, "errno", None) or 0,
                    "the changes it starts from could not be put in place: %s" % failed,
                ) from failed
            return payload


def discard(host: FrameSource) -> None:
    while host.receive()[0] != CODE:
        pass


def is_full(error: BaseException) -> bool:
    return isinstance(error, SeedFailed) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Seeder:
    """`owner` is whom all of it shall belong to, or None where everything new belongs to the right one already."""

    def __init__(self, work: str, owner: int | None, limit_bytes: int) -> None:
        self._owner, self._room = owner, limit_bytes
        self._top = os.open(work, _STEP)
        self._parent, self._parent_path = -1, None
        self._file, self._missing = None, 0
        self._modes = {}  # of directories, set at the end: one that forbids writing must not be in our own way

    def take(self, kind: bytes, payload: bytes) -> None:
        if kind != SEED:
            return self._write(payload)
        if self._file is not None:
            raise ValueError("a content is not complete")
        size = int.from_bytes(payload[:4], "big")
        entry = json.loads(payload[4 : 4 + size])
        if "remove" in entry:
            for path in entry["remove"]:
                self._remove(path)
            return self._leave_parent()
        parent, name = self._open_parent(entry["path"])
        if entry["type"] == "directory":
            self._make_directory(parent, name, entry)
        elif entry["type"] == "symlink":
            self._clear(parent, name)
            os.symlink(entry["target"], name, dir_fd=parent)
            self._give(name, parent)
        else:
            self._clear(parent, name)
            self._file = os.open(name, _NEW, 0o600, dir_fd=parent)
            self._mode, self._missing = entry["mode"], entry["size"]
            self._write(payload[4 + size :])

    def _write(self, data: bytes) -> None:
        """The rest of a file's content, in pieces; with its last byte it is closed."""
        if self._file is None or len(data) > self._missing:
            raise ValueError("a content is longer than its file")
        self._missing -= len(data)
        self._room -= len(data)
        if self._room < 0:
            raise OSError(errno.EFBIG, "they are larger than the limit on disk")
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view) :]
        if self._missing == 0:
            if self._owner is not None:
                os.fchown(self._file, self._owner, self._owner)
            os.fchmod(self._file, self._mode)
            os.close(self._file)
            self._file = None

    def finish(self) -> None:
        if self._file is not None:
            raise ValueError("a content is not complete")
        for path in sorted(self._modes, reverse=True):
            try:
                parent, name = self._open_parent(path, make=False)
                directory = os.open(name, _STEP, dir_fd=parent)
            except (FileNotFoundError, NotADirectoryError):
                continue  # it was only opened so that it could be removed
            os.chmod(_handle(directory), self._modes[path])
            os.close(directory)
        self._leave_parent()
        os.close(self._top)

    def _remove(self, path: str) -> None:
        """What is gone already, or has got something new in it since, is the user's doing; the host compares the
        trees."""
        try:
            parent, name = self._open_parent(path, make=False)
            if stat.S_ISDIR(os.lstat(name, dir_fd=parent).st_mode):
                os.rmdir(name, dir_fd=parent)
            else:
                os.unlink(name, dir_fd=parent)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENOTEMPTY):
                raise

    def _make_directory(self, parent: int, name: str, entry: Json) -> None:
        self._clear(parent, name, keep_directory=True)
        try:
            os.mkdir(name, 0o700, dir_fd=parent)
            self._give(name, parent)
        except FileExistsError:
            pass
        self._modes[entry["path"]] = entry["mode"]

    def _clear(self, parent: int, name: str, keep_directory: bool = False) -> None:
        try:
            if not (keep_directory and stat.S_ISDIR(os.lstat(name, dir_fd=parent).st_mode)):
                os.unlink(name, dir_fd=parent)
        except FileNotFoundError:
            pass

    def _give(self, name: str, parent: int) -> None:
        if self._owner is not None:
            os.chown(name, self._owner, self._owner, dir_fd=parent, follow_symlinks=False)

    def _open_parent(self, path: str, make: bool = True) -> tuple[int, str]:
        """Entries come in order, so that most have the parent of the one before."""
        parts = path.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise ValueError("%r is not a plain path" % path)
        above = "/".join(parts[:-1])
        if above != self._parent_path:
            self._leave_parent()
            self._parent, self._parent_path = self._walk(parts[:-1], make), above
        return self._parent, parts[-1]

    def _walk(self, names: list[str], make: bool) -> int:
        place = os.dup(self._top)
        for depth, name in enumerate(names, 1):
            try:
                below = self._step(place, name, make)
            finally:
                os.close(place)
            place = below
            self._unlock(place, "/".join(names[:depth]))
        return place

    def _step(self, place: int, name: str, make: bool) -> int:
        try:
            return os.open(name, _STEP, dir_fd=place)
        except FileNotFoundError:
            if not make:
                raise
        os.mkdir(name, 0o755, dir_fd=place)
        self._give(name, place)
        return os.open(name, _STEP, dir_fd=place)

    def _unlock(self, directory: int, path: str) -> None:
        """Without namespaces an ordinary user is not above the modes of the run's directories."""
        if not os.access(_handle(directory), os.W_OK | os.X_OK, effective_ids=True):
            mode = stat.S_IMODE(os.stat(directory).st_mode)
            self._modes.setdefault(path, mode)
            os.chmod(_handle(directory), mode | 0o700)

    def _leave_parent(self) -> None:
        if self._parent >= 0:
            os.close(self._parent)
        self._parent, self._parent_path = -1, None


def _handle(descriptor: int) -> str:
    """The very thing that was opened, for calls that want a path."""
    return "/proc/self/fd/%d" % descriptor
