"""For a start in haste: control groups are made beside the imports, not after them."""

from __future__ import annotations

import os
import time

from contain import cgroups


class GroupMaker:
    """A child that makes the groups while the interpreter is still importing. Then it moves itself to where it is,
    again and again: that changes nothing, but a move waits for a grace period of the kernel unless there was one a
    moment ago."""

    def __init__(self, instance: str, record: str) -> None:
        self._said, says = os.pipe()
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                groups = cgroups.hierarchy(instance)
                try:
                    cgroups.make(groups, record)
                    os.write(says, b"made")
                except (OSError, ValueError, KeyError) as error:
                    os.write(says, str(error).encode())
                    os._exit(0)
                _stay_warm(parent)
            finally:
                os._exit(0)
        os.close(says)

    def wait(self) -> None:
        said = os.read(self._said, 4096)
        os.close(self._said)
        if said != b"made":
            raise OSError(0, said.decode() or "the helper is gone")

    def stop(self) -> None:
        import signal

        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _stay_warm(parent: int) -> None:
    own = cgroups.own_paths()
    unified = os.path.exists(os.path.join(cgroups.CGROUP_ROOT, "cgroup.controllers"))
    files = (
        [cgroups.CGROUP_ROOT + own.get("", "/") + "/cgroup.procs"]
        if unified
        else [
            os.path.join(cgroups.CGROUP_ROOT, name, own.get(name, "/").lstrip("/"), "cgroup.procs")
            for name in cgroups.CONTROLLERS
        ]
    )
    end = time.monotonic() + 1
    while time.monotonic() < end and os.getppid() == parent:
        for path in files:
            cgroups.write(path, "%d" % os.getpid())
        time.sleep(0.004)
