"""The part of a request or a step that goes to a session's code process."""

from __future__ import annotations

from contain.limits import PROCESSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from attend.member import Member
    from shapes import Json


def for_code(member: Member, message: Json) -> Json:
    """The kernel counts a user's processes together with those in namespaces below: with its forks, a session would
    have too many. Where a group limits them, that is not needed."""
    if member.group is None:
        return message
    return {**message, "limits": {key: value for key, value in message["limits"].items() if key != PROCESSES.key}}
