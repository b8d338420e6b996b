"""What containers see as their root: the system's directories, read-only, as runs in namespaces see them; or an image
that the owner's policy names, with Drydock's own places upon it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess

import linux
from attend.member import KERNEL
from contain import rootfs
from linux import MS_BIND, MS_NODEV, MS_NOSUID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapes import Json

INNER_KERNEL = "/drydock/kernel"
# What engines put files or directories of their own on.
ENGINE_PLACES = ("sys", "dev/shm", "dev/pts", "dev/mqueue", "drydock/way")
ENGINE_FILES = ("etc/hostname", "etc/hosts", "etc/resolv.conf", "run/.containerenv")
SEARCHED = ("/usr/local/bin", "/usr/bin", "/bin")
IMAGE_SECONDS = 60


class Root:
    """`path` is its directory or its image, `python` the interpreter in it. `mounted` are the mounts that it is made
    of, in the order in which they were made; `bound` is what the engine has to bring into it; `release` is a command
    that gives an image back."""

    release: list[str] | None = None

    def __init__(self, path: str, python: str, mounted: list[str], bound: Sequence[tuple[str, str, bool]] = ()) -> None:
        self.path, self.python, self.mounted, self.bound = path, python, mounted, bound

    def remove(self) -> None:
        for mount in reversed(self.mounted):
            linux.unmount(mount)
        if self.release:
            subprocess.run(
                self.release, capture_output=True, timeout=IMAGE_SECONDS, stdin=subprocess.DEVNULL, check=False
            )


def make_system_root(directory: str, config: Json) -> Root:
    """Mounted over `directory`, which is empty."""
    rootfs.fill_root(directory, config["interpreterPaths"])
    _add_places(directory)
    for name in ("python", "python3"):
        os.symlink(config["python"], "%s/drydock/bin/%s" % (directory, name))
    if config["node"]:
        _place_node(directory, config["node"])
    return Root(directory, config["python"], [directory])


def _place_node(directory: str, node: str) -> None:
    """By way of an overlay: a mount of the file itself would tell the code where Drydock is installed."""
    target, below, above, empty = (directory + path for path in ("/drydock/bin/node", "-b", "-a", "-e"))
    open(target, "w").close()
    for path in (below, above, empty):
        os.mkdir(path, 0o755)
    linux.mount(os.path.dirname(node), below, None, MS_BIND)
    linux.overlay_readonly(below, empty, above)
    linux.bind_readonly("%s/%s" % (above, os.path.basename(node)), target)
    linux.unmount(above)
    linux.unmount(below)


def make_image_root(directory: str, image: str, podman: str) -> Root:
    """The image below, and a layer above it, in which there is only what is ours."""
    below, above = _mount_image(image, podman), directory + "-above"
    os.mkdir(above, 0o755)
    linux.mount("above", above, "tmpfs", MS_NOSUID | MS_NODEV, "size=8m,mode=755")
    for name in ("upper", "inner"):
        os.mkdir("%s/%s" % (above, name), 0o755)
    layers = "lowerdir=%s,upperdir=%s/upper,workdir=%s/inner" % (below, above, above)
    linux.mount("overlay", directory, "overlay", MS_NOSUID | MS_NODEV, layers)
    _clear_own(directory + "/drydock")
    for place in (*rootfs.PLACES, *rootfs.MOUNT_POINTS):
        _make_inside(directory, place)
    _add_places(directory)
    python = _find(directory, "python3")
    if python is None:
        raise OSError(0, "the image %s has no python3 in %s" % (image, ":".join(SEARCHED)))
    for name, source in (("python", python), ("python3", python), ("node", _find(directory, "node"))):
        if source is not None:
            os.symlink(source, "%s/drydock/bin/%s" % (directory, name))
    root = Root(directory, python, [above, directory])
    root.release = [podman, "image", "unmount", image]
    return root


def _mount_image(image: str, podman: str) -> str:
    command = [podman, "image", "mount", image]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=IMAGE_SECONDS, stdin=subprocess.DEVNULL, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise OSError(0, "the image %s could not be opened by podman: %s" % (image, error)) from error
    if done.returncode != 0:
        raise OSError(0, "the image %s could not be opened: %s" % (image, done.stderr.strip()))
    return done.stdout.strip()


def _clear_own(path: str) -> None:
    """What the image has in Drydock's place: a link there would lead our files out of the image."""
    if os.path.islink(path) or not os.path.isdir(path):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    else:
        shutil.rmtree(path)


def _make_inside(root: str, path: str) -> None:
    """Directories of an image may be links: one that leads out of it is not followed."""
    top = os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in path.split("/"):
            try:
                os.mkdir(part, 0o755, dir_fd=top)
            except FileExistsError:
                pass
            below = os.open(part, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
            os.close(top)
            top = below
    except OSError as error:
        raise OSError(error.errno, "the image has no room for /%s: %s" % (path, error.strerror)) from error
    finally:
        os.close(top)


def _find(root: str, name: str) -> str | None:
    """The path of a program inside. A link there may be an absolute one, which means something else out here."""
    return next((each + "/" + name for each in SEARCHED if os.path.lexists("%s%s/%s" % (root, each, name))), None)


def _add_places(directory: str) -> None:
    for place in ENGINE_PLACES:
        _make_inside(directory, place)
    for name in ENGINE_FILES:
        _write_missing(directory, name, "")
    for name, text in rootfs.ACCOUNTS.items():
        _write_missing(directory, "etc/" + name, text)
    copy_kernel(directory)


def _write_missing(directory: str, name: str, text: str) -> None:
    path = "%s/%s" % (directory, name)
    if not os.path.lexists(path):
        with open(path, "w") as file:
            file.write(text)


def copy_kernel(directory: str) -> None:
    """A copy, as a mount would tell the code where Drydock is installed. What Python has compiled comes along, and
    stays valid as the times of the files do."""
    shutil.copytree(KERNEL, directory + INNER_KERNEL, ignore=shutil.ignore_patterns("*.ts", "testing"))
    shutil.copy(KERNEL + "/interpret/worker.cjs", directory + "/drydock/lib/worker.cjs")
