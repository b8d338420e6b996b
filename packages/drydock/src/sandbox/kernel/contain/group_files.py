"""The settings files of a control group."""

from __future__ import annotations

import errno
import os
import time


def write(path: str, text: str, directory: int | None = None) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC, dir_fd=directory)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def open_directory(path: str) -> int:
    """By descriptor, so that it stays in reach when the new root hides the host's files."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def make_slot(handle: int, name: str) -> None:
    try:
        os.mkdir(name, dir_fd=handle)
    except FileExistsError:
        pass


def write_when_free(descriptor: int, amount: bytes) -> int:
    """The kernel takes shared segments of a namespace away a while after its last process is gone: until then the next
    run in this slot finds them in its group."""
    for _ in range(400):
        try:
            return os.write(descriptor, amount)
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            time.sleep(0.005)
    return os.write(descriptor, amount)
