"""What crosses the socket between host and warden, and the pipe between warden and code: length, kind, payload."""

from __future__ import annotations

import struct

import plain_json as json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shapes import Json

HEADER = struct.Struct(">IB")
MAX_FRAME = 256 << 20

# host to member; a PLAIN request needs nothing of the warden but its watch, and the code process may take it straight
# away
PLAIN = b"P"
# there is time: the member goes once through what a run will do, so that the run is faster
REHEARSE = b"V"
# host to warden
REQUEST, CODE, INPUT, INPUT_END, CANCEL, STEP, ROLLBACK = b"R", b"K", b"I", b"E", b"C", b"S", b"B"
# host to warden, and warden to code: copies of the session are wanted, the code process goes to its fork point
FORK = b"F"
# the payload of one that asks for less: that it has no threads any more
SHED = b"shed"
# a program that asks for trial forks, and its warden (sessions.trial_forks)
FORK_SEIZED, FORK_ENDED, FORK_REFUSED, NETWORK, READING = b"z", b"e", b"!", b"N", b"R"
# code to warden: the step could not begin, as no process could be made for it
NO_PROCESS = b"x"
# between a request and its code: one entry of the layer that it starts from, with the first piece of its content; the
# next piece
SEED, SEED_MORE = b"L", b"M"
# host to the warden of a live run: its terminal has another size, so many bytes of output were shown, the terminal is
# gone; and in both directions: a copy of its files is wanted (it was sent), files are to be as they were (they are)
RESIZE, SHOWN, HANG_UP, CHECKPOINT, REWIND = b"z", b"s", b"u", b"k", b"b"
# warden to host
HELLO, STDOUT, STDERR, FIGURE, ENTRY, CONTENT, TAKEN, DONE = b"H", b"o", b"e", b"f", b"n", b"c", b"a", b"D"
# host to lookout, and lookout to pid 1: another run in this slot, where nothing is left of the last one
AGAIN = b"G"
# warden to host: somebody connects to the way out; host to warden, and lookout to pid 1: the proxy's socket and the
# token that it knows the run by
WAY_OUT = b"N"
# code to warden; YOURS: the request at the door is one for the warden
READY, REPORT, YOURS = b"r", b"j", b"y"
# code to warden, and warden to host: the code waits for input, and what it has printed so far is sent
ASK = b"q"
# how its payload begins where what is typed must not be shown; the prompt follows, as a part of standard error
HIDDEN = b"h"
# the guard has let the code through, which runs from here on: later messages about the guard are forged
PASSED = b"g"
# one byte by itself, with the listener of an observed run
LISTENER = b"w"


def pack(kind: bytes, payload: bytes = b"") -> bytes:
    return HEADER.pack(len(payload), kind[0]) + payload


def pack_done(message: Json, report: bytes = b"") -> bytes:
    """The warden's own words, and beside them, unread, what the code said of itself."""
    body = json.dumps(message).encode()
    return len(body).to_bytes(4, "big") + body + report


# The interpreters inside write at most 1 MB of text for a result, encoded as a string of at most three times that.
REPORT_LIMIT = 4 << 20
# A notebook's cell shows more. The host holds such a report several times over for a moment.
SESSION_REPORT_LIMIT = 6 << 20
FIGURE_LIMIT = 32 << 20


def read_code() -> FrameReader:
    """A reader of what the code's own process sends."""
    return FrameReader(REPORT_LIMIT, FIGURE_LIMIT)


class FrameReader:
    """Collects bytes as they come and gives back whole frames. The limits bound what an untrusted writer can make us
    hold."""

    def __init__(self, limit: int = MAX_FRAME, figure_limit: int = MAX_FRAME) -> None:
        self._buffer = bytearray()
        self.limit, self._figure_limit = limit, figure_limit

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def rest(self) -> bytes:
        return bytes(self._buffer)

    def next(self) -> tuple[bytes, bytes] | None:
        if len(self._buffer) < 5:
            return None
        length, kind = HEADER.unpack_from(self._buffer)
        if length > (self._figure_limit if kind == FIGURE[0] else self.limit):
            raise ValueError("a frame of %d bytes is over the limit" % length)
        if len(self._buffer) < 5 + length:
            return None
        payload = bytes(self._buffer[5 : 5 + length])
        del self._buffer[: 5 + length]
        return bytes([kind]), payload
