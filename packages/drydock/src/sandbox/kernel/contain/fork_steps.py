"""Containment of a fork, in order. Its warden begins in namespaces of its own, in the bare mounts of its session, and
builds what it stands in; the code process that comes to it is locked already, and gives up what the way cost it before
it goes on (`sessions.copying`)."""

from __future__ import annotations

import os
import stat

import linux
from contain import steps
from contain.steps import INNER_UID
from linux import MS_BIND, MS_NODEV, MS_NOSUID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import ForkMember

# The places of the scratch that a fork has as its session left them, beside /work.
PLACES = {"tmp": "/tmp", "shm": "/dev/shm", "home": "/home/dock"}


def become_inner_root(member: ForkMember) -> None:
    """The map is its session's once more. As an ordinary user there is no other identity than the code's."""
    if not member.rootless:
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)


def close_inherited(member: ForkMember) -> None:
    linux.close_all_but(member.kept_descriptors())


def open_frozen_files(member: ForkMember) -> None:
    """While the session's scratch is still in sight: what is mounted next covers it."""
    for name, path in member.frozen_paths.items():
        member.frozen[name] = os.open("/.scratch/" + path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def mount_own_scratch(member: ForkMember) -> None:
    """Like that of any member; where the session had files, they lie below a layer of the fork's own."""
    steps.mount_own_scratch(member)
    for name, target in PLACES.items():
        if name in member.frozen:
            mount_layer(member.frozen[name], name, target)
    if "tmp" in member.frozen:
        linux.mount("/tmp", "/var/tmp", None, MS_BIND)
    if "work" in member.frozen and not member.has_workspace:
        mount_layer(member.frozen["work"], "work", "/work")


def mount_layer(frozen: int, name: str, target: str) -> None:
    for part in ("upper", "inner"):
        os.mkdir("/.scratch/%s-%s" % (part, name), 0o700)
        os.chown("/.scratch/%s-%s" % (part, name), INNER_UID, INNER_UID)
    os.chmod("/.scratch/upper-" + name, stat.S_IMODE(os.fstat(frozen).st_mode))
    layers = (frozen, "/.scratch/upper-" + name, "/.scratch/inner-" + name)
    options = "lowerdir=/proc/self/fd/%d,upperdir=%s,workdir=%s,userxattr" % layers
    linux.mount("overlay", target, "overlay", MS_NOSUID | MS_NODEV, options)


STEPS = (
    ("restore signals", steps.restore_signals),
    ("take an unprivileged identity", become_inner_root),
    ("close inherited descriptors", close_inherited),
    ("leave the caller's keyring", steps.leave_keyring),
    ("bound kernel objects", steps.bound_kernel_objects),
    ("open the session's files", open_frozen_files),
    ("mount own /proc", steps.mount_own_proc),
    ("mount own scratch", mount_own_scratch),
    ("mount own terminals", steps.mount_own_terminals),
    ("close the back doors", steps.close_back_doors),
    ("raise own loopback", steps.raise_own_loopback),
)
