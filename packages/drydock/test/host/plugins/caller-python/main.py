"""The message is JSON: its calls are made one after the other, and the answers are the reply.

For each number of its sizes a value of so many bytes is stored and read again.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

from drydock_runner import ApiError, Context, HostApi, message, runner, serve_plugin

ALL = {
    "models": ["invoke", "stream", "rerank"],
    "tools": ["detail", "call"],
    "knowledge_bases": ["list", "retrieve"],
    "history": ["page", "search"],
    "events": ["get", "page"],
    "artifacts": ["metadata", "read"],
    "storage": ["plugin", "workspace"],
    "files": ["config", "knowledge"],
}
CAPABILITIES = {"streaming": True, "tool_calling": True, "knowledge_retrieval": True, "steering": True}


def answer(ctx: Context, api: HostApi) -> Iterator[dict]:
    told = json.loads(ctx.input["text"])
    answers = []
    # What only the run itself knows.
    attachments = ctx.input.get("attachments") or [{}]
    own = {"ARTIFACT": attachments[0].get("artifact_id"), "EVENT": ctx.event["event_id"]}
    for method, params in told.get("calls", []):
        filled = {name: own.get(value, value) if isinstance(value, str) else value for name, value in params.items()}
        try:
            answers.append(call(api, method, filled))
        except ApiError as error:
            answers.append({"error": {"code": error.code}})
    for size in told.get("sizes", []):
        value = base64.b64encode((b"drydock" * (size // 7 + 1))[:size]).decode()
        try:
            api.set_plugin_storage(key="large", value=value)
            answers.append(api.get_plugin_storage(key="large")["value"] == value)
        except ApiError as error:
            answers.append(error.code)
    yield message(json.dumps({"answers": answers, "resources": ctx.resources}))


def call(api: HostApi, method: str, params: dict) -> object:
    if method != "invoke_llm_stream":
        return getattr(api, method)(**params)
    chunks = []
    stream = api.invoke_llm_stream(**params)
    while True:
        try:
            chunks.append(next(stream)["content"])
        except StopIteration as end:
            return {"chunks": chunks, "answer": end.value}


FORM = [{"name": "template", "type": "file"}]
everything = runner(
    {"name": "all", "label": "All", "capabilities": CAPABILITIES, "permissions": ALL, "config_schema": FORM}
)(answer)
nothing = runner({"name": "nothing", "label": "Nothing"})(answer)

serve_plugin("test", "caller-python", [everything, nothing])
