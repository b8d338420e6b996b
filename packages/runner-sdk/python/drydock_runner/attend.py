"""Runs a runner to its end.

open --> ended     by run.completed or run.failed, by an exception, or by the return of the runner

After the end nothing is sent. A runner that yields after it, or after the run was cancelled, is stopped there.
"""

from __future__ import annotations

import asyncio
import json
import traceback
from typing import Any, Callable

from .host_api import LINE_BYTES, HostApi, call_in
from .results import Json, RunCancelled, completed, to_failure
from .runner import Context, Runner

TERMINALS = ("run.completed", "run.failed")
MESSAGES = ("message.delta", "message.completed")


class Attendance:
    """One run. `cancel` may be called by any thread."""

    def __init__(self, send: Callable[[Json], None], warn: Callable[[str], None]) -> None:
        self.send, self.warn = send, warn
        self.has_ended = self.has_message = False
        self.cancelled: RunCancelled | None = None
        self._stop_waiting: Callable[[], None] = lambda: None

    def cancel(self, ctx: Context, api: HostApi, reason: str) -> None:
        self.cancelled = RunCancelled(reason)
        ctx.cancelled.set()
        api.end(self.cancelled)
        self._stop_waiting()

    def run(self, runner: Runner, ctx: Context, api: HostApi) -> None:
        """Does not raise: what goes wrong is a result."""
        try:
            results = runner.run(ctx, api)
            if hasattr(results, "__aiter__"):
                asyncio.run(self._drain_async(results))
            else:
                self._drain(results)
            self._check_cancelled()
            if not self.has_ended and self.has_message:
                self.send(completed())
        except BaseException as error:
            if not self.cancelled:
                self.warn(traceback.format_exc())
            if not self.has_ended:
                self.send(to_failure(self.cancelled or error))
        api.end(RunCancelled("it has ended"))

    def _drain(self, results: Any) -> None:
        try:
            for result in results:
                if not self._take(result):
                    break
        finally:
            if hasattr(results, "close"):
                results.close()

    async def _drain_async(self, results: Any) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task:
            self._stop_waiting = lambda: call_in(loop, task.cancel)
        try:
            async for result in results:
                if not self._take(result):
                    break
        finally:
            if hasattr(results, "aclose"):
                await results.aclose()

    def _take(self, result: Any) -> bool:
        self._check_cancelled()
        kind = result.get("type") if isinstance(result, dict) else None
        if self.has_ended:
            self.warn(f"The runner yielded {kind} after the end of the run. It was dropped, and the runner stopped.")
            return False
        if not isinstance(kind, str):
            raise TypeError("The runner yielded something that is not a result. Results have a type, and data.")
        if len(json.dumps(result, ensure_ascii=False, allow_nan=False).encode()) + 300 > LINE_BYTES:
            raise ValueError(f"A result is too large. A message may have {LINE_BYTES} bytes.")
        self.has_ended = kind in TERMINALS
        self.has_message = self.has_message or kind in MESSAGES
        self.send(result)
        return True

    def _check_cancelled(self) -> None:
        if self.cancelled:
            raise self.cancelled
