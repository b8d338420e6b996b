"""Keeps the refusal that stands first in a program's text, and words it."""
import _ast as ast

IMPORT, CALL = "policy.import_denied", "policy.call_denied"


class Refusals:
    def __init__(self, rules, source_name, source):
        self.rules = rules
        self.source_name = source_name
        self.source = source
        self.first = None

    def deny_import(self, name, place, reason=None):
        what = '%s "%s"' % ("reaching" if type(place) is ast.Attribute else "importing", name)
        self.deny(IMPORT, name, place, what, lambda: self.rules.import_hint(name, reason or name), self.rules.owner(reason or name))

    def deny_relative(self, name, place):
        what = 'importing "%s", relative to a package,' % name
        self.deny(IMPORT, name, place, what, lambda: "Import by the module's full name.", self.rules.owner())

    def deny_call(self, name, place, what="calling or passing on"):
        self.deny(CALL, name, place, '%s "%s"' % (what, name), lambda: self.rules.call_hint(name), self.rules.owner())

    def deny(self, code, name, place, what, hint, owner):
        """Keeps the refusal that stands first in the text; only that one is worded."""
        line, offset = getattr(place, "lineno", 1), getattr(place, "col_offset", 0)
        if type(place) is ast.Attribute and place.end_lineno is not None:
            line, offset = place.end_lineno, place.end_col_offset - len(place.attr)
        if self.first is None or (line, offset) < self.first[0]:
            self.first = ((line, offset), code, name, place, what, hint, owner)

    def worded(self):
        if self.first is None:
            return None
        _, code, name, place, what, hint, owner = self.first
        line, column = self.position(place)
        return {
            "code": code,
            "name": name,
            "line": line,
            "column": column,
            "message": "%s:%d:%d: %s is refused by %s" % (self.source_name, line, column, what, owner),
            "allowed": self.rules.shown() if code == IMPORT else [],
            "hint": hint(),
        }

    def position(self, place):
        line, offset = getattr(place, "lineno", 1), getattr(place, "col_offset", 0)
        attribute = place.attr if type(place) is ast.Attribute and place.end_lineno is not None else None
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


def _line_of(source, number):
    start = 0
    for _ in range(number - 1):
        start = source.find("\n", start) + 1
        if start == 0:
            return ""
    end = source.find("\n", start)
    return source[start:] if end < 0 else source[start:end]
