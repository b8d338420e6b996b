"""How values and types look in words. Their `__repr__` or `__str__` may raise, lie or answer with megabytes, so only
the real type of a value is used where that is enough, and every other call is guarded and its result is cut. No
function here raises anything but time_limit.TimeLimitReached."""

from __future__ import annotations

from interpret import time_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REPR_CHARS = 64 * 1024


def type_name(kind: type) -> str:
    """`pandas.core.frame.DataFrame`, `set`: read from the type itself, past whatever its metaclass says."""
    try:
        module = type.__getattribute__(kind, "__module__")
        name = type.__getattribute__(kind, "__qualname__")
        if type(module) is not str or module == "builtins":
            return clean(name)
        return clean("%s.%s" % (module, name))
    except BaseException:
        return "object"


def show(value: Any) -> str:
    try:
        pieces = []
        _preview(value, pieces, [REPR_CHARS], set())
        text = "".join(pieces)
    except time_limit.TimeLimitReached:
        return "<repr failed: it took longer than %g s>" % time_limit.SECONDS
    except BaseException as error:
        return clean("<repr failed: %s>" % _one_line(error))
    return clean(text if len(text) <= REPR_CHARS else text[:REPR_CHARS] + "…")


def _one_line(error: BaseException) -> str:
    name = type_name(type(error))
    try:
        return cut("%s: %s" % (name, str.__str__(str(error))), 200)
    except time_limit.TimeLimitReached:
        raise
    except BaseException:
        return name


def _preview(value: Any, pieces: list[str], room: list[int], path: set[int]) -> None:
    """Python's own repr, except that built-in containers are written only as far as there is room for them."""
    kind = type(value)
    brackets = _BRACKETS.get(kind)
    if brackets is None or not value or id(value) in path or len(path) > 50:
        text = brackets[0] + "..." + brackets[1] if brackets is not None and value else _plain_repr(value)
        pieces.append(text)
        room[0] -= len(text)
        return
    path.add(id(value))
    pieces.append(brackets[0])
    for index, each in enumerate(dict.items(value) if kind is dict else value):
        if room[0] <= 0:
            pieces.append("…")
            break
        if index:
            pieces.append(", ")
        room[0] -= 2
        item = each
        if kind is dict:
            key, item = each
            _preview(key, pieces, room, path)
            pieces.append(": ")
        _preview(item, pieces, room, path)
    pieces.append("," + brackets[1] if kind is tuple and len(value) == 1 else brackets[1])
    path.discard(id(value))


_BRACKETS = {list: "[]", tuple: "()", dict: "{}", set: "{}", frozenset: ("frozenset({", "})")}


def _plain_repr(value: Any) -> str:
    kind = type(value)
    if kind is int and not is_printable(value):
        return hex(value)
    if kind in (str, bytes, bytearray) and len(value) > REPR_CHARS:
        value = value[:REPR_CHARS]
    return str.__str__(repr(value))


def is_printable(number: int) -> bool:
    """CPython refuses to print integers beyond some thousands of digits; this one is printable."""
    try:
        int.__repr__(number)
        return True
    except ValueError:
        return False


def clean(text: str) -> str:
    """Text that UTF-8 can carry: lone surrogates become U+FFFD."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def cut(text: str, size: int) -> str:
    return text if len(text) <= size else text[:size] + "…"
