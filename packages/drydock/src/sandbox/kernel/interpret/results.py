"""Turns the value that a program left behind into JSON that the host can read.

Everything here handles objects of the program's own making: see appearance.py and time_limit.py for how. Nothing
raises."""

from __future__ import annotations

import sys

import plain_json as json
from interpret.appearance import clean, is_printable, show, type_name
from interpret.exception_report import describe_exception as describe_exception
from interpret.time_limit import run_limited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from shapes import Json

MAX_DEPTH = 100
# Further whole numbers are others, or none, once a reader of JSON has made floating-point numbers of them.
MAX_WHOLE = 2**53 - 1

_SCALARS = (bool, int, float, str)


class _TooLarge(Exception):
    pass


def jsonable(value: Any, limit_bytes: int = 1024 * 1024) -> str:
    """`value` as JSON text of at most `limit_bytes`: as it is where JSON can say it, else as { type, repr }."""
    if value is None:
        return "null"
    text = run_limited(lambda: _dump(_Converter(limit_bytes).convert(value, 0)), lambda _: None)
    if text is not None and len(text.encode("utf-8")) <= limit_bytes:
        return text
    return run_limited(lambda: _shortened(value, limit_bytes), lambda _: "null")


def _shortened(value: Any, limit_bytes: int) -> str:
    shown = _described(value)
    while True:
        text = _dump(shown)
        excess = len(text.encode("utf-8")) - limit_bytes
        if excess <= 0:
            return text
        if not shown["repr"]:
            return "null"
        kept = min(len(shown["repr"]) // 2, max(0, len(shown["repr"]) - excess - 1))
        shown["repr"] = shown["repr"][:kept]
        shown["truncated"] = True


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class _Converter:
    def __init__(self, limit_bytes: int) -> None:
        # A shared list inside a shared list can be exponentially larger than it looks: the budget ends the walk.
        self.room = limit_bytes
        self.path = set()

    def convert(self, value: Any, depth: int) -> Any:
        kind: Any = type(value)
        self.room -= 2
        if self.room < 0:
            raise _TooLarge()
        if value is None or kind is bool:
            return value
        if issubclass(kind, str):
            text = clean(str.__str__(value))
            self.room -= len(text)
            return text
        if issubclass(kind, int):
            number = int.__add__(value, 0)
            self.room -= number.bit_length() // 4
            return number if -MAX_WHOLE <= number <= MAX_WHOLE else self.describe(value)
        if issubclass(kind, float) and not _is_numpy(kind):
            number = float.__add__(value, 0.0)
            return number if number - number == 0 else self.describe(value)
        if issubclass(kind, (dict, list, tuple)):
            return self.convert_container(value, kind, depth)
        if _is_numpy(kind):
            plain = _plain(kind, value)
            if type(plain) in _SCALARS and not (type(plain) is float and plain - plain != 0):
                return self.convert(plain, depth)
        return self.describe(value)

    def convert_container(self, value: Any, kind: type, depth: int) -> Any:
        if depth >= MAX_DEPTH or id(value) in self.path:
            return self.describe(value)
        self.path.add(id(value))
        try:
            if not issubclass(kind, dict):
                items = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
                return [self.convert(item, depth + 1) for item in items]
            converted = {}
            for key, item in dict.items(value):
                name = _key(key)
                if name is None:
                    return self.describe(value)
                self.room -= len(name)
                converted[name] = self.convert(item, depth + 1)
            return converted
        finally:
            self.path.discard(id(value))

    def describe(self, value: Any) -> Json:
        shown = _described(value)
        self.room -= len(shown["repr"]) + len(shown["type"])
        return shown


def _key(key: Any) -> str | None:
    kind: Any = type(key)
    if issubclass(kind, str):
        return clean(str.__str__(key))
    if key is None or kind is bool:
        return {None: "null", True: "true", False: "false"}[key]
    if kind is int:
        return str(key) if is_printable(key) else None
    if kind is float:
        return float.__repr__(key) if key - key == 0 else None
    if _is_numpy(kind):
        plain = _plain(kind, key)
        return _key(plain) if type(plain) in _SCALARS else None
    return None


def _is_numpy(kind: type) -> bool:
    """A scalar of numpy, without importing numpy: who has one has imported it."""
    generic = getattr(sys.modules.get("numpy"), "generic", None)
    return type(generic) is type and issubclass(kind, generic)


def _plain(kind: Any, value: Any) -> Any:
    """A scalar of numpy as Python's own."""
    return kind.item(value)


def _described(value: Any) -> Json:
    return {"type": type_name(type(value)), "repr": show(value)}
