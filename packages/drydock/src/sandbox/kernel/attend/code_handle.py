"""The code process as who attends its run holds it."""

from __future__ import annotations

import os

from attend import handover
from attend.host import CHUNK
from frames import pack, read_code


class CodeHandle:
    """Its pid, its pipes, and the socket that it reports on."""

    def __init__(self, pid: int, channel: int, input_write: int, out: int, err: int) -> None:
        self.pid, self.out, self.err = pid, out, err
        self.input: int | None = input_write
        self.channel = handover.as_socket(channel)
        self.reports = read_code()
        self.port: int | None = None  # where its connections to the network come in, if it may make any

    def close(self) -> None:
        """Once: the numbers may be somebody else's by the second time."""
        self.channel.close()
        self.close_port()
        held, self.input, self.out, self.err = (self.input, self.out, self.err), None, -1, -1
        for descriptor in held:
            if descriptor is not None and descriptor >= 0:
                os.close(descriptor)

    def close_input(self) -> None:
        """Closes the code's input: it reads no more than was sent."""
        if self.input is not None:
            os.close(self.input)
            self.input = None

    def close_port(self) -> None:
        if self.port is not None:
            os.close(self.port)
            self.port = None

    def take_request(self) -> bytes | None:
        """Of a plain run. The port of its way out comes along, where it has one."""
        data, descriptors, _ = handover.take(self.channel, CHUNK)
        self.port = next(iter(descriptors), None)
        self.reports.feed(data)
        frame = self.next_frame()
        return frame[1] if frame else None

    def next_frame(self) -> tuple[bytes, bytes] | None:
        """Waits for one frame; what comes after it stays for the next reader. None: the code process is gone."""
        frame = self.reports.next()
        while frame is None:
            data = self.channel.recv(CHUNK)
            if not data:
                return None
            self.reports.feed(data)
            frame = self.reports.next()
        return frame

    def send(self, *frames: tuple[bytes, bytes]) -> None:
        self.channel.sendall(b"".join(pack(kind, payload) for kind, payload in frames))
