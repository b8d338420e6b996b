"""JSON by the part of the standard library that is written in C. The rest of it brings regular expressions along, which
take longer to import than all that is ever said here. Where that part is not what we know, the whole of it is used."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

try:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

    class _Reading:
        strict = True
        object_hook = object_pairs_hook = None
        parse_float, parse_int = float, int
        parse_constant = float
        memo = {}

    _scan = make_scanner(_Reading())  # pyright: ignore[reportArgumentType]  (any object with these attributes will do)

    def loads(text: str | bytes | bytearray) -> Any:
        """Of what Drydock itself has written: one value, without space around it."""
        if not isinstance(text, str):
            text = bytes(text).decode()
        try:
            value, end = _scan(text, 0)
        except StopIteration as stopped:
            raise ValueError("no JSON at %s" % stopped.value) from None
        if end != len(text):
            raise ValueError("more than one value, from %d" % end)
        return value

    def _unknown(value: Any) -> NoReturn:
        raise TypeError("%s has no form in JSON" % type(value).__name__)

    def dumps(
        value: Any, ensure_ascii: bool = True, allow_nan: bool = True, separators: tuple[str, str] = (", ", ": ")
    ) -> str:
        item, key = separators
        encode = encode_basestring_ascii if ensure_ascii else encode_basestring
        return "".join(make_encoder({}, _unknown, encode, None, key, item, False, False, allow_nan)(value, 0))

    if loads(dumps({"a": [1, "\u00e9", None, True, 1.5]})) != {"a": [1, "\u00e9", None, True, 1.5]}:
        raise ImportError
except (ImportError, TypeError, AttributeError, ValueError):
    from json import dumps, loads  # pyright: ignore[reportAssignmentType]  (they take more than ours)
