"""Runners for a Drydock host in Python. It needs the standard library only.

    @runner({"name": "echo", "label": "Echo"})
    def echo(ctx, api):
        yield message(ctx.input["text"])

    serve_plugin("author", "plugin", [echo])

A runner is a generator, or an async generator whose calls of `api` are awaited. Each run has a thread of its own.
"""

from .host_api import HOST_METHODS, HostApi
from .results import (
    ApiError,
    RunCancelled,
    RunnerError,
    artifact,
    completed,
    delta,
    failed,
    message,
    request_action,
    set_state,
    tool_completed,
    tool_started,
)
from .runner import Context, Runner, runner
from .serve import serve_plugin

__all__ = [
    "HOST_METHODS",
    "ApiError",
    "Context",
    "HostApi",
    "RunCancelled",
    "Runner",
    "RunnerError",
    "artifact",
    "completed",
    "delta",
    "failed",
    "message",
    "request_action",
    "runner",
    "serve_plugin",
    "set_state",
    "tool_completed",
    "tool_started",
]
