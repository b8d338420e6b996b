"""Docker. Its daemon starts containers in the host's own view, and from images only. So the run's directories are
mounted where the daemon sees them, and the system's directories go into an image that has only places for them."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile

from contain import rootfs
from container import roots
from container.engines import ANSWER_SECONDS, Engine, Order, common_options, volumes
from container.roots import Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import Json

SYSTEM = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")


class Docker(Engine):
    name = "docker"
    is_local = False

    def check(self) -> None:
        self.ask(self.command, "ps", "--quiet")

    def make_root(self, directory: str, config: Json) -> Root:
        """`directory` gets what is Drydock's own; an image is the rest."""
        os.makedirs(directory + "/drydock/way")
        for name in ("bin", "lib"):
            os.mkdir("%s/drydock/%s" % (directory, name))
        roots.copy_kernel(directory)
        bound = [(directory + "/drydock", "/drydock", False)]
        if self.image is not None:
            return Root(self.image, "python3", [], bound)
        for name in ("python", "python3"):
            os.symlink(config["python"], "%s/drydock/bin/%s" % (directory, name))
        if config["node"]:
            open(directory + "/drydock/bin/node", "w").close()
            bound.append((config["node"], "/drydock/bin/node", False))
        return Root(self._import_skeleton(config), config["python"], [], [*bound, *_system(config)])

    def _import_skeleton(self, config: Json) -> str:
        archive = _pack_skeleton(config)
        image = "drydock-root:" + hashlib.sha256(archive).hexdigest()[:16]
        try:
            self.ask(self.command, "image", "inspect", image)
        except OSError:
            command = [self.command, "import", "-", image]
            done = subprocess.run(command, input=archive, capture_output=True, timeout=ANSWER_SECONDS, check=False)
            if done.returncode != 0:
                reason = done.stderr.decode("utf-8", "replace").strip()
                raise OSError(0, "docker could not make the image %s: %s" % (image, reason)) from None
        return image

    def inner_user(self, uid: int) -> int:
        return uid + 1  # there is no user namespace: no user of the host has this number

    def outer_root(self, uid: int) -> int:
        return 0

    def arguments(self, order: Order) -> list[str]:
        bound = [*order.root.bound, *order.bound]
        return [self.command, "run", *common_options(order), *volumes(bound), order.root.path, *order.command]

    def pid(self, order: Order) -> int | None:
        return int(self.ask(self.command, "inspect", "--format", "{{.State.Pid}}", order.name))


def _system(config: Json) -> list[tuple[str, str, bool]]:
    """What an image of ours has places for: all of it read-only."""
    settings = [*rootfs.ETC_DIRECTORIES, *(name for name in os.listdir("/etc") if name.startswith("python3"))]
    directories = [
        *("/" + name for name in SYSTEM if os.path.isdir("/" + name) and not os.path.islink("/" + name)),
        *("/etc/" + name for name in settings if os.path.isdir("/etc/" + name)),
        *(path for path in config["interpreterPaths"] if not path.startswith("/usr/")),
    ]
    return [(os.path.realpath(path), path, False) for path in directories]


def _pack_skeleton(config: Json) -> bytes:
    """An archive that is the same, byte by byte, as long as the system is laid out in the same way."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        places = (*rootfs.PLACES, *rootfs.MOUNT_POINTS, *roots.ENGINE_PLACES)
        for place in sorted({*places, *(target.lstrip("/") for _, target, _ in _system(config))}):
            entry = tarfile.TarInfo(place)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
        for name in SYSTEM:
            if os.path.islink("/" + name):
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink("/" + name)
                archive.addfile(entry)
        for name, content in rootfs.read_settings().items():
            entry = tarfile.TarInfo("etc/" + name)
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()
