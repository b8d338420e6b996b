"""The guard's rules for one run: the policy's lists, joined to the strict ones where that mode is on."""

from __future__ import annotations

from interpret import guard_lists as lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from shapes import Json


class Rules:
    """The policy's lists, joined to the strict ones where that mode is on."""

    def __init__(
        self, mode: str, allow: Iterable[str] = (), block: Iterable[str] = (), calls: Iterable[str] = ()
    ) -> None:
        self.strict = mode == "strict"
        self.policy_blocks = frozenset(block)
        allow, block, calls = set(allow), set(block), set(calls)
        if self.strict:
            allow |= lists.ALLOWED_IMPORTS
            block |= lists.BLOCKED_IMPORTS
            calls |= lists.BLOCKED_CALLS | lists.BLOCKED_MEMBERS
        elif allow:
            allow.add("__future__")
        self.allow = allow
        self.block = block
        self.calls = calls
        roots = {name for name in block if "." not in name and name[0] != "_"}
        self.leaks = roots - lists.ORDINARY_WORDS if self.strict else roots
        self.names = frozenset(name for name in calls if "." not in name)
        self.named_access = lists.NAMED_ACCESS if self.strict else {}

    def import_advice(self, reason: str) -> str:
        """Who could let it through."""
        if reason in self.policy_blocks:
            return "block"
        if self.strict and (reason in self.block or reason.lstrip("_") in self.leaks):
            return "never"
        return "add"


_STRICT = Rules("strict")


def compile_rules(rules: Json) -> Rules | None:
    """The rules to check by, or None where there is nothing to check."""
    mode = rules.get("mode")
    if mode == "off":
        return None
    if mode not in ("strict", "open"):
        raise ValueError(mode)
    allow, block = _modules(rules.get("allow")), _modules(rules.get("block"))
    calls = list(rules.get("calls") or ())
    if not (allow or block or calls):
        return _STRICT if mode == "strict" else None
    return Rules(mode, allow, block, calls)


def _modules(names: Iterable[str] | None) -> list[str]:
    return [lists.MODULE_OF_DISTRIBUTION.get(name, name[:-2] if name.endswith(".*") else name) for name in names or ()]
