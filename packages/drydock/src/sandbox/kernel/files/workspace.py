"""A run's view of the user's directory: the directory itself below, read-only; a layer of its own above. And mounts
beside it: other directories of the host, read-only."""

from __future__ import annotations

import errno
import os
import stat

import linux
from contain.steps import INNER_UID, scratch_options
from files import broker
from linux import MS_BIND, MS_NODEV, MS_NOSUID, MS_RDONLY, MS_REMOUNT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from shapes import Json, MountedMember


class WorkspaceFailed(Exception):
    pass


def resize_scratch(member: MountedMember, disk_bytes: int) -> None:
    linux.mount("scratch", _inside(member), "tmpfs", MS_REMOUNT | MS_NOSUID | MS_NODEV, scratch_options(disk_bytes))


def _inside(member: MountedMember, path: str = "") -> str:
    """The scratch is covered: only who holds its descriptor gets in."""
    return "/proc/self/fd/%d%s" % (member.scratch, path)


def open_workspace(member: MountedMember, request: Json) -> Json:
    """Mounts the overlay on /work. Hidden paths are whited out in a layer between, so that inside they do not exist."""
    workspace = request["workspace"]
    try:
        mount, facts = broker.ask(
            member.broker, {"op": "workspace", "path": workspace["path"], "uid": member.inner_host_uid}
        )
        linux.attach_mount(mount, "/.lower")
        os.close(mount)
        layers = ["/.lower"]
        if workspace["hide"]:
            _mask(workspace["hide"], _inside(member, "/mask"))
            layers.insert(0, _inside(member, "/mask"))
        if member.below is not None:
            layers.insert(0, "/proc/self/fd/%d" % member.below)
        below = ":".join(layers)
        owner = os.stat("/.lower")
        os.chmod(_inside(member, "/upper"), stat.S_IMODE(owner.st_mode) | 0o700)
        linux.mount(
            "overlay",
            "/work",
            "overlay",
            MS_NOSUID | MS_NODEV,
            "lowerdir=%s,upperdir=%s,workdir=%s,userxattr"
            % (below, _inside(member, "/upper"), _inside(member, "/inner")),
        )
        masked_again = len(layers) > 1 and request["code"]["mode"] == "session"
        if masked_again:
            # A session puts back what a failed step deleted, and must not put back what is hidden; a fork puts back
            # what its session had there.
            linux.mount(
                "overlay", "/.lower", "overlay", MS_RDONLY | MS_NOSUID | MS_NODEV, "lowerdir=%s,userxattr" % below
            )
        member.lower = os.open("/.lower", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for path in workspace["protect"]:
            _make_readonly(path)
        os.close(os.open("/work", os.O_RDONLY | os.O_DIRECTORY))
        # The overlay has a copy of the mount. One that is gone can't be reached, and its line does not tell where it
        # came from.
        for _ in range(1 + masked_again):
            linux.unmount("/.lower")
    except OSError as error:
        raise WorkspaceFailed("the workspace could not be mounted: %s" % error) from error
    return facts


def pin(paths: Iterable[str]) -> None:
    """Files of the tree that no process can change while the run lasts. What is mounted can't be moved away, so
    every directory above them is mounted on itself; those first, as a mount covers what was mounted below it before."""
    above = {"/".join(parts[:depth]) for parts in (path.split("/") for path in paths) for depth in range(1, len(parts))}
    try:
        for directory in sorted(above):
            if stat.S_ISDIR(os.lstat("/work/" + directory).st_mode):
                linux.mount("/work/" + directory, "/work/" + directory, None, MS_BIND)
        for path in paths:
            _make_readonly(path)
    except FileNotFoundError:
        raise WorkspaceFailed("what is to be kept as it is is not there") from None
    except OSError as error:
        raise WorkspaceFailed("files could not be made read-only: %s" % error) from error


def open_mounts(member: MountedMember, mounts: list[Json]) -> None:
    """Mounts each at its target, in a place that the root keeps free for that: the place itself, or a name below it.
    The overlay keeps locks and watches from the files of the host; what covers the scratch is its empty layer."""
    places = {}
    for each in mounts:
        try:
            mount, _ = broker.ask(member.broker, {"op": "mount", "path": each["source"], "uid": member.inner_host_uid})
            try:
                _make_mount_point(each["target"], places)
                linux.attach_mount(mount, "/.lower")
            finally:
                os.close(mount)
            linux.overlay_readonly("/.lower", "/.scratch", each["target"])
            linux.unmount("/.lower")
        except OSError as error:
            raise WorkspaceFailed(
                "%s could not be mounted on %s: %s" % (each["source"], each["target"], error)
            ) from error
    for place in places:
        linux.mount(None, place, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)


def open_home(member: MountedMember, path: str) -> None:
    """A directory of the host in the place of the run's home. What is written there stays."""
    try:
        mount, _ = broker.ask(member.broker, {"op": "home", "path": path, "uid": member.inner_host_uid})
        try:
            linux.attach_mount(mount, "/home/dock")
        finally:
            os.close(mount)
    except OSError as error:
        raise WorkspaceFailed("the home of the program could not be mounted: %s" % error) from error


def _make_mount_point(target: str, places: dict[str, None]) -> None:
    place = "/" + target.split("/")[1]
    if target == place:
        if os.listdir(target):
            raise FileExistsError(errno.EEXIST, "something is there already")
        return
    if place not in places:
        places[place] = _make_room(place)
    os.makedirs(target)


def _make_room(place: str) -> None:
    """An empty directory over the place, in which names can be made. What the root has there (an interpreter, say)
    stays."""
    there = [
        (name, linux.clone_mount("%s/%s" % (place, name), recursive=True))
        for name in os.listdir(place)
        if os.path.isdir("%s/%s" % (place, name))
    ]
    linux.mount("mounts", place, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=755")
    for name, mount in there:
        os.mkdir("%s/%s" % (place, name))
        linux.attach_mount(mount, "%s/%s" % (place, name))
        os.close(mount)


def _mask(paths: Iterable[str], mask: str) -> None:
    for path in paths:
        parts = path.split("/")
        for depth in range(1, len(parts)):
            parent = "/".join(parts[:depth])
            target = "%s/%s" % (mask, parent)
            if not os.path.isdir(target):
                below = os.lstat("/.lower/" + parent)
                os.mkdir(target, stat.S_IMODE(below.st_mode))
                os.chmod(target, stat.S_IMODE(below.st_mode))
                os.chown(target, INNER_UID, INNER_UID)
                os.utime(target, ns=(below.st_atime_ns, below.st_mtime_ns))
        os.mknod("%s/%s" % (mask, path), stat.S_IFCHR, os.makedev(0, 0))
    below = os.lstat("/.lower")
    os.chmod(mask, stat.S_IMODE(below.st_mode))
    os.chown(mask, INNER_UID, INNER_UID)


def _make_readonly(path: str) -> None:
    """`path` exists below: the code sees it and can't write to it."""
    target = "/work/" + path
    try:
        found = os.lstat(target)
    except FileNotFoundError:
        return
    if stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode):
        linux.mount(target, target, None, MS_BIND)  # the merged view, not the one below: what is hidden stays hidden
        linux.mount(None, target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
