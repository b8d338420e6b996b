"""The start of a step: the state is told, and a process of the step's own says that it is ready. A step that is given
input sends the end along to which its warden writes."""

from __future__ import annotations

import os
import select
import stat
import time

import plain_json as json
from attend import handover
from attend.host import CHUNK, HostGone
from contain import process_status
from contain.limits import PROCESSES, TIMEOUT
from frames import CODE, NO_PROCESS, READY, STEP, read_code
from sessions.session_state import State, StateGone, StepRefused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from attend.code_handle import CodeHandle
    from attend.host import Host
    from frames import FrameReader
    from shapes import Json, Limits

_KILLED = {"kind": "signalled", "signal": "SIGKILL"}


def send_step(code: CodeHandle, message: Json, source: bytes) -> None:
    """Unread and incomplete output of the last step's process is dropped."""
    code.reports = read_code()
    code.channel.settimeout(message["limits"]["wallSeconds"])
    try:
        code.send((STEP, json.dumps(message).encode()), (CODE, source))
    except TimeoutError:
        raise StateGone(TIMEOUT.reached(message["limits"])) from None
    except OSError:
        raise StateGone(_KILLED) from None
    finally:
        code.channel.settimeout(None)


def wait_for_process(
    host: Host, code: CodeHandle, state: State, message: Json, before: set[int]
) -> tuple[int, int | None]:
    """(The process of the step, where its input is written to.) The process is the first new one that says it is ready;
    how long it may take is part of the step's time. `before` are the processes that there were already."""
    limits: Limits = message["limits"]
    deadline = time.monotonic() + limits["wallSeconds"]
    poll = select.poll()
    for descriptor in (code.channel.fileno(), host.fileno(), state.pidfd):
        poll.register(descriptor, select.POLLIN)
    # What each process says is read by itself: the words of one must not be left for another's report.
    readers: dict[int, FrameReader] = {}
    while time.monotonic() < deadline:
        ready = {descriptor for descriptor, _ in poll.poll(max(1, int((deadline - time.monotonic()) * 1000)))}
        if host.fileno() in ready and not host.fill():
            raise HostGone()
        if code.channel.fileno() in ready:
            data, descriptors, pid = handover.take(code.channel, CHUNK)
            if not data:
                raise StateGone(_KILLED)
            if pid not in before or pid == state.pid:
                reader = readers.setdefault(pid, read_code())
                said = _read_first(reader, data)
                if pid not in before and said == READY and _may_have_input(pid, state, message):
                    code.reports = reader
                    return pid, _choose_input(message, descriptors)
                if pid == state.pid and said == NO_PROCESS:
                    raise StepRefused(PROCESSES.reached(limits))
            _close_all(descriptors)
        elif state.pidfd in ready:
            raise StateGone(_KILLED)
    raise StateGone(TIMEOUT.reached(limits))


def _may_have_input(pid: int, state: State, message: Json) -> bool:
    """A process that an earlier step left running can take the step from the channel, and fork one that says it is
    ready. What a person types is for a child of the state alone, in the kernel's words."""
    return not message.get("input") or process_status.parent_of(pid) == state.pid


def _choose_input(message: Json, descriptors: list[int]) -> int | None:
    """A socket, and nothing else that the code could make its warden write to."""
    if message.get("input") and len(descriptors) == 1 and stat.S_ISSOCK(os.fstat(descriptors[0]).st_mode):
        return descriptors[0]
    _close_all(descriptors)
    return None


def _close_all(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _read_first(reader: FrameReader, data: bytes) -> bytes | None:
    try:
        reader.feed(data)
        frame = reader.next()
    except ValueError:
        return None
    return frame[0] if frame is not None else None
