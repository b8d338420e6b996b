"""The main program of a plugin: serves its runners to the host on stdin and stdout, or on a WebSocket."""

from __future__ import annotations

import io
import itertools
import json
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Callable, NamedTuple, NoReturn

from .attend import Attendance
from .host_api import Future, HostApi, settle
from .results import ApiError, Json
from .runner import Context, Runner
from .web_socket import connect

PROTOCOL_VERSIONS = ("1",)
HOST_LINE_BYTES = 16 * 1024 * 1024
GRACE_SECONDS = 1.0
URL_VARIABLE, TOKEN_VARIABLE = "DRYDOCK_RUNNER_URL", "DRYDOCK_RUNNER_TOKEN"
OVER_CODE = 4410
RETRY_SECONDS = (0.2, 5.0)
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602


class RpcError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Run(NamedTuple):
    thread: threading.Thread
    cancel: Callable[[str], None]


def serve_plugin(author: str, name: str, runners: Sequence[Runner]) -> NoReturn:
    """Serves until the host is done, and ends the process.

    The host is on stdin and stdout; where `drydock plugin dev --attach` has given an address and a token, it is there.
    """
    served = [(each, each.describe(author, name)) for each in runners]
    url, token = os.environ.get(URL_VARIABLE), os.environ.get(TOKEN_VARIABLE)
    status = serve_on_socket(served, url, token) if url and token else serve_on_pipes(served)
    sys.stderr.flush()
    # Runs that do not end must not keep the process alive.
    os._exit(status)


def serve_on_pipes(served: list[tuple[Runner, Json]]) -> int:
    """What the plugin prints goes to stderr."""
    # The descriptors themselves change place, so that programs which the plugin starts can't reach the host either.
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

        def send(line: bytes) -> None:
            sink.write(line + b"\n")
            sink.flush()

        Server(served, send).serve(read_lines(source))
    return 0


def serve_on_socket(served: list[tuple[Runner, Json]], url: str, token: str) -> int:
    """Connects again where the host has gone, until one says that it is over."""
    has_connected, delay = False, RETRY_SECONDS[0]
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Whoever works on the runner sees at once what it prints.
        sys.stdout.reconfigure(line_buffering=True)
    while True:
        try:
            with connect(url, token) as host:
                has_connected, delay = True, RETRY_SECONDS[0]
                Server(served, host.send).serve(host.texts(HOST_LINE_BYTES))
            if host.close_code == OVER_CODE:
                return 0
        except (OSError, ValueError) as error:
            if not has_connected:
                warn(f"{error} Is `drydock plugin dev --attach` running, and are these its address and its token?")
                return 1
        time.sleep(delay)
        delay = min(RETRY_SECONDS[1], delay * 2)


def read_lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines of the host; None for one that is too long."""
    while line := source.readline(HOST_LINE_BYTES + 1):
        if len(line) <= HOST_LINE_BYTES or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(HOST_LINE_BYTES)
        yield None


def warn(text: str) -> None:
    sys.stderr.write(text.rstrip() + "\n")
    sys.stderr.flush()


class Server:
    """connected --initialize--> serving --> closed, by `shutdown` or by the end of the lines."""

    def __init__(self, served: list[tuple[Runner, Json]], send: Callable[[bytes], None]) -> None:
        self.served, self._write, self._lock = served, send, threading.Lock()
        self._numbers = itertools.count(1)
        self._calls: dict[Any, Future[Any]] = {}
        self._runs: dict[str, Run] = {}
        self.listeners: dict[str, Callable[[Json], object]] = {}
        self._is_initialized = self._is_closed = False
        self._methods: dict[str, Callable[[Json], Json | None]] = {
            "initialize": self._initialize,
            "run.cancel": self._cancel,
            "llm.chunk": self._take_chunk,
            "ping": lambda _: {},
            "shutdown": self._shut_down,
        }

    def serve(self, lines: Iterator[bytes | None]) -> None:
        for line in lines:
            if line is None or line.strip():
                self._receive(line)
            if self._is_closed:
                return
        self._cancel_all("the host has closed the channel")

    def start(self, method: str, params: Json) -> Future[Any]:
        future: Future[Any] = Future()
        number = next(self._numbers)
        self._calls[number] = future
        self._send({"id": number, "method": method, "params": params})
        return future

    def _send(self, body: Json) -> None:
        line = json.dumps({"jsonrpc": "2.0", **body}, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        with self._lock:
            self._write(line)

    def _complain(self, number: Any, code: int, text: str) -> None:
        warn(text)
        self._send({"id": number, "error": {"code": code, "message": text}})

    def _receive(self, line: bytes | None) -> None:
        try:
            body = None if line is None else json.loads(line)
        except ValueError:
            return self._complain(None, PARSE_ERROR, "A line of the host was not JSON.")
        if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
            return self._complain(None, INVALID_REQUEST, "A line of the host was not a JSON-RPC message, or too long.")
        if "method" not in body:
            return self._take_answer(body)
        method, params, number = body["method"], body.get("params") or {}, body.get("id")
        try:
            if not isinstance(params, dict):
                raise RpcError(INVALID_PARAMS, f"{method}: params: must be a map of keys and values")
            if method == "runner.run":
                return self._start_run(number, params)
            if method not in self._methods:
                raise RpcError(NO_METHOD, "Method not found")
            answer = self._methods[method](params)
            if number is not None:
                self._send({"id": number, "result": answer})
        except RpcError as error:
            if number is None:
                return warn(f"{method}: {error}")
            self._complain(number, error.code, str(error))

    def _take_answer(self, body: Json) -> None:
        future = self._calls.pop(body.get("id"), None)
        if future is None:
            return
        error = body.get("error")
        if error is None:
            return settle(future, body.get("result"))
        info = error.get("data") if isinstance(error, dict) else None
        if not isinstance(info, dict) or not isinstance(info.get("code"), str):
            return settle(future, error=ApiError("runtime_error", f"The call failed: {error}"))
        details = (str(info.get("message")), bool(info.get("retryable")), info.get("details"))
        settle(future, error=ApiError(info["code"], *details))

    def _initialize(self, params: Json) -> Json:
        versions = params.get("protocol_versions")
        version = next((each for each in PROTOCOL_VERSIONS if each in (versions or ())), None)
        if version is None:
            raise RpcError(INVALID_PARAMS, f"This plugin speaks version {' or '.join(PROTOCOL_VERSIONS)} only.")
        self._is_initialized = True
        return {"protocol_version": version, "runners": [discovery for _, discovery in self.served]}

    def _start_run(self, number: Any, params: Json) -> None:
        if not self._is_initialized:
            raise RpcError(INVALID_PARAMS, "`initialize` comes first.")
        runner_id, channel, fields = (params.get(key) for key in ("runner_id", "channel", "context"))
        found = next((each for each, it in self.served if it["manifest"]["id"] == runner_id), None)
        if found is None or params.get("runner_name") != found.name:
            raise RpcError(INVALID_PARAMS, f"There is no runner {runner_id} here.")
        if not isinstance(channel, str) or not 0 < len(channel) <= 100:
            raise RpcError(INVALID_PARAMS, "runner.run: channel: must be text of 1 to 100 characters")
        if not isinstance(fields, dict) or not isinstance(fields.get("run_id"), str):
            raise RpcError(INVALID_PARAMS, "runner.run: context.run_id: must be text")
        if channel in self._runs:
            raise RpcError(INVALID_PARAMS, f"The channel {channel} has a run already.")
        ctx = Context(fields, lambda level, text: self._notify("log", {"level": level, "message": text}))
        api = HostApi(ctx, self)
        attendance = Attendance(
            lambda result: self._notify("run.result", {"channel": channel, "result": result}),
            lambda text: warn(f"{fields['run_id']}: {text}"),
        )

        def attend() -> None:
            attendance.run(found, ctx, api)
            self._runs.pop(channel, None)
            self._send({"id": number, "result": {}})

        thread = threading.Thread(target=attend, daemon=True, name=channel)
        self._runs[channel] = Run(thread, lambda reason: attendance.cancel(ctx, api, reason))
        thread.start()

    def _notify(self, method: str, params: Json) -> None:
        self._send({"method": method, "params": params})

    def _cancel(self, params: Json) -> None:
        run = self._runs.get(str(params.get("channel")))
        if run:
            run.cancel(str(params.get("reason")))

    def _take_chunk(self, params: Json) -> None:
        listener = self.listeners.get(str(params.get("stream_id")))
        if listener:
            listener(params.get("chunk") or {})

    def _shut_down(self, _: Json) -> Json:
        self._cancel_all("the host shuts this plugin down")
        self._is_closed = True
        return {}

    def _cancel_all(self, reason: str) -> None:
        runs, end = list(self._runs.values()), time.monotonic() + GRACE_SECONDS
        for run in runs:
            run.cancel(reason)
        for run in runs:
            run.thread.join(max(0.0, end - time.monotonic()))
