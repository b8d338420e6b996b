"""Takes control groups away, with whatever is left in them."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def remove_cgroups(directories: Iterable[str]) -> bool:
    """Ends whatever still runs inside and removes the groups; True if nothing is left."""
    clean = True
    for directory in directories:
        if not os.path.isdir(directory):
            continue
        slots = [entry.path for entry in os.scandir(directory) if entry.is_dir()]
        for path in slots + [directory]:
            clean = _remove_one(path) and clean
    return clean


def _remove_one(path: str) -> bool:
    import signal
    import time

    for _ in range(200):
        try:
            os.rmdir(path)
            return True
        except FileNotFoundError:
            return True
        except OSError:
            try:
                with open(path + "/cgroup.procs") as members:
                    for pid in members.read().split():
                        os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
            time.sleep(0.005)
    return False
