"""A plugin made with the SDK. By the first word of the input it does what the tests of the channel look at."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator

from drydock_runner import (
    ApiError,
    Context,
    HostApi,
    RunnerError,
    completed,
    delta,
    message,
    runner,
    serve_plugin,
)

MANIFEST = {"label": "Probe", "permissions": {"history": ["page"], "models": ["stream"]}}
PROMPT = {"model_id": "m", "messages": [{"role": "user", "content": "hi"}]}


@runner({**MANIFEST, "name": "probe"})
def probe(ctx: Context, api: HostApi) -> Iterator[dict]:
    word, _, text = ctx.input["text"].partition(" ")
    if word == "echo":
        yield delta(text)
        yield message(text)
    elif word == "throw":
        raise ValueError(text)
    elif word == "fail":
        raise RunnerError("probe.timeout", text, retryable=True)
    elif word == "late":
        yield completed()
        yield delta("late")
    elif word == "print":
        print("printed")
        os.write(1, b"written\n")
        ctx.log("logged", "warning")
        yield message("done")
    elif word == "huge":
        yield delta("x" * 2**22)
    elif word == "wait":
        yield delta("waiting")
        ctx.cancelled.wait()
    elif word == "call":
        method, _, params = text.partition(" ")
        try:
            yield message(json.dumps(getattr(api, method)(**json.loads(params or "{}"))))
        except ApiError as error:
            yield message(json.dumps([error.code, error.retryable, error.details]))
    elif word == "ask":
        for chunk in api.invoke_llm_stream(**PROMPT):
            yield delta(chunk["content"])


@runner({**MANIFEST, "name": "async"})
async def async_probe(ctx: Context, api: HostApi) -> AsyncIterator[dict]:
    word, _, text = ctx.input["text"].partition(" ")
    if word == "ask":
        async for chunk in api.invoke_llm_stream(**PROMPT):
            yield delta(chunk["content"])
    elif word == "call":
        try:
            yield message(json.dumps(await api.history_page()))
        except ApiError as error:
            yield message(error.code)
    elif word == "wait":
        yield delta("waiting")
        await asyncio.sleep(3600)
    else:
        await asyncio.sleep(0)
        yield message(text)


serve_plugin("drydock-test", "probe", [probe, async_probe])
