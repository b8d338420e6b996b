"""The file system that code in the dock sees: the system's programs, read-only; a handful of harmless files in /etc;
and empty places for what each member brings itself. Nothing of the host's users, services or secrets."""

from __future__ import annotations

import ctypes
import os

import linux
from linux import MS_BIND, MS_NODEV, MS_NOSUID, MS_PRIVATE, MS_RDONLY, MS_REC, MS_REMOUNT, MS_SLAVE

DEVICES = ("null", "zero", "full", "random", "urandom")
TERMINAL = "tty"  # each process opens its own, if it has one
ETC_FILES = (
    "ld.so.cache",
    "ld.so.conf",
    "localtime",
    "matplotlibrc",
    "mime.types",
    "protocols",
    "services",
    "debian_version",
    "os-release",
)
ETC_DIRECTORIES = ("alternatives", "fonts", "ssl/certs", "ld.so.conf.d")
PLACES = (
    "proc",
    "tmp",
    "work",
    "dev",
    "etc",
    "root",
    "run",
    "home/dock",
    "var/tmp",
    "drydock/bin",
    "drydock/lib",
    ".lower",
    ".scratch",
)
# Kept free for the directories that a run may see beside its own.
MOUNT_POINTS = ("extension", "opt")
ACCOUNTS = {
    "passwd": "root:x:0:0:root:/root:/usr/sbin/nologin\n"
    "dock:x:1000:1000:dock:/home/dock:/bin/bash\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "group": "root:x:0:\ndock:x:1000:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost dock\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    "resolv.conf": "",
}
COPIED_BYTES = 1 << 20
AT_RECURSIVE = 0x8000
MOUNT_ATTR_SEALED = 1 | 2 | 4  # read-only, no set-user-id, no devices


def mount_system(source: str, target: str) -> None:
    """A recursive read-only view of `source`."""
    tree = linux.syscall(
        linux.OPEN_TREE,
        ctypes.c_int(-100),
        source.encode(),
        ctypes.c_uint(1 | 0x80000 | AT_RECURSIVE),
        what="open_tree %s" % source,
    )
    packed = MOUNT_ATTR_SEALED.to_bytes(8, "little") + bytes(24)
    linux.syscall(
        linux.MOUNT_SETATTR,
        ctypes.c_int(tree),
        b"",
        ctypes.c_uint(0x1000 | AT_RECURSIVE),
        packed,
        ctypes.c_size_t(32),
        what="mount_setattr %s" % source,
    )
    linux.attach_mount(tree, target)
    os.close(tree)


def build_root(
    directory: str, interpreter_paths: list[str], tools: list[tuple[str, str]]
) -> list[tuple[str, str, str]]:
    """Mounts the new root over `directory` (any empty one) and makes it the root of this mount namespace. No member
    sees it: each has a view of its own over it (`views`). Returns the single files that are to be mounted there."""
    fill_root(directory, interpreter_paths)
    _fill_dev(directory)
    files = [
        found
        for number, (source, target) in enumerate(tools)
        if (found := _place_tool(source, directory, target, number))
    ]
    # A namespace may mount its own /proc only where it can see a whole one.
    linux.mount("/proc", directory + "/proc", None, MS_BIND | MS_REC)
    linux.mount(None, directory, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.chdir(directory)
    linux.pivot_root_here()
    return files


def fill_root(directory: str, interpreter_paths: list[str]) -> None:
    """The part of it that containers have as well: what makes their devices and their /proc is not ours."""
    linux.mount("tmpfs", directory, "tmpfs", MS_NOSUID | MS_NODEV, "size=8m,mode=755")
    for place in PLACES:
        os.makedirs(os.path.join(directory, place), exist_ok=True)
    os.mkdir(directory + "/usr")
    mount_system("/usr", directory + "/usr")
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), os.path.join(directory, name))
        elif os.path.isdir("/" + name):
            os.mkdir(os.path.join(directory, name))
            mount_system("/" + name, os.path.join(directory, name))
    _fill_etc(directory)
    for path in interpreter_paths:
        target = directory + path
        if not os.path.exists(target):
            os.makedirs(target)
            mount_system(path, target)
    for place in MOUNT_POINTS:
        os.makedirs(os.path.join(directory, place), exist_ok=True)


def read_settings() -> dict[str, bytes]:
    """The files of /etc, by name."""
    found = {name: text.encode() for name, text in ACCOUNTS.items()}
    for name in ETC_FILES:
        try:
            with open("/etc/" + name, "rb") as source:
                found[name] = source.read(1 << 20)
        except OSError:
            continue  # an optional file that this system does not have
    return found


def _fill_etc(directory: str) -> None:
    for name, content in read_settings().items():
        with open("%s/etc/%s" % (directory, name), "wb") as file:
            file.write(content)
    versions = [name for name in os.listdir("/etc") if name.startswith("python3")]
    for name in list(ETC_DIRECTORIES) + versions:
        if os.path.isdir("/etc/" + name):
            target = "%s/etc/%s" % (directory, name)
            os.makedirs(target)
            mount_system(os.path.realpath("/etc/" + name), target)


def _fill_dev(directory: str) -> None:
    for name in (*DEVICES, *([TERMINAL] if os.path.exists("/dev/" + TERMINAL) else [])):
        target = "%s/dev/%s" % (directory, name)
        open(target, "w").close()
        linux.mount("/dev/" + name, target, None, MS_BIND)


def _place_tool(source: str, directory: str, target: str, number: int) -> tuple[str, str, str] | None:
    """A single file from outside, or (with an absolute inner path as source that does not exist outside) a link. A
    small file is copied: a mount would tell the code where Drydock is installed. Of a large one its directory is kept
    at hand."""
    if source.startswith("link:"):
        os.symlink(source[5:], directory + target)
        return None
    if os.path.getsize(source) <= COPIED_BYTES:
        with open(source, "rb") as original, open(directory + target, "wb") as copy:
            copy.write(original.read())
        return None
    open(directory + target, "w").close()
    place = "/.tools/%d" % number
    os.makedirs(directory + place)
    linux.mount(os.path.dirname(source), directory + place, None, MS_BIND)
    return place, os.path.basename(source), target


def private_view() -> None:
    """This process's own copy of the host's mounts: later host mounts come in, nothing goes out."""
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount(None, "/", None, MS_SLAVE | MS_REC)


def sealed_view() -> None:
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount(None, "/", None, MS_PRIVATE | MS_REC)
