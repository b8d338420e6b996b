"""The start of a step: the state is told, and a process of the step's own says that it is ready."""

from __future__ import annotations

import select
import time

import plain_json as json
from attend.attendance import receive_from
from attend.host import HostGone
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


def wait_for_process(host: Host, code: CodeHandle, state: State, limits: Limits, before: set[int]) -> int:
    """The process of the step is the first new one that says it is ready; how long it may take is part of the step's
    time. `before` are the processes that there were already."""
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
            pid, data = receive_from(code.channel)
            if not data:
                raise StateGone(_KILLED)
            if pid in before and pid != state.pid:
                continue
            reader = readers.setdefault(pid, read_code())
            said = _read_first(reader, data)
            if pid not in before and said == READY:
                code.reports = reader
                return pid
            if pid == state.pid and said == NO_PROCESS:
                raise StepRefused(PROCESSES.reached(limits))
        elif state.pidfd in ready:
            raise StateGone(_KILLED)
    raise StateGone(TIMEOUT.reached(limits))


def _read_first(reader: FrameReader, data: bytes) -> bytes | None:
    try:
        reader.feed(data)
        frame = reader.next()
    except ValueError:
        return None
    return frame[0] if frame is not None else None
