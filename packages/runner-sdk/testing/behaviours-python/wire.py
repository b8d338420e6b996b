from __future__ import annotations

import itertools
import json
import queue
import sys
import threading
from typing import Any, NamedTuple

LOCK = threading.Lock()
NUMBERS = itertools.count(1)
WAITING: dict[int, queue.SimpleQueue] = {}


class Run(NamedTuple):
    channel: str
    run_id: str
    cancelled: threading.Event


def write_raw(text: str) -> None:
    with LOCK:
        sys.stdout.write(text)
        sys.stdout.flush()


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
