"""Runs a runner in this process, without a host: `test_runner(echo, input="hello").text`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, Callable, NamedTuple

from .attend import TERMINALS, Attendance
from .grants import RESULT_KEYS, find_refusal
from .host_api import Future, HostApi, settle
from .results import ApiError, Json
from .runner import Context, Runner

RUN_SECONDS = 300
SCOPES = ("conversation", "actor", "subject", "runner")
Answers = dict[str, Callable[[Json], Any]]


class TestedRun(NamedTuple):
    results: list[Json]
    end: Json | None
    text: str
    state: dict[str, Json]
    warnings: list[str]


def test_runner(
    runner: Runner,
    input: str | Json = "",
    config: Json | None = None,
    resources: Json | None = None,
    state: Json | None = None,
    api: Answers | None = None,
    **context: Any,
) -> TestedRun:
    """`api` answers calls of the host: `{"history_page": lambda params: {...}}`. State has answers already."""
    manifest = runner.describe("test", "plugin")["manifest"]
    kept = {scope: dict((state or {}).get(scope) or {}) for scope in SCOPES}
    fields: Json = {
        "run_id": "run_test",
        "trigger": {"type": "message", "source": "webui"},
        "event": {"event_id": "event_test", "event_type": "message.received", "source": "webui", "data": {}},
        "conversation": {"conversation_id": "conversation_test"},
        "actor": {"actor_type": "user", "actor_id": "user_test", "metadata": {}},
        "subject": None,
        "delivery": {"surface": "webui", "supports_streaming": True},
        "runtime": {"version": "test", "trace_id": "run_test", "deadline_at": time.time() + RUN_SECONDS},
        "adapter": None,
        "metadata": {},
        **context,
        "input": {"text": input, "contents": [], "attachments": []} if isinstance(input, str) else input,
        "config": config or {},
        "resources": grant_operations(manifest, resources or {}),
        "state": kept,
        "context": {"inline_policy": {"mode": "current_event"}, "available_apis": {}},
    }
    warnings: list[str] = []
    results: list[Json] = []
    ctx = Context(fields, lambda level, text: warnings.append(text) if level in ("warning", "error") else None)
    host = HostDouble(manifest, fields, kept, api or {}, warnings.append)

    def take(result: Json) -> None:
        missing = [key for key in RESULT_KEYS.get(result["type"], ()) if key not in (result.get("data") or {})]
        if result["type"] not in RESULT_KEYS:
            return warnings.append(f"A result of the unknown type {result['type']} is ignored.")
        if missing:
            return warnings.append(f"A {result['type']} was dropped: {', '.join(missing)}: is missing.")
        if result["type"] == "state.updated":
            kept[result["data"]["scope"]][result["data"]["key"]] = result["data"]["value"]
        results.append(result)

    Attendance(take, warnings.append).run(runner, ctx, HostApi(ctx, host))
    end = results[-1] if results and results[-1]["type"] in TERMINALS else None
    return TestedRun(results, end, read_text(results), kept, warnings)


# It is no test, whatever its name says to pytest.
test_runner.__test__ = False  # type: ignore[attr-defined]
TestedRun.__test__ = False  # type: ignore[attr-defined]


def grant_operations(manifest: Json, resources: Json) -> Json:
    """A resource without `operations` has all that the manifest asks for."""
    permissions = manifest.get("permissions") or {}
    lists = {
        kind: [{"operations": permissions.get(kind) or [], **each} for each in resources.get(kind) or []]
        for kind in ("models", "tools", "knowledge_bases", "files")
    }
    return {"skills": [], "storage": {}, **resources, **lists}


def read_text(results: Iterable[Json]) -> str:
    messages: list[str] = []
    deltas = ""
    for result in results:
        data = result["data"]
        if result["type"] == "message.delta":
            deltas += str(data["chunk"].get("content") or "")
        elif result["type"] == "message.completed" or (data.get("message") and not messages):
            messages.append(str(data["message"].get("content") or ""))
    return "\n".join(messages) if messages else deltas


class HostDouble:
    """Answers calls as a host would: refuses what the run may not do, and takes the rest from the test."""

    def __init__(
        self, manifest: Json, fields: Json, state: dict[str, Json], answers: Answers, warn: Callable[[str], None]
    ) -> None:
        self.manifest, self.fields, self.warn = manifest, fields, warn
        self.listeners: dict[str, Callable[[Json], object]] = {}
        self.answers: Answers = {
            "get_host_version": lambda _: {"version": "test"},
            "state_get": lambda params: {"value": state[params["scope"]].get(params["key"])},
            "state_set": lambda params: state[params["scope"]].update({params["key"]: params["value"]}) or {},
            "state_delete": lambda params: {} if state[params["scope"]].pop(params["key"], None) else {},
            "state_list": lambda params: {
                "items": [
                    {"key": key, "value": value}
                    for key, value in state[params["scope"]].items()
                    if key.startswith(params.get("prefix") or "")
                ],
                "has_more": False,
            },
            **answers,
        }

    def start(self, method: str, params: Json) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            settle(future, self._answer(method, params))
        except Exception as error:
            settle(future, error=error)
        return future

    def _answer(self, method: str, params: Json) -> Any:
        refusal = find_refusal(method, params, self.manifest, self.fields["resources"])
        if refusal:
            self.warn(f"{method} was refused: {refusal}.")
            raise ApiError("unauthorized", f"{method} is not granted: {refusal}.")
        answer = self.answers.get(method)
        if answer is None:
            self.warn(f"{method} was called, and the test gives no answer for it.")
            raise ApiError("runtime_error", f"The test gives no answer for {method}.")
        if method != "invoke_llm_stream":
            return answer(params)
        content = ""
        for each in answer(params):
            chunk = {"role": "assistant", "content": each} if isinstance(each, str) else each
            content += str(chunk.get("content") or "")
            self.listeners[params["stream_id"]](chunk)
        return {"message": {"role": "assistant", "content": content}, "usage": None}
