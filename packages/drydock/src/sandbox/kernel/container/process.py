"""An engine's process with the pipes to its container's warden, and the end of all of it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time

import linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contain.cgroups import SlotV1
    from container.engines import Engine, Order

MOST_WORDS = 4000
PATIENCE_S = 5.0
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/root",
}


class ContainerProcess:
    def __init__(self, engine: Engine, order: Order, group: SlotV1) -> None:
        self._engine, self._order, self._group = engine, order, group
        self._words = b""
        self._process = subprocess.Popen(
            engine.arguments(order),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,
            # This process has no threads.
            preexec_fn=self._join_group if engine.is_in_group else _live_with_parent,  # noqa: PLW1509
        )
        self.input, self.out, self.err = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr) if stream
        )
        os.set_blocking(self.input, False)

    def _join_group(self) -> None:
        self._group.attach(os.getpid())
        _live_with_parent()

    def hear(self) -> bool:
        """What the engine or the warden complains about. False: they have nothing more to say."""
        data = os.read(self.err, 1 << 16)
        self._words = (self._words + data)[-MOST_WORDS:]
        return bool(data)

    def last_words(self) -> str:
        while select.select([self.err], [], [], 0)[0] and self.hear():
            pass
        return self._words.decode("utf-8", "replace").strip()

    def end(self) -> None:
        """Kills everything in the container, and waits until the engine has cleaned up. What it does not do by itself
        it is told to do."""
        self._close_input()
        if not self._ends_within(0.5 if self._engine.is_in_group else 0.0):
            self.kill()
        if not self._ends_within(PATIENCE_S):
            self._tell(self._engine.remove(self._order))
            self._process.kill()
            self._process.wait()
        self.kill()

    def finish(self) -> None:
        """The warden has said how the run ended, and leaves."""
        self._close_input()
        if not self._ends_within(PATIENCE_S):
            self.end()
        self.kill()

    def _close_input(self) -> None:
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()

    def _ends_within(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def kill(self) -> None:
        """All that is in the group, until nothing is."""
        deadline = time.monotonic() + PATIENCE_S
        while (members := self._group.members()) and time.monotonic() < deadline:
            for pid in members:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass  # it ended meanwhile
            time.sleep(0.002)

    def _tell(self, command: list[str]) -> None:
        try:
            subprocess.run(
                command, capture_output=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL, env=ENVIRONMENT, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            pass  # the next start finds what is left


def _live_with_parent() -> None:
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
