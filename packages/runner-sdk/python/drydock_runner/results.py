"""What a runner yields, and the errors that end a run."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


class ApiError(Exception):
    """A call of the host API was refused."""

    def __init__(self, code: str, message: str, retryable: bool = False, details: Json | None = None) -> None:
        super().__init__(message)
        self.code, self.retryable, self.details = code, retryable, details or {}


class RunnerError(Exception):
    """Ends a run with `run.failed` and a code of the runner's own."""

    def __init__(self, code: str, message: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.code, self.retryable = code, retryable


class RunCancelled(RunnerError):
    """What calls of the host API raise when the run is cancelled."""

    def __init__(self, reason: str) -> None:
        super().__init__("runner.cancelled", f"The run was cancelled: {reason}")


def result(kind: str, **data: Any) -> Json:
    return {"type": kind, "data": data}


def delta(text: str) -> Json:
    return result("message.delta", chunk={"role": "assistant", "content": text})


def message(content: str | Json) -> Json:
    return result(
        "message.completed",
        message={"role": "assistant", "content": content} if isinstance(content, str) else content,
    )


def completed(finish_reason: str = "stop", **data: Any) -> Json:
    return result("run.completed", finish_reason=finish_reason, **data)


def failed(code: str, error: str, retryable: bool = False) -> Json:
    return result("run.failed", code=code, error=error, retryable=retryable)


def artifact(artifact_type: str, **data: Any) -> Json:
    return result("artifact.created", artifact_type=artifact_type, **data)


def set_state(scope: str, key: str, value: Any) -> Json:
    return result("state.updated", scope=scope, key=key, value=value)


def request_action(action: str, **data: Any) -> Json:
    return result("action.requested", action=action, **data)


def tool_started(tool_call_id: str, tool_name: str, **data: Any) -> Json:
    return result("tool.call.started", tool_call_id=tool_call_id, tool_name=tool_name, **data)


def tool_completed(tool_call_id: str, tool_name: str, **data: Any) -> Json:
    return result("tool.call.completed", tool_call_id=tool_call_id, tool_name=tool_name, **data)


def to_failure(error: BaseException) -> Json:
    """The result that stands for an exception."""
    if isinstance(error, RunnerError):
        return failed(error.code, str(error), error.retryable)
    return failed("runner.error", str(error) or type(error).__name__, isinstance(error, ApiError) and error.retryable)
