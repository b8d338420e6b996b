import re
from collections.abc import Iterator

from drydock_runner import Context, HostApi, delta, message, runner


@runner(
    {
        "name": "echo",
        "label": "Echo",
        "description": "Says what it was told, word by word.",
        "capabilities": {"streaming": True, "interrupt": True},
    }
)
def echo(ctx: Context, api: HostApi) -> Iterator[dict]:
    text = ctx.input.get("text") or ""
    if ctx.delivery.get("supports_streaming"):
        yield from map(delta, re.findall(r"\s*\S+\s*", text))
    yield message(text)
