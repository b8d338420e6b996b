"""Containment of a slot that is used again, in order. Its pid 1 gives up what it does not need to start runs with,
once, in `TEMPLATE_STEPS`: each run is a fork of it, which has only the rest to give up, in `RUN_STEPS`."""

from __future__ import annotations

import linux
from contain import steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import ContainedMember, ConversingMember

# To become the code's user, and to count processes from the start again.
KEPT_CAPABILITIES = linux.CAP_SETUID | linux.CAP_SETGID | linux.CAP_CHECKPOINT_RESTORE


def close_inherited(member: ConversingMember) -> None:
    # The number of the code's channel stays taken: nothing that a run needs on its way is found there.
    linux.close_all_but([steps.CHANNEL, member.conversation.leash.fileno()])


def drop_most_capabilities(member: ContainedMember) -> None:
    linux.drop_capabilities(but=KEPT_CAPABILITIES)


TEMPLATE_STEPS = (
    ("close inherited descriptors", close_inherited),
    ("restore signals", steps.restore_signals),
    ("take an unprivileged identity", steps.become_inner_root),
    ("leave the caller's keyring", steps.leave_keyring),
    ("empty the bounding set", steps.empty_bounding_set),
    ("forbid core dumps", steps.forbid_core_dumps),
    ("forbid priorities", steps.forbid_priorities),
    ("bound kernel memory", steps.bound_kernel_memory),
    ("drop most capabilities", drop_most_capabilities),
    ("refuse new privileges", steps.refuse_new_privileges),
    ("filter system calls", steps.filter_system_calls),
)

RUN_STEPS = (
    ("start own session", steps.start_own_session),
    ("drop the identity", steps.drop_identity),
    ("drop all capabilities", steps.drop_capabilities),
    ("prefer to die when memory runs out", steps.prefer_to_die),
)
