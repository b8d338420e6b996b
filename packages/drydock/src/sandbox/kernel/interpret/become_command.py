"""The code process becomes the command that was asked for."""

from __future__ import annotations

import os
import signal

from contain import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from shapes import Json


def become_command(request: Json, code: bytes) -> NoReturn:
    argv = list(request["argv"])
    if request.get("script"):
        if len(code) < 100_000 and b"\0" not in code:
            name = request.get("filename") or argv[0]
            argv += ["-c", "--", code.decode("utf-8", "surrogateescape"), name] + request.get("args", [])
        else:
            argv += ["/proc/self/fd/%d" % _script(code)] + request.get("args", [])
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    if request.get("terminal"):
        terminal.enter(request["terminal"])
    try:
        if request.get("search"):
            # Whole, since Python looks for itself on the PATH of its environment by the name that it was called by.
            argv[0] = _find(argv[0], request["search"])
        os.execvpe(argv[0], argv, request["environment"])
    except FileNotFoundError:
        _refuse("command not found: %s" % argv[0], 127)
    except (OSError, ValueError) as error:
        _refuse("%s can't be executed: %s" % (argv[0], error), 126)


def _find(name: str, search: str) -> str:
    places = ("%s/%s" % (directory, name) for directory in search.split(":"))
    return next((place for place in places if os.access(place, os.X_OK)), name)


def _script(code: bytes) -> int:
    import tempfile

    descriptor, path = tempfile.mkstemp()
    os.write(descriptor, code)
    os.close(descriptor)
    reading = os.open(path, os.O_RDONLY)
    os.unlink(path)
    os.set_inheritable(reading, True)
    return reading


def _refuse(message: str, status: int) -> NoReturn:
    os.write(2, ("drydock: %s\n" % message).encode("utf-8", "backslashreplace"))
    os._exit(status)
