"""Waits for a command, and sees whether its tests still come to an end. It is put before the driver, as text."""

import os
import select
import time

SLICE_SECONDS = 1
TICKS = os.sysconf("SC_CLK_TCK")


class Stalls:
    """A test that never ends: so many seconds of processor time have gone by, and no test runner has told anything.
    Waiting takes no processor time, and what is no test runner is left alone."""

    def __init__(self, reports, seconds):
        self.reports, self.seconds = reports, seconds
        self.told, self.used, self.found = -1, 0.0, False

    def look(self):
        try:
            told = sum(entry.stat().st_size for entry in os.scandir(self.reports) if entry.name.endswith(".jsonl"))
        except OSError:
            return False
        used = processor_seconds()
        if told != self.told or used < self.used:
            self.told, self.used = told, used
        self.found = used - self.used >= self.seconds and self.has_begun()
        return self.found

    def has_begun(self):
        for entry in os.scandir(self.reports):
            if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as file:
                    if any(line.startswith(b'["start"') for line in file.read(1 << 20).splitlines()):
                        return True
        return False


def processor_seconds():
    """Of all processes that can be seen here, and of those that they have waited for."""
    total = 0
    for name in os.listdir("/proc"):
        if not name.isdigit() or name == "1":
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                total += sum(map(int, file.read().rpartition(b")")[2].split()[11:15]))
        except (OSError, ValueError):
            pass
    return total / TICKS


def wait(pid, seconds, watch=None):
    """The command's exit status; None where it has not ended by then, or where it stalls."""
    end = time.monotonic() + max(0, seconds)
    try:
        descriptor = os.pidfd_open(pid)
    except (OSError, AttributeError):
        return wait_by_asking(pid, end, watch)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    try:
        while True:
            left = end - time.monotonic()
            if poll.poll(max(0, left if watch is None else min(left, SLICE_SECONDS)) * 1000):
                return read_status(os.waitpid(pid, 0)[1])
            if left <= 0 or (watch is not None and watch.look()):
                return None
    finally:
        os.close(descriptor)


def wait_by_asking(pid, end, watch):
    looked = time.monotonic()
    while time.monotonic() < end:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return read_status(status)
        if watch is not None and time.monotonic() - looked > SLICE_SECONDS:
            looked = time.monotonic()
            if watch.look():
                return None
        time.sleep(0.01)
    return None


def read_status(status):
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code
