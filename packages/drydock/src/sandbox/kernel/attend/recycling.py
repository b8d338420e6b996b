"""A slot that is used again, from inside. Its pid 1 is woken when a plain run is over that left nothing behind, and is
what runs are forked from then on: locked, it hears of a run only that one is wanted, and never of its request. If a
run connects to the network, pid 1 becomes the bridge that carries its bytes, and has no run after it.

    cloned -> asleep -> locked -> [ told: again -> the dead run reaped -> the next one forked ] -> gone
                               -> told: a way out -> bridge -> gone

Whether the slot may be used again is decided outside, by the lookout, which can be fooled by nobody here; what only
shows inside is looked at here. Whoever is in doubt ends, and the slot with it."""

from __future__ import annotations

import ctypes
import os

import clone
from attend import code_process, handover, way_out
from contain import reuse_steps, steps
from frames import AGAIN, WAY_OUT
from interpret.program import Program
from linux import libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from attend.member import Member

# The first process that is made in a namespace after pid 1: what every code process is.
CODE_PID = 2
_CREATE, _REMOVE = 0o1600, 0
_NULL = ctypes.c_void_p(0)


def is_wanted(member: Member) -> bool:
    """What pid 1 was woken for: another run in this slot, a bridge for the one that is under way, or anything else."""
    return handover.look(member.conversation.leash)[:1] in (AGAIN, WAY_OUT)


def main(member: Member, pid: int) -> NoReturn:
    """Pid 1, after the run of `pid`. Never returns; in each run, it raises the program that is to be executed."""
    try:
        steps.enter(reuse_steps.TEMPLATE_STEPS, member)
        objects = [0, 0, 0]
        while True:
            message, descriptors, _ = handover.take(member.conversation.leash, handover.MOST_JOB_BYTES)
            if message[:1] == WAY_OUT:
                way_out.become_bridge(member.conversation.leash, message, descriptors)
            if message[:1] != AGAIN:
                os._exit(0)
            connection, channel, last_pid = descriptors
            if not all(holds(pid, objects, int(message[1:])) for _, holds in CONDITIONS):
                os._exit(1)
            os.pwrite(last_pid, b"%d" % (CODE_PID - 1), 0)
            pid = clone.clone_child(0)
            if pid == 0:
                _become_code(member, connection, channel)
            if pid != CODE_PID:
                os._exit(1)
            for descriptor in descriptors:
                os.close(descriptor)
    except Program:
        raise
    except BaseException:  # a fault of ours: this slot ends, and the host has another built
        import traceback

        traceback.print_exc()
        os._exit(1)


def _is_only_child(pid: int, _objects: list[int], _file: int) -> bool:
    """Reaps it. Nobody else was left to us."""
    return _reap() == pid and _reap() is None


def _reap() -> int | None:
    """A dead child, 0 where all of them live. None: there is none."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0]
    except ChildProcessError:
        return None


def _made_no_objects(_pid: int, objects: list[int], _file: int) -> bool:
    """Objects of System V have numbers in the order in which they are made: the next is the one after ours, or somebody
    else has made one."""
    made = [libc.shmget(0, 1, _CREATE), libc.semget(0, 1, _CREATE), libc.msgget(0, _CREATE)]
    libc.shmctl(made[0], _REMOVE, _NULL)
    libc.semctl(made[1], 0, _REMOVE)
    libc.msgctl(made[2], _REMOVE, _NULL)
    expected, objects[:] = objects[:], [each + 1 for each in made]
    return made == expected


def _made_no_files(_pid: int, _objects: list[int], file: int) -> bool:
    """The same is true for files of the scratch, also for those that never had a name."""
    made = os.open("/tmp", os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        return os.fstat(made).st_ino == file
    finally:
        os.close(made)


# What only shows inside; the others are in `watched_member.py`.
CONDITIONS = (
    ("children", _is_only_child),
    ("objects", _made_no_objects),
    ("files", _made_no_files),
)


def _become_code(member: Member, connection: int, channel: int) -> NoReturn:
    """In the fork: what a member's first code process does, without the building."""
    try:
        steps.enter(reuse_steps.RUN_STEPS, member)
        member.conversation.enter_again(channel, connection)
        code_process.serve_again(member, handover.as_socket(connection))
    except Program:
        raise
    except BaseException:  # whatever it is, this process must end here
        os._exit(code_process.FAILED)
