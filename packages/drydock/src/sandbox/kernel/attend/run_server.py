"""The life of a fork server: it prepares, reports that it is ready, and serves until its clients are gone."""

from __future__ import annotations

import os
import sys
import time

import linux
from attend.member import Missing, say
from interpret import shadowed_modules
from interpret.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from attend.server import Server


def run(server: Server, started: float) -> NoReturn:
    """Serves until its clients are gone; never returns. In a member, it raises the program that is to be executed."""
    linux.die_with_parent()
    config = server.config
    if os.getppid() != config["host"]:
        os._exit(1)  # it died before the kernel knew that we want to die with it
    try:
        if not linux.NUMBERS:
            raise OSError(0, "the machine type %s is not supported" % linux.MACHINE)
        server.prepare()
    except BaseException as error:
        import traceback

        missing = error.what if isinstance(error, Missing) else None
        say(event="failed", missing=missing, reason=str(error), detail=traceback.format_exc())
        os._exit(1)
    if config["hasty"]:
        server.spawn(config["hasty"])
        server.stop_helper()
    say(
        event="ready",
        level=server.level,
        levelReason=server.level_reason,
        modules=shadowed_modules.imported() if server.has_preloaded else [],
        python=sys.version.split()[0],
        rootless=server.rootless,
        startMs=int((time.monotonic() - started) * 1000),
    )
    try:
        server.serve()
    except Program:
        raise  # this is a member
    except BaseException:
        import traceback

        traceback.print_exc()
    server.stop()
    os._exit(0)
