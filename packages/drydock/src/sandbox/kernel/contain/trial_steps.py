"""Containment of trial forks, in order. The pid 1 of their place begins in namespaces of its own and in the mounts of
its run. For each fork it makes mounts anew, and covers all that can be written with layers that no other fork has."""

from __future__ import annotations

import os

import linux
from contain import fork_steps, steps
from linux import MS_BIND, MS_NODEV, MS_NODIRATIME, MS_NOSUID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import TrialMember

PLACES = {"work": "/work", **fork_steps.PLACES}
_LIMITS = ("mnt", "ipc", "net")
_ENOUGH = b"1000000"


def hold_limits(member: TrialMember) -> None:
    """While they can still be written: no process but this one may make a namespace here."""
    for kind in _LIMITS:
        path = "/proc/sys/user/max_%s_namespaces" % kind
        member.limits.append(os.open(path, os.O_WRONLY | os.O_CLOEXEC))


def hold_base(member: TrialMember) -> None:
    member.base = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)


def renew_namespaces(member: TrialMember) -> None:
    linux.enter_mounts(member.base)
    _allow(member, _ENOUGH)
    try:
        kinds = linux.CLONE_NEWNS | linux.CLONE_NEWIPC
        linux.unshare(kinds | linux.CLONE_NEWNET if member.own_network else kinds)
    finally:
        _allow(member, b"0")


def _allow(member: TrialMember, number: bytes) -> None:
    for descriptor in member.limits:
        os.pwrite(descriptor, number, 0)


def mount_own_layers(member: TrialMember) -> None:
    """The run's files are below as they are now: who asks for a fork changes nothing while it lasts."""
    below = {name: os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for name, path in PLACES.items()}
    flags = MS_NOSUID | MS_NODEV | MS_NODIRATIME
    linux.mount("scratch", "/.scratch", "tmpfs", flags, steps.scratch_options(member.disk_bytes))
    for name, path in PLACES.items():
        fork_steps.mount_layer(below[name], name, path)
        os.close(below[name])
    linux.mount("/tmp", "/var/tmp", None, MS_BIND)


def raise_loopback(member: TrialMember) -> None:
    if member.own_network:
        linux.raise_loopback()


STEPS = (
    ("restore signals", steps.restore_signals),
    ("take an unprivileged identity", fork_steps.become_inner_root),
    ("close inherited descriptors", fork_steps.close_inherited),
    ("leave the caller's keyring", steps.leave_keyring),
    ("bound kernel objects", steps.bound_kernel_objects),
    ("hold the limits of namespaces", hold_limits),
    ("mount own /proc", steps.mount_own_proc),
    ("hold the mounts", hold_base),
)

# For each fork, when nothing of the one before is left.
FRESH_STEPS = (
    ("renew the namespaces", renew_namespaces),
    ("mount own layers", mount_own_layers),
    ("mount own terminals", steps.mount_own_terminals),
    ("close the back doors", steps.close_back_doors),
    ("raise own loopback", raise_loopback),
)
