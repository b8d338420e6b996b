"""Calls of the host API: blocking in generators, awaited in async generators."""

from __future__ import annotations

import asyncio
import concurrent.futures
import itertools
import json
import queue
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Callable, Protocol

from .results import ApiError, Json
from .runner import Context

LINE_BYTES = 4 * 1024 * 1024
HOST_METHODS = tuple(
    "invoke_llm invoke_llm_stream invoke_rerank count_tokens get_tool_detail call_tool list_knowledge_bases "
    "retrieve_knowledge history_page history_search event_get event_page steering_pull artifact_metadata artifact_read "
    "artifact_read_range state_get state_set state_delete state_list get_plugin_storage set_plugin_storage "
    "delete_plugin_storage get_plugin_storage_keys get_workspace_storage set_workspace_storage "
    "delete_workspace_storage get_workspace_storage_keys get_file "
    "harness_open harness_send harness_read harness_close get_prompt get_host_version".split()
)

SETTERS = ("set_plugin_storage", "set_workspace_storage")
# Of base64: 2 MiB and a little less, so that no part but the last one is padded.
PART_CHARS = 2_796_200

Future = concurrent.futures.Future


class Port(Protocol):
    """Carries calls to the host. Chunks of a stream go to its listener."""

    listeners: dict[str, Callable[[Json], object]]

    def start(self, method: str, params: Json) -> Future[Any]: ...


class HostApi:
    """One method for each call of the host API, with its params by name. In async generators calls are awaited."""

    def __init__(self, ctx: Context, port: Port) -> None:
        self._ctx, self._port, self._numbers = ctx, port, itertools.count(1)
        self._open: set[Future[Any]] = set()
        self._refusal: Exception | None = None

    def end(self, reason: Exception) -> None:
        """Ends what waits, and refuses what comes."""
        self._refusal = reason
        for future in list(self._open):
            settle(future, error=reason)

    def _start(self, method: str, params: Json) -> Future[Any]:
        if self._refusal:
            raise self._refusal
        self._rest_seconds(method)
        line = {**params, "run_id": self._ctx.fields["run_id"]}
        if len(json.dumps(line, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")) + 200 > LINE_BYTES:
            raise ApiError("payload_too_large", f"{method}: a message may have {LINE_BYTES} bytes.")
        future = self._port.start(method, line)
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        if self._refusal:
            # The run was cancelled while the call was on its way.
            settle(future, error=self._refusal)
        return future

    def _rest_seconds(self, method: str) -> float | None:
        deadline = (self._ctx.fields.get("runtime") or {}).get("deadline_at")
        if deadline is None:
            return None
        if deadline <= time.time():
            raise late(method)
        return min(deadline - time.time(), threading.TIMEOUT_MAX)

    def _wait(self, method: str, future: Future[Any]) -> Any:
        try:
            return future.result(self._rest_seconds(method))
        except concurrent.futures.TimeoutError:
            raise late(method) from None

    async def _await(self, method: str, future: Future[Any]) -> Any:
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._rest_seconds(method))
        except asyncio.TimeoutError:
            raise late(method) from None

    def __getattr__(self, method: str) -> Callable[..., Any]:
        if method not in HOST_METHODS:
            raise AttributeError(f"the host API has no {method}")
        is_async = _has_loop()
        if method == "invoke_llm_stream":
            return self._stream_async if is_async else self._stream
        if method in SETTERS:
            return lambda **params: (self._set_async if is_async else self._set)(method, params)
        wait = self._await if is_async else self._wait
        return lambda **params: wait(method, self._start(method, params))

    def _set(self, method: str, params: Json) -> Any:
        answer = None
        for part in split_value(params):
            answer = self._wait(method, self._start(method, part))
        return answer

    async def _set_async(self, method: str, params: Json) -> Any:
        answer = None
        for part in split_value(params):
            answer = await self._await(method, self._start(method, part))
        return answer

    def _open_stream(self, params: Json, push: Callable[[Json | None], object]) -> tuple[str, Future[Any]]:
        stream_id = f"{str(self._ctx.fields['run_id'])[:80]}:{next(self._numbers)}"
        self._port.listeners[stream_id] = push
        try:
            future = self._start("invoke_llm_stream", {**params, "stream_id": stream_id})
        except BaseException:
            self._port.listeners.pop(stream_id, None)
            raise
        future.add_done_callback(lambda _: push(None))
        return stream_id, future

    def _stream(self, **params: Any) -> Iterator[Json]:
        chunks: queue.SimpleQueue[Json | None] = queue.SimpleQueue()
        stream_id, future = self._open_stream(params, chunks.put)
        try:
            while True:
                try:
                    chunk = chunks.get(timeout=self._rest_seconds("invoke_llm_stream"))
                except queue.Empty:
                    raise late("invoke_llm_stream") from None
                if chunk is None:
                    return self._wait("invoke_llm_stream", future)
                yield chunk
        finally:
            self._port.listeners.pop(stream_id, None)

    async def _stream_async(self, **params: Any) -> AsyncIterator[Json]:
        chunks: asyncio.Queue[Json | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        stream_id, future = self._open_stream(params, lambda each: call_in(loop, chunks.put_nowait, each))
        try:
            while True:
                try:
                    chunk = await asyncio.wait_for(chunks.get(), self._rest_seconds("invoke_llm_stream"))
                except asyncio.TimeoutError:
                    raise late("invoke_llm_stream") from None
                if chunk is None:
                    break
                yield chunk
            await self._await("invoke_llm_stream", future)
        finally:
            self._port.listeners.pop(stream_id, None)


def split_value(params: Json) -> Iterator[Json]:
    """A value that is larger than a message is sent in parts. It is stored when the last one has arrived."""
    value = params.get("value")
    if not isinstance(value, str) or len(value) <= PART_CHARS or params.get("offset") is not None:
        yield params
        return
    total = len(value) // 4 * 3 - value[-2:].count("=")
    for start in range(0, len(value), PART_CHARS):
        part = value[start : start + PART_CHARS]
        yield {**params, "value": part, "offset": start // 4 * 3, "total_bytes": total}


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def call_in(loop: asyncio.AbstractEventLoop, action: Callable[..., object], *values: object) -> None:
    """Calls it in the thread of the loop. Where the run has ended meanwhile, nobody is left to hear of it."""
    try:
        loop.call_soon_threadsafe(action, *values)
    except RuntimeError:
        # The loop is closed.
        pass


def late(method: str) -> ApiError:
    return ApiError("deadline_exceeded", f"The deadline of the run passed before {method} was answered.")


def settle(future: Future[Any], value: Any = None, error: Exception | None = None) -> None:
    """Answers a call. One that was answered or given up before keeps what it has."""
    try:
        if error:
            future.set_exception(error)
        else:
            future.set_result(value)
    except concurrent.futures.InvalidStateError:
        pass
