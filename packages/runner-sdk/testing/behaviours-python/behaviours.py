"""What the plugin does, by the first word of the input. What follows it is given as `rest`."""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from typing import Any, Callable

from wire import Run, call, say, send, start_call, write_raw

MIB = 1024 * 1024
COMPLETED: dict = {"type": "run.completed", "data": {"finish_reason": "stop"}}


def delta(content: str, **more: Any) -> dict:
    return {"type": "message.delta", "data": {"chunk": {"role": "assistant", "content": content}}, **more}


def state(key: str, value: Any) -> dict:
    return {"type": "state.updated", "data": {"scope": "conversation", "key": key, "value": value}}


def artifact(content: str) -> dict:
    return {"type": "artifact.created", "data": {"artifact_type": "file", "content_base64": content}}


def tell(*results: Any, text: str | None = None, end: bool = True) -> Callable[[Run, str], None]:
    """Sends these results, then a text, then the end."""

    def behave(run: Run, _: str) -> None:
        for result in results:
            send(run, result)
        if text is not None:
            say(run, text)
        if end:
            send(run, COMPLETED)

    return behave


def stream(run: Run, rest: str) -> None:
    for word in rest.split(" "):
        send(run, delta(f"{word} "))
    say(run, rest)
    send(run, COMPLETED)


def end_with(run: Run, rest: str) -> None:
    message = {"role": "assistant", "content": rest}
    send(run, {"type": "run.completed", "data": {"finish_reason": "stop", "message": message}})


def wait(run: Run, _: str) -> None:
    send(run, delta("waiting "))
    run.cancelled.wait()


def answer(run: Run, text: str) -> None:
    say(run, text)
    send(run, COMPLETED)


def call_one(run: Run, rest: str) -> None:
    method, _, params = rest.partition(" ")
    answer(run, json.dumps(call(method, {"run_id": run.run_id, **json.loads(params or "{}")})))


def call_many(run: Run, _: str) -> None:
    params = {"run_id": run.run_id, "scope": "conversation"}
    calls = [start_call("state_get", {**params, "key": f"k{index}"}) for index in range(1000)]
    answer(run, str(len([each.get() for each in calls])))


def call_for_other(run: Run, _: str) -> None:
    params = {"run_id": "run_of_somebody_else", "scope": "actor", "key": "k"}
    answer(run, json.dumps(call("state_get", params)))


def lie(run: Run, _: str) -> None:
    forged = {"run_id": run.run_id, "scope": "actor", "key": "k", "plugin_author": "somebody", "plugin_name": "else"}
    answer(run, json.dumps(call("state_get", forged)))


def use_other_channel(run: Run, _: str) -> None:
    send(run._replace(channel="ch_of_somebody_else"), delta("x"))
    answer(run, "mine")


def repeat_terminal(run: Run, _: str) -> None:
    answer(run, "once")
    send(run, {"type": "run.failed", "data": {"code": "test.again", "error": "no"}})


def repeat_message(run: Run, _: str) -> None:
    answer(run, "once")
    say(run, "twice")


def crash(run: Run, rest: str) -> None:
    if rest:
        send(run, delta(rest))
    os._exit(3)


def exit_between(run: Run, _: str) -> None:
    say(run, "first")
    time.sleep(0.05)
    os._exit(0)


def hang(_: Run, __: str) -> None:
    while True:
        time.sleep(3600)


def ignore_cancel(run: Run, _: str) -> None:
    while True:
        send(run, delta("still here "))
        time.sleep(0.02)


def be_busy(_: Run, __: str) -> None:
    while True:
        pass


def flood_stdout(_: Run, __: str) -> None:
    for _count in range(8):
        write_raw(("x" * 1023 + "\n") * 1024)


def flood_stderr(run: Run, _: str) -> None:
    for _count in range(8):
        sys.stderr.write(("x" * 1023 + "\n") * 1024)
    answer(run, "flooded")


def flood(run: Run, _: str) -> None:
    for _count in range(20_000):
        send(run, delta("flood "))
    send(run, COMPLETED)


ACTION = {"type": "action.requested", "data": {"action": "message.delete", "target": {"message_id": "m1"}}}
FAILED = {"type": "run.failed", "data": {"code": "test.api_error", "error": "no", "retryable": True}}

BEHAVIOURS: dict[str, Callable[[Run, str], None]] = {
    # What plugins may do.
    "stream": stream,
    "deltas-only": lambda run, rest: send(run, delta(rest)),
    "message-only": say,
    "message-in-end": end_with,
    "silent": tell(end=False),
    "state-only": tell(state("external.session_id", "s1")),
    "action": tell(ACTION),
    "fail": tell(FAILED, end=False),
    "wait": wait,
    "environment": lambda run, _: answer(run, json.dumps(sorted(os.environ))),
    "call": call_one,
    "many-calls": call_many,
    # Limits.
    "long-line": lambda run, _: send(run, delta("x" * 4 * MIB)),
    "endless-line": lambda _, __: write_raw("x" * 5 * MIB),
    "large-result": lambda run, _: answer(run, "x" * (MIB + 1)),
    "large-artifact": lambda run, _: send(run, artifact(base64.b64encode(bytes(MIB + 1)).decode())),
    "large-state": tell(state("k", "x" * 256 * 1024), text="kept?"),
    "long-state-key": tell(state("k" * 256, 1), text="kept?"),
    # Breaches of the protocol.
    "nonsense": lambda _, __: write_raw("this is no JSON\n"),
    "not-a-message": lambda _, __: write_raw('{"hello": 1}\n'),
    "no-type": tell({"data": {}}, end=False),
    "not-a-result": tell("text", end=False),
    "bad-base64": tell(artifact("a!"), end=False),
    "other-run": tell(delta("x", run_id="run_of_somebody_else"), end=False),
    "other-channel": use_other_channel,
    "other-run-call": call_for_other,
    "lie": lie,
    "unknown-type": tell({"type": "dance.started", "data": {}}, text="danced"),
    "bad-payload": tell({"type": "state.updated", "data": {"scope": "planet"}}, text="went on"),
    "repeat-sequence": tell(
        *(delta(f"{each} ", sequence=each) for each in (1, 1, 2)), {**COMPLETED, "sequence": 3}, end=False
    ),
    "skip-sequence": tell(*(delta(f"{each} ", sequence=each) for each in (1, 5, 3, 0))),
    "bad-sequence": tell(delta("x", sequence="one")),
    "second-terminal": repeat_terminal,
    "after-terminal": repeat_message,
    # Processes that do not behave.
    "crash": crash,
    "crash-after-delta": lambda run, _: crash(run, "begun "),
    "exit-between": exit_between,
    "hang": hang,
    "ignore-cancel": ignore_cancel,
    "busy": be_busy,
    "flood-stdout": flood_stdout,
    "flood-stderr": flood_stderr,
    "flood": flood,
}
