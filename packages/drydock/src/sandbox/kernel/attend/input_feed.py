"""What the host sends for the code to read, on its way into the code's input; and the code's questions for more."""

from __future__ import annotations

import os
import select

from attend.host import CHUNK
from frames import ASK, INPUT, INPUT_END, TAKEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from attend.code_handle import CodeHandle
    from attend.host import Host


class InputFeed:
    """Of one run or step. `poll` is that of who attends it."""

    def __init__(self, host: Host, code: CodeHandle, poll: select.poll) -> None:
        self._host, self._code, self._poll = host, code, poll
        self._pending = bytearray()
        self._ended = self._is_asked = False

    def take(self, kind: bytes, payload: bytes) -> None:
        """A message of the host's, if it is about input."""
        if kind == INPUT:
            self._is_asked = False
            self._pending += payload
            self._want()
        elif kind == INPUT_END:
            self._ended = True
            self._want()

    def may_ask(self) -> bool:
        """One question at a time: a code that asks without end asks once for each answer."""
        return not self._is_asked and not self._ended and self._code.input is not None

    def ask(self, payload: bytes) -> None:
        self._is_asked = True
        self._host.send(ASK, payload)

    def feed(self, descriptor: int) -> None:
        """The code's input has room."""
        try:
            self._tell_taken(os.write(descriptor, self._pending[:CHUNK]))
        except BlockingIOError:
            return
        except OSError:
            self._tell_taken(len(self._pending))  # the code does not read any more
            self._ended = True
        if not self._pending:
            self._poll.unregister(descriptor)
            if self._ended:
                self._code.close_input()

    def end(self) -> None:
        """Whoever typed is gone."""
        if self._pending and self._code.input is not None:
            self._poll.unregister(self._code.input)
            self._tell_taken(len(self._pending))
        self._ended = True
        self._code.close_input()

    def _want(self) -> None:
        if self._code.input is None:
            self._tell_taken(len(self._pending))
        elif self._pending:
            os.set_blocking(self._code.input, False)
            self._poll.register(self._code.input, select.POLLOUT)
        elif self._ended:
            self._code.close_input()

    def _tell_taken(self, size: int) -> None:
        """The host sends only so much ahead of what it hears was taken."""
        if size:
            del self._pending[:size]
            self._host.send(TAKEN, size.to_bytes(4, "big"))
