"""The message is JSON: its calls are made one after the other, and the answers are the reply."""

from __future__ import annotations

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
    answers = []
    for method, params in json.loads(ctx.input["text"])["calls"]:
        try:
            answers.append(getattr(api, method)(**params))
        except ApiError as error:
            answers.append({"error": {"code": error.code}})
    yield message(json.dumps({"answers": answers}))


everything = runner({"name": "all", "label": "All", "capabilities": CAPABILITIES, "permissions": ALL})(answer)
nothing = runner({"name": "nothing", "label": "Nothing"})(answer)

serve_plugin("test", "caller-python", [everything, nothing])
