"""Keeps the refusal that stands first in a program's text. It is reported as facts, and the host writes the message,
since text from here could be forged."""

from __future__ import annotations

import _ast as ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from interpret.guard_rules import Rules
    from shapes import Json

IMPORT, CALL = "policy.import_denied", "policy.call_denied"


class Refusals:
    def __init__(self, rules: Rules, source: str | None) -> None:
        self.rules = rules
        self.source = source
        self.first = None

    def deny_import(self, name: str, place: Any, reason: str | None = None) -> None:
        what = "reaching" if type(place) is ast.Attribute else "importing"
        self.deny(IMPORT, name, place, what, reason or name, self.rules.import_advice(reason or name))

    def deny_relative(self, name: str, place: Any) -> None:
        self.deny(IMPORT, name, place, "relative", name, "full-name")

    def deny_call(self, name: str, place: Any, what: str = "calling") -> None:
        self.deny(CALL, name, place, what, name, "lift" if self.rules.strict else "call-block")

    def deny(self, code: str, name: str, place: Any, what: str, reason: str, advice: str) -> None:
        """Keeps the refusal that stands first in the text; only that one is reported."""
        line, offset = getattr(place, "lineno", 1), getattr(place, "col_offset", 0)
        if _is_attribute(place):
            line, offset = place.end_lineno, place.end_col_offset - len(place.attr)
        if self.first is None or (line, offset) < self.first[0]:
            self.first = ((line, offset), code, name, place, what, reason, advice)

    def report(self) -> Json | None:
        if self.first is None:
            return None
        _, code, name, place, what, reason, advice = self.first
        line, column = self.position(place)
        return {
            "code": code,
            "name": name,
            "line": line,
            "column": column,
            "what": what,
            "reason": reason,
            "advice": advice,
        }

    def position(self, place: Any) -> tuple[int, int]:
        line, offset = getattr(place, "lineno", 1), getattr(place, "col_offset", 0)
        attribute = place.attr if _is_attribute(place) else None
        if attribute is not None:
            # An attribute is shown where its own name stands, not where the expression begins.
            line, offset = place.end_lineno, place.end_col_offset
        if self.source is not None and offset:
            before = _line_of(self.source, line).encode("utf-8", "replace")[:offset].decode("utf-8", "ignore")
            offset = len(before)
            if attribute is not None and not before.endswith(attribute):
                # Python compares names in their normal form (NFKC), which the text need not be in.
                return line, offset - len(before[before.rfind(".") + 1 :].lstrip()) + 1
        if attribute is not None:
            offset = max(0, offset - len(attribute))
        return line, offset + 1


def _is_attribute(place: Any) -> bool:
    """With a place of its own name, that is."""
    return type(place) is ast.Attribute and place.end_lineno is not None


def _line_of(source: str, number: int) -> str:
    start = 0
    for _ in range(number - 1):
        start = source.find("\n", start) + 1
        if start == 0:
            return ""
    end = source.find("\n", start)
    return source[start:] if end < 0 else source[start:end]
