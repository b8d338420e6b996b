"""The code process as who attends its run holds it."""

from __future__ import annotations

import os

from attend import handover
from frames import pack, read_code


class CodeHandle:
    """Its pid, its pipes, and the socket that it reports on."""

    def __init__(self, pid: int, channel: int, input_write: int, out: int, err: int) -> None:
        self.pid, self.out, self.err = pid, out, err
        self.input: int | None = input_write
        self.channel = handover.as_socket(channel)
        self.reports = read_code()

    def close(self) -> None:
        """Once: the numbers may be somebody else's by the second time."""
        self.channel.close()
        held, self.input, self.out, self.err = (self.input, self.out, self.err), None, -1, -1
        for descriptor in held:
            if descriptor is not None and descriptor >= 0:
                os.close(descriptor)

    def close_input(self) -> None:
        """Closes the code's input: it reads no more than was sent."""
        if self.input is not None:
            os.close(self.input)
            self.input = None

    def next_frame(self) -> tuple[bytes, bytes] | None:
        """Waits for one frame; what comes after it stays for the next reader. None: the code process is gone."""
        frame = self.reports.next()
        while frame is None:
            data = self.channel.recv(1 << 16)
            if not data:
                return None
            self.reports.feed(data)
            frame = self.reports.next()
        return frame

    def send(self, *frames: tuple[bytes, bytes]) -> None:
        self.channel.sendall(b"".join(pack(kind, payload) for kind, payload in frames))
