"""The directories of a run in a container, on the host's side: one memory file system holds all that the run can write,
and the workspace is an overlay upon the user's directory. All of it is mounted in the attendant's own mount namespace,
unless the engine's daemon has to see it."""

from __future__ import annotations

import os
import stat

import linux
from contain.steps import scratch_options
from files import broker
from files.workspace import WorkspaceFailed
from linux import MS_BIND, MS_NODEV, MS_NODIRATIME, MS_NOSUID, MS_REC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from shapes import Json, Namespaces

# Where each directory of the scratch is seen inside.
WRITABLE = (("tmp", "/tmp"), ("tmp", "/var/tmp"), ("shm", "/dev/shm"), ("home", "/home/dock"))
# Of the scratch: what is never seen inside.
HIDDEN = ("upper", "inner", "mask", "lower", "merged", "empty", "sources", "mounts")
FREE_PLACES = ("extension", "opt")


class Places:
    """`base` is an empty directory; `user` is the code's user as the host knows it."""

    def __init__(self, base: str, user: int, disk_bytes: int) -> None:
        self._base, self._user = base, user
        self.scratch = base + "/s"
        os.mkdir(self.scratch, 0o711)
        linux.mount("scratch", self.scratch, "tmpfs", MS_NOSUID | MS_NODEV | MS_NODIRATIME, scratch_options(disk_bytes))
        os.chmod(self.scratch, 0o711)
        for name in ("work", "tmp", "shm", "home", *HIDDEN):
            os.mkdir(self._path(name), 0o700)
        for name in ("work", "tmp", "shm", "home", "upper"):
            os.chown(self._path(name), user, user)
        os.chmod(self._path("tmp"), 0o1777)
        self.work, self._top = self._path("work"), "work"
        self.bound = [(self._path(name), target, True) for name, target in WRITABLE]
        # What is mounted below those: not every engine brings it along.
        self.nested: list[tuple[str, str, bool]] = []
        self.descriptor = os.open(self.scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _path(self, name: str) -> str:
        return "%s/%s" % (self.scratch, name)

    def open_top(self) -> int:
        """Of what the run has changed."""
        return os.open(self._path(self._top), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def open_workspace(self, workspace: Json) -> None:
        """Hidden paths are whited out in a layer between, so that inside they do not exist."""
        namespaces: Namespaces = {}
        lower, mask = self._path("lower"), self._path("mask")
        try:
            mount, _ = broker.open_workspace({"path": workspace["path"], "uid": self._user}, namespaces)
            linux.attach_mount(mount, lower)
            os.close(mount)
            layers = [lower]
            if workspace["hide"]:
                self._mask(workspace["hide"], mask, lower)
                layers.insert(0, mask)
            os.chmod(self._path("upper"), stat.S_IMODE(os.stat(lower).st_mode) | 0o700)
            self.work, self._top = self._path("merged"), "upper"
            linux.mount(
                "overlay",
                self.work,
                "overlay",
                MS_NOSUID | MS_NODEV,
                "lowerdir=%s,upperdir=%s,workdir=%s,userxattr"
                % (":".join(layers), self._path("upper"), self._path("inner")),
            )
            for path in workspace["protect"]:
                self._make_readonly(path)
            linux.unmount(lower)
        except OSError as error:
            raise WorkspaceFailed("the workspace could not be mounted: %s" % error) from error
        finally:
            for namespace in namespaces.values():
                os.close(namespace)

    def _mask(self, paths: Iterable[str], mask: str, lower: str) -> None:
        for path in paths:
            parts = path.split("/")
            for depth in range(1, len(parts)):
                parent = "/".join(parts[:depth])
                target = "%s/%s" % (mask, parent)
                if not os.path.isdir(target):
                    os.mkdir(target, 0o700)
                    self._copy_facts("%s/%s" % (lower, parent), target)
            os.mknod("%s/%s" % (mask, path), stat.S_IFCHR, os.makedev(0, 0))
        self._copy_facts(lower, mask)

    def _copy_facts(self, source: str, target: str) -> None:
        below = os.lstat(source)
        os.chmod(target, stat.S_IMODE(below.st_mode))
        os.chown(target, self._user, self._user)
        os.utime(target, ns=(below.st_atime_ns, below.st_mtime_ns))

    def _make_readonly(self, path: str) -> None:
        target = "%s/%s" % (self.work, path)
        try:
            found = os.lstat(target)
        except FileNotFoundError:
            return
        if stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode):
            linux.bind_readonly(target, target)
            self.nested.append((target, "/work/" + path, False))

    def pin(self, paths: Iterable[str]) -> None:
        """Files of the tree that no process can change while the run lasts. What is mounted can't be moved away, so
        every directory above them is mounted on itself; those first, as a mount covers what was mounted below it."""
        above = {"/".join(parts[:at]) for parts in (path.split("/") for path in paths) for at in range(1, len(parts))}
        try:
            for directory in sorted(above):
                target = "%s/%s" % (self.work, directory)
                if stat.S_ISDIR(os.lstat(target).st_mode):
                    linux.mount(target, target, None, MS_BIND)
                    self.nested.append((target, "/work/" + directory, True))
            for path in paths:
                self._make_readonly(path)
        except FileNotFoundError:
            raise WorkspaceFailed("what is to be kept as it is is not there") from None
        except OSError as error:
            raise WorkspaceFailed("files could not be made read-only: %s" % error) from error

    def open_mounts(self, mounts: list[Json], root: str) -> None:
        """Directories of the host, read-only, in the places that the root keeps free: the place itself, or a name below
        it. The overlay keeps locks and watches from the files of the host."""
        namespaces: Namespaces = {}
        made: dict[str, str] = {}
        for number, each in enumerate(mounts):
            source, place = "%s/%d" % (self._path("sources"), number), each["target"].split("/")[1]
            try:
                mount, _ = broker.open_mount({"path": each["source"], "uid": self._user}, namespaces)
                os.mkdir(source)
                linux.attach_mount(mount, source)
                os.close(mount)
                if place not in made:
                    made[place] = self._make_room(place, root if each["target"] != "/" + place else None)
                target = made[place] + each["target"][len(place) + 1 :]
                os.makedirs(target, exist_ok=True)
                linux.overlay_readonly(source, self._path("empty"), target)
                linux.unmount(source)
                self.nested.append((target, each["target"], False))
            except OSError as error:
                reason = "%s could not be mounted on %s: %s" % (each["source"], each["target"], error)
                raise WorkspaceFailed(reason) from error
        self.bound += [(path, "/" + place, False) for place, path in made.items()]
        for namespace in namespaces.values():
            os.close(namespace)

    def _make_room(self, place: str, root: str | None) -> str:
        """A directory in which names can be made, with what the root has in that place (an interpreter, say)."""
        room = "%s/%s" % (self._path("mounts"), place)
        os.mkdir(room, 0o755)
        for name in os.listdir("%s/%s" % (root, place)) if root is not None else ():
            os.mkdir("%s/%s" % (room, name))
            linux.mount("%s/%s/%s" % (root, place, name), "%s/%s" % (room, name), None, MS_BIND | MS_REC)
            self.nested.append(("%s/%s" % (room, name), "/%s/%s" % (place, name), False))
        return room

    def make_way(self) -> str:
        """A directory for the socket by which the run reaches its network."""
        directory = self._path("way")
        os.mkdir(directory, 0o711)
        self.bound.append((directory, "/drydock/way", False))
        return directory

    def remove(self) -> None:
        """When nothing of the run is alive."""
        os.close(self.descriptor)
        linux.unmount(self.scratch)
        os.rmdir(self.scratch)
