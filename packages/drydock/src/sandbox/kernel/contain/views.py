"""What a member sees of the system: the fork server's root once more, every part of it behind an overlay of the slot's
own. The contents are the host's, and so are the pages in memory; the files are not. A lock on one, or a watch, is known
to the members of one slot only, and a slot has one member at a time: neither the host nor another run is reached by it.

A view is a mount namespace, made when its slot is first used and kept for those that come later; a member's own
namespace is a copy of it. The fork server itself stands in the view of the member that it made last."""

from __future__ import annotations

import os
import stat

import linux
from contain.rootfs import DEVICES, TERMINAL
from linux import MS_BIND, MS_NOEXEC, MS_NOSUID, MS_REC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Of the root that the view is made from: where it is put together, and an empty layer.
NEW_ROOT, EMPTY = "/.lower", "/.scratch"
DEVICE_NUMBERS = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), TERMINAL: (5, 0)}
# A terminal holds memory that is not counted without control groups, so their number is limited. Mapped, /dev/zero is
# memory that no meter sees. /dev/full gives the same zeros, and can't be mapped.
SHARED_DEVICES = {"zero": "full"}
LINKS = (
    ("ptmx", "pts/ptmx"),
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
)


class Views:
    def __init__(self, files: list[tuple[str, str, str]]) -> None:
        self._files, self._mounts = files, list(_system_mounts())
        self._root, self._opened, self._current = _own_namespace(), {}, None

    def enter(self, slot: int) -> None:
        if slot == self._current:
            return
        self._current = None
        if slot in self._opened:
            linux.enter_mounts(self._opened[slot])
        else:
            linux.enter_mounts(self._root)
            linux.unshare(linux.CLONE_NEWNS)
            _build(self._mounts, self._files)
            self._opened[slot] = _own_namespace()
        self._current = slot


def _own_namespace() -> int:
    return os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)


def _system_mounts() -> Iterator[str]:
    """Where in this root something of the host is mounted, the outer before the inner."""
    with open("/proc/self/mountinfo", "rb") as lines:
        for line in lines:
            place = os.fsdecode(_plain(line.split(b" ", 5)[4]))
            if place not in ("/", "/proc", "/dev") and not place.startswith(("/proc/", "/dev/", "/.tools/")):
                yield place


def _plain(name: bytes) -> bytes:
    """Without the kernel's way of writing spaces and the like: a backslash and three octal digits."""
    first, *rest = name.split(b"\\")
    return first + b"".join(bytes((int(each[:3], 8),)) + each[3:] for each in rest)


def _build(mounts: list[str], files: list[tuple[str, str, str]]) -> None:
    linux.mount("empty", EMPTY, "tmpfs", linux.MS_RDONLY | MS_NOSUID | linux.MS_NODEV, "size=4k,mode=755")
    linux.overlay_readonly("/", EMPTY, NEW_ROOT)
    for place in mounts:
        if os.path.isdir(place):
            linux.overlay_readonly(_escaped(place), EMPTY, NEW_ROOT + place)
        else:
            linux.bind_readonly(place, NEW_ROOT + place)
    for directory, name, target in files:
        # Of a directory of the host only this file is to be seen, and it is to be the overlay's.
        linux.overlay_readonly(directory, EMPTY, NEW_ROOT + "/work")
        linux.mount("%s/work/%s" % (NEW_ROOT, name), NEW_ROOT + target, None, MS_BIND)
        linux.unmount(NEW_ROOT + "/work")
    _fill_dev(NEW_ROOT + "/dev")
    # A namespace may mount its own /proc only where it can see a whole one.
    linux.mount("/proc", NEW_ROOT + "/proc", None, MS_BIND | MS_REC)
    os.chdir(NEW_ROOT)
    linux.pivot_root_here()


def _escaped(path: str) -> str:
    """As the kernel reads the names of layers."""
    for character in "\\:,":
        path = path.replace(character, "\\" + character)
    return path


def _fill_dev(directory: str) -> None:
    """Devices of its own, where they can be made. An ordinary user can't make any: there they are the host's."""
    linux.mount("dev", directory, "tmpfs", MS_NOSUID | MS_NOEXEC, "size=64k,mode=755")
    mask = os.umask(0)
    for name in (*DEVICES, *([TERMINAL] if os.path.exists("/dev/" + TERMINAL) else [])):
        path = "%s/%s" % (directory, name)
        try:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(*DEVICE_NUMBERS[name]))
        except PermissionError:
            os.mknod(path, stat.S_IFREG | 0o644)
            linux.bind_device("/dev/" + SHARED_DEVICES.get(name, name), path)
    os.umask(mask)
    os.mkdir(directory + "/shm")
    os.mkdir(directory + "/pts")
    for name, target in LINKS:
        os.symlink(target, "%s/%s" % (directory, name))
    linux.mount(None, directory, None, MS_BIND | linux.MS_REMOUNT | linux.MS_RDONLY | MS_NOSUID | MS_NOEXEC)
