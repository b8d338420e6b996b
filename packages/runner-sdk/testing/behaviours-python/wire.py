from __future__ import annotations

import itertools
import json
import os
import queue
import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

LOCK = threading.Lock()
NUMBERS = itertools.count(1)
WAITING: dict[int, queue.SimpleQueue] = {}


class Run(NamedTuple):
    channel: str
    run_id: str
    cancelled: threading.Event


SOCKET: list[Any] = []


def write_raw(text: str) -> None:
    """Texts of a WebSocket take the place of lines where the host has given an address."""
    with LOCK:
        if SOCKET:
            return SOCKET[0].send(text.encode())
        sys.stdout.write(text)
        sys.stdout.flush()


def read_messages() -> Iterator[bytes]:
    """The messages of the host, until it has gone."""
    url = os.environ.get("DRYDOCK_RUNNER_URL")
    if not url:
        yield from sys.stdin.buffer
        return
    from drydock_runner.web_socket import connect

    with connect(url, os.environ["DRYDOCK_RUNNER_TOKEN"]) as socket:
        SOCKET.append(socket)
        yield from (text for text in socket.texts(2**24) if text)


def post(message: dict) -> None:
    write_raw(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def send(run: Run, result: Any) -> None:
    post({"method": "run.result", "params": {"channel": run.channel, "result": result}})


def say(run: Run, content: str) -> None:
    send(run, {"type": "message.completed", "data": {"message": {"role": "assistant", "content": content}}})


def take(answer: dict) -> None:
    waiting = WAITING.pop(answer.get("id") or 0, None)
    if waiting:
        waiting.put(answer)


def start_call(method: str, params: dict) -> queue.SimpleQueue:
    number = next(NUMBERS)
    waiting = WAITING[number] = queue.SimpleQueue()
    post({"id": number, "method": method, "params": params})
    return waiting


def call(method: str, params: dict) -> Any:
    """The result of a call, or `{"refused": code}`."""
    answer = start_call(method, params).get()
    if "error" not in answer:
        return answer["result"]
    error = answer["error"]
    return {"refused": (error.get("data") or {}).get("code") or error["message"]}
