"""The code process as who attends its run holds it."""

import os

from attend import handover
from frames import pack, read_code


class CodeHandle:
    """Its pid, its pipes, and the socket that it reports on."""

    def __init__(self, pid, channel, input_write, out, err):
        self.pid, self.input, self.out, self.err = pid, input_write, out, err
        self.channel = handover.as_socket(channel)
        self.reports = read_code()

    def close(self):
        self.channel.close()
        for descriptor in (self.input, self.out, self.err):
            if descriptor is not None:
                os.close(descriptor)

    def next_frame(self):
        """Waits for one frame; what comes after it stays for the next reader. None: the code process is gone."""
        frame = self.reports.next()
        while frame is None:
            data = self.channel.recv(1 << 16)
            if not data:
                return None
            self.reports.feed(data)
            frame = self.reports.next()
        return frame

    def send(self, *frames):
        self.channel.sendall(b"".join(pack(kind, payload) for kind, payload in frames))
