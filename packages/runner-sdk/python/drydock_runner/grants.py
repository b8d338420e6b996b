"""What calls of the host API need, and what results carry. Tests hold both to the schemas of the protocol."""

from __future__ import annotations

from .results import Json

RESULT_KEYS = {
    "message.delta": ("chunk",),
    "message.completed": ("message",),
    "tool.call.started": ("tool_call_id", "tool_name"),
    "tool.call.completed": ("tool_call_id", "tool_name"),
    "artifact.created": ("artifact_type",),
    "state.updated": ("scope", "key", "value"),
    "action.requested": ("action",),
    "run.completed": ("finish_reason",),
    "run.failed": ("code", "error"),
}

MODEL = {"list": "models", "id": "model_id", "param": "model_id"}
TOOL = {"list": "tools", "id": "tool_name", "param": "tool_name"}
KNOWLEDGE = {"list": "knowledge_bases", "id": "kb_id", "param": "kb_id"}
FILE = {"list": "files", "id": "file_id", "param": "file_key"}
STATE: Json = {"flag": "state"}
READ: Json = {"permission": ["artifacts", "read"], "flag": "artifact_read"}
PLUGIN: Json = {"permission": ["storage", "plugin"], "storage": "plugin_storage", "flag": "storage"}
WORKSPACE: Json = {"permission": ["storage", "workspace"], "storage": "workspace_storage", "flag": "storage"}
HARNESS: Json = {"permission": ["harness", "run"]}

HOST_GRANTS: dict[str, Json] = {
    "invoke_llm": {"permission": ["models", "invoke"], "resource": MODEL},
    "invoke_llm_stream": {"permission": ["models", "stream"], "resource": MODEL},
    "invoke_rerank": {"permission": ["models", "rerank"], "resource": MODEL},
    "count_tokens": {"permission": ["models", "invoke", "stream"], "resource": MODEL},
    "get_tool_detail": {"permission": ["tools", "detail"], "capability": "tool_calling", "resource": TOOL},
    "call_tool": {"permission": ["tools", "call"], "capability": "tool_calling", "resource": TOOL},
    "list_knowledge_bases": {"permission": ["knowledge_bases", "list"], "capability": "knowledge_retrieval"},
    "retrieve_knowledge": {
        "permission": ["knowledge_bases", "retrieve"],
        "capability": "knowledge_retrieval",
        "resource": KNOWLEDGE,
    },
    "history_page": {"permission": ["history", "page"], "flag": "history_page"},
    "history_search": {"permission": ["history", "search"], "flag": "history_search"},
    "event_get": {"permission": ["events", "get"], "flag": "event_get"},
    "event_page": {"permission": ["events", "page"], "flag": "event_page"},
    "steering_pull": {"capability": "steering", "flag": "steering_pull"},
    "artifact_metadata": {"permission": ["artifacts", "metadata"], "flag": "artifact_metadata"},
    "artifact_read": READ,
    "artifact_read_range": READ,
    "state_get": STATE,
    "state_set": STATE,
    "state_delete": STATE,
    "state_list": STATE,
    "get_plugin_storage": PLUGIN,
    "set_plugin_storage": PLUGIN,
    "delete_plugin_storage": PLUGIN,
    "get_plugin_storage_keys": PLUGIN,
    "get_workspace_storage": WORKSPACE,
    "set_workspace_storage": WORKSPACE,
    "delete_workspace_storage": WORKSPACE,
    "get_workspace_storage_keys": WORKSPACE,
    "get_file": {"permission": ["files", "config", "knowledge"], "resource": FILE},
    "harness_open": HARNESS,
    "harness_send": HARNESS,
    "harness_read": HARNESS,
    "harness_close": HARNESS,
    "get_prompt": {},
    "get_host_version": {},
}


def find_refusal(method: str, params: Json, manifest: Json, resources: Json) -> str | None:
    """Why a call is refused; None where the run may make it. In a test, all that has an answer is available."""
    grant = HOST_GRANTS[method]
    capability, storage, resource = grant.get("capability"), grant.get("storage"), grant.get("resource")
    kind, *operations = grant.get("permission") or [None]
    words = " or ".join(f"`{each}`" for each in operations)
    if capability and not (manifest.get("capabilities") or {}).get(capability):
        return f"the manifest lacks the capability `{capability}`"
    if kind and not set(operations) & set((manifest.get("permissions") or {}).get(kind) or []):
        return f"the manifest's permissions lack {words} for `{kind}`"
    if storage and not resources["storage"].get(storage):
        return f"the run's resources lack `storage.{storage}`"
    if resource:
        wanted = params.get(resource["param"])
        found = next((each for each in resources[resource["list"]] if each.get(resource["id"]) == wanted), None)
        if found is None:
            return f"the run's resources lack {wanted!r} in `{resource['list']}`"
        if not set(operations) & set(found.get("operations") or []):
            return f"the run may not {words} {wanted!r} of its `{resource['list']}`"
    return None
