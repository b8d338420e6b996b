"""The guard's rules for one run: the policy's lists, joined to the strict ones where that mode is on."""
import guard_lists as lists

_SHOWN = 16


class Rules:
    """The policy's lists, joined to the strict ones where that mode is on."""

    def __init__(self, mode, allow=(), block=(), calls=()):
        self.strict = mode == "strict"
        self.named = frozenset(allow)
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

    def owner(self, name=None):
        if name is not None and name in self.policy_blocks:
            return "the policy (python.imports.block)"
        if self.strict:
            return "the strict guard"
        return "the policy (python)"

    def shown(self):
        known = lists.COMMON_IMPORTS if self.strict else []
        own = sorted(self.named)
        return (own + [name for name in known if name not in self.named and name not in self.block])[:_SHOWN]

    def import_hint(self, name, reason):
        root = name.partition(".")[0]
        instead = lists.INSTEAD.get(reason.lstrip("_")) or lists.INSTEAD.get(root)
        if reason in self.policy_blocks:
            more = "the owner's policy names it in python.imports.block"
        elif self.strict and (reason in self.block or reason.lstrip("_") in self.leaks):
            more = "the strict guard never allows it; --unsafe (guard: off) lifts the guard, never the sandbox"
        else:
            more = "the owner can add it: python.imports.allow: [%s]" % root
        return _sentences(instead, more)

    def call_hint(self, name):
        instead = lists.INSTEAD.get(name)
        if not self.strict:
            return _sentences(instead, "the owner's policy names it in python.calls.block")
        if instead is None:
            instead = "do without it; if the name is your own, choose another"
        return _sentences(instead, "the guard is lifted with --unsafe (guard: off), the sandbox never")


def _sentences(*parts):
    return " ".join(part[0].upper() + part[1:] + "." for part in parts if part)


_STRICT = Rules("strict")


def compile_rules(rules):
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


def _modules(names):
    return [lists.MODULE_OF_DISTRIBUTION.get(name, name[:-2] if name.endswith(".*") else name) for name in names or ()]
