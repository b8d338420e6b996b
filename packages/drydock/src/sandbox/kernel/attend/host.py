"""The host, as who attends a run speaks with it."""

from __future__ import annotations

from frames import FrameReader, pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from shapes import Socket

CHUNK = 1 << 16


class HostGone(Exception):
    pass


class Host:
    """This end of the socket."""

    def __init__(self, connection: Socket) -> None:
        self.connection = connection
        self._reader = FrameReader()
        self._unsent = b""

    def fileno(self) -> int:
        return self.connection.fileno()

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        self._unsent += pack(kind, payload)
        self.flush()

    def send_soon(self, kind: bytes, payload: bytes) -> None:
        """With what comes next, if that is not long in coming: the end of a run often follows its output at once."""
        self._unsent += pack(kind, payload)
        if len(self._unsent) > CHUNK:
            self.flush()

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    @property
    def is_drained(self) -> bool:
        """Whether nothing is left here of what was said."""
        return not self._unsent and not self._reader.rest()

    def flush(self) -> None:
        unsent, self._unsent = self._unsent, b""
        try:
            if unsent:
                self.connection.sendall(unsent)
        except OSError as error:
            raise HostGone() from error

    def fill(self) -> bool:
        data = self.connection.recv(CHUNK)
        self._reader.feed(data)
        return bool(data)

    def wait_for_hang_up(self) -> None:
        """The host closes when it has read everything. Closing first, with something of it unread, would cut our last
        words off."""
        try:
            while self.connection.recv(CHUNK):
                pass
        except OSError:
            pass

    def each_buffered(self, take: Callable[[bytes, bytes], None]) -> None:
        frame = self._reader.next()
        while frame:
            take(*frame)
            frame = self._reader.next()

    def put_back(self, data: bytes) -> None:
        """Bytes that somebody else read from the connection, before anything else was read here."""
        self._reader.feed(data)

    def receive(self) -> tuple[bytes, bytes]:
        while True:
            frame = self._reader.next()
            if frame:
                return frame
            if not self.fill():
                raise HostGone()
