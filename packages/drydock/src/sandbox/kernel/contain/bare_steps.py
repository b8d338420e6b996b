"""Containment without namespaces, in order, as in `steps`. The warden stays outside of the walls and watches; the code
process gives up everything but its own directory before it may read a request. For an unconfined run there are no
walls: its steps only see to it that nothing outlives the run."""

from __future__ import annotations

import os
import signal

import linux
from contain import landlock, rootfs, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import BareContained

PLACES = ("work", "tmp", "home", "bin")


def end_in_order(member: BareContained) -> None:
    """Here only the warden can end its processes: it must get the chance to do so."""
    signal.signal(signal.SIGTERM, lambda *_: member.leave())
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != member.fork_server:
        member.leave()


def inherit_orphans(member: BareContained) -> None:
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)


def scope_own_signals(member: BareContained) -> None:
    landlock.scope_signals(member.fork_server)


def make_own_scratch(member: BareContained) -> None:
    os.mkdir(member.base, 0o700)
    for name in PLACES:
        os.mkdir("%s/%s" % (member.base, name), 0o700)
    for name, target in member.tools:
        os.symlink(target, "%s/bin/%s" % (member.base, name))
    if member.own_user is not None:
        for place in (member.base, *("%s/%s" % (member.base, name) for name in PLACES)):
            os.chown(place, member.own_user, member.own_user)
    member.scratch = os.open(member.base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


UNCONFINED_MEMBER_STEPS = (
    ("restore signals", steps.restore_signals),
    ("end in order", end_in_order),
    ("inherit orphans", inherit_orphans),
    ("make own scratch", make_own_scratch),
    ("close inherited descriptors", steps.close_inherited),
)
LANDLOCK_MEMBER_STEPS = UNCONFINED_MEMBER_STEPS + (
    ("leave the caller's keyring", steps.leave_keyring),
    ("scope own signals", scope_own_signals),
)


def die_with_warden(member: BareContained) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    linux.die_with_parent()


def drop_identity(member: BareContained) -> None:
    """As root the code runs as a user of its own. An ordinary user can't change to another user."""
    if member.own_user is not None:
        os.setgroups([])
        os.setresgid(member.own_user, member.own_user, member.own_user)
        os.setresuid(member.own_user, member.own_user, member.own_user)
        linux.die_with_parent()  # a change of identity clears it


def restrict_files(member: BareContained) -> None:
    system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
    settings = ["/etc/" + name for name in (*rootfs.ETC_FILES, *rootfs.ETC_DIRECTORIES, "ssl/openssl.cnf")]
    settings += ["/etc/" + name for name in os.listdir("/etc") if name.startswith("python3")]
    landlock.restrict(system + settings + member.readable, ["/dev/" + name for name in rootfs.DEVICES], member.base)


UNCONFINED_CODE_STEPS = (
    ("start own session", steps.start_own_session),
    ("die with the warden", die_with_warden),
)
LANDLOCK_CODE_STEPS = (
    ("start own session", steps.start_own_session),
    ("die with the warden", die_with_warden),
    ("forbid core dumps", steps.forbid_core_dumps),
    ("forbid priorities", steps.forbid_priorities),
    ("bound kernel memory", steps.bound_kernel_memory),
    ("prefer to die when memory runs out", steps.prefer_to_die),
    ("drop the identity", drop_identity),
    ("drop all capabilities", steps.drop_capabilities),
    ("refuse new privileges", steps.refuse_new_privileges),
    ("own /proc entries", steps.own_proc_entries),
    ("restrict files, network and signals", restrict_files),
    ("filter system calls", steps.filter_system_calls),
)
