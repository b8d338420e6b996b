"""A plugin that speaks the protocol by hand, so that it can break it. `--list` prints the names of its behaviours."""

from __future__ import annotations

import json
import os
import sys
import threading

from behaviours import BEHAVIOURS
from wire import Run, post, read_messages, take, write_raw

OPTIONS = dict(zip(sys.argv[1::2], sys.argv[2::2]))
PLUGIN, START = OPTIONS.get("--name", "behaviours"), OPTIONS.get("--start")
PERMISSIONS = {
    "models": ["invoke", "stream", "rerank"],
    "tools": ["detail", "call"],
    "knowledge_bases": ["list", "retrieve"],
    "history": ["page", "search"],
    "events": ["get", "page"],
    "artifacts": ["metadata", "read"],
    "storage": ["plugin", "workspace"],
    "files": ["config", "knowledge"],
}
CAPABILITIES = ("streaming", "interrupt", "steering", "tool_calling", "knowledge_retrieval")
DISCOVERY = {
    "plugin_author": "drydock-test",
    "plugin_name": "echo" if START == "lie" else PLUGIN,
    "runner_name": "behave",
    "manifest": {
        "id": f"plugin:drydock-test/{PLUGIN}/behave",
        "name": "behave",
        "label": {"en_US": "Behave"},
        "capabilities": dict.fromkeys(CAPABILITIES, True),
        "permissions": PERMISSIONS,
    },
}
RUNS: dict[str, Run] = {}


def run(number: int, params: dict) -> None:
    context = params["context"]
    name, _, rest = str(context["input"].get("text") or "").partition(" ")
    here = Run(params["channel"], context["run_id"], threading.Event())
    RUNS[here.channel] = here
    if name in BEHAVIOURS:
        BEHAVIOURS[name](here, rest)
        post({"id": number, "result": {}})
    else:
        post({"id": number, "error": {"code": -32602, "message": f"There is no behaviour {name}."}})
    RUNS.pop(here.channel, None)


def serve() -> None:
    if START == "exit":
        os._exit(5)
    for line in read_messages():
        if START == "garbage":
            write_raw("Welcome!\n")
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method is None:
            take(message)
        elif (method == "initialize" and START == "mute") or (method == "ping" and START == "deaf"):
            continue
        elif method == "initialize":
            post({"id": number, "result": {"protocol_version": "1", "runners": [DISCOVERY]}})
        elif method == "runner.run":
            threading.Thread(target=run, args=(number, message["params"]), daemon=True).start()
        elif method == "run.cancel" and message["params"]["channel"] in RUNS:
            RUNS[message["params"]["channel"]].cancelled.set()
        elif method == "ping":
            post({"id": number, "result": {}})
        elif method == "shutdown":
            if number is not None:
                post({"id": number, "result": {}})
            return


if "--list" in sys.argv:
    print(json.dumps(sorted(BEHAVIOURS)))
else:
    serve()
