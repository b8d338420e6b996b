"""A runner, its manifest, and what it is told about a run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable

from .results import Json

if TYPE_CHECKING:
    from .host_api import HostApi


class Runner:
    def __init__(self, manifest: Json, run: Callable[[Context, HostApi], Any]) -> None:
        self.manifest, self.run, self.name = manifest, run, str(manifest["name"])

    def describe(self, author: str, plugin: str) -> Json:
        manifest: Json = {**self.manifest, "id": f"plugin:{author}/{plugin}/{self.name}"}
        for key in ("label", "description"):
            if isinstance(manifest.get(key), str):
                manifest[key] = {"en_US": manifest[key]}
        names = {"plugin_author": author, "plugin_name": plugin, "runner_name": self.name}
        return {**names, "runner_description": manifest.get("description"), "manifest": manifest}


def runner(manifest: Json) -> Callable[[Callable[[Context, HostApi], Any]], Runner]:
    """Makes a runner of a generator: its manifest without the id, which follows from the plugin."""
    return lambda run: Runner(manifest, run)


class Context:
    """What a runner is told: `ctx.input["text"]`, `ctx.config`, `ctx.state["actor"]`. `ctx.cancelled` is an event."""

    def __init__(self, fields: Json, log: Callable[[str, str], None]) -> None:
        self.fields, self.cancelled, self._log = fields, threading.Event(), log

    def __getattr__(self, name: str) -> Any:
        if name not in self.fields:
            raise AttributeError(name)
        return self.fields[name]

    def log(self, text: str, level: str = "info") -> None:
        self._log(level, text)
