"""Checks a program's imports and calls on CPython's own syntax tree, before the program runs.

This is a courtesy to the model that wrote the code: an early, exact refusal (line, column, what to write instead) costs
it one look, where a failure deep inside a run costs it many. It is not the wall. Python can always be talked into more
than its text shows; whatever gets past this check still meets the kernel's namespaces, limits and system call filter.

The tree is walked with a list, never by recursion: no nesting that CPython can parse is too deep to be checked."""

from __future__ import annotations

import _ast as ast

from interpret import guard_lists as lists
from interpret import guard_strings
from interpret.guard_refusals import CALL, Refusals
from interpret.guard_rules import Rules, compile_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from shapes import Json

# Fields that never hold a node worth looking at.
_PLAIN_FIELDS = frozenset(
    "ctx op ops id attr arg kind type_comment level module conversion simple is_async asname rest".split()
)
_fields_of = {}


def check(tree: ast.AST, rules: Json, source: str | None = None) -> Json | None:
    """The first thing in `tree` that the rules refuse, by its place in the text, or None.

    With `source`, columns count characters; without it they count bytes of UTF-8, as CPython's do."""
    try:
        compiled = compile_rules(rules)
        if compiled is None:
            return None
        return _Check(compiled, source).run(tree)
    except Exception as problem:  # What can't be checked is refused.
        advice = "flatter" if isinstance(problem, (RecursionError, MemoryError)) else "unknown"
        return {"code": CALL, "name": "", "line": 1, "column": 1, "what": "unchecked", "reason": "", "advice": advice}


class _Check:
    def __init__(self, rules: Rules, source: str | None) -> None:
        self.rules = rules
        self.refusals = Refusals(rules, source)
        # What each name may stand for: the dotted paths of modules and of their members.
        self.paths = {}
        self.named_access = dict(rules.named_access)
        self.calls, self.chains, self.names, self.assigned = [], [], [], []
        # Functions in call position whose arguments were checked: reading their name is no alias.
        self.checked = set()

    def run(self, tree: ast.AST) -> Json | None:
        self.collect(tree)
        for name, value in self.assigned:
            self.follow_assignment(name, value)
        if self.rules.strict:
            for node in self.calls:
                self.visit_call(node)
        else:
            for node in self.calls:
                self.visit_dynamic_import(node)
        for root, attributes in self.chains:
            self.visit_chain(root, attributes)
        for node in self.names:
            self.visit_name(node)
        return self.refusals.report()

    def collect(self, tree: ast.AST) -> None:
        stack: list[Any] = [tree]
        strict = self.rules.strict
        pop, push = stack.pop, stack.append
        while stack:
            node: Any = pop()
            kind = type(node)
            if kind is ast.Name:
                self.names.append(node)
                continue
            if kind is ast.Constant:
                if strict and type(node.value) is str and "__" in node.value:
                    self.visit_string(node)
                continue
            if kind is ast.Attribute:
                attributes = [node]
                root = node.value
                while type(root) is ast.Attribute:
                    attributes.append(root)
                    root = root.value
                attributes.reverse()
                self.chains.append((root, attributes))
                push(root)
                continue
            if kind is ast.Call:
                self.calls.append(node)
            elif kind is ast.Expr:
                # A string on its own is a comment.
                if type(node.value) is ast.Constant:
                    continue
            elif kind is ast.Import:
                self.visit_import(node)
                continue
            elif kind is ast.ImportFrom:
                self.visit_import_from(node)
                continue
            elif kind is ast.Assign:
                for target in node.targets:
                    if type(target) is ast.Name:
                        self.assigned.append((target.id, node.value))
            elif kind is ast.NamedExpr:
                self.assigned.append((node.target.id, node.value))
            elif strict and kind.__name__ == "MatchClass":
                for name in node.kwd_attrs:
                    self.visit_attribute_name(name, node)
            fields = _fields_of.get(kind)
            if fields is None:
                # Lists may hold names (global x) and gaps ({**x}): those have no fields.
                fields = _fields_of[kind] = tuple(
                    name for name in getattr(kind, "_fields", ()) if name not in _PLAIN_FIELDS
                )
            for name in fields:
                value = getattr(node, name, None)
                if type(value) is list:
                    stack.extend(value)
                elif isinstance(value, ast.AST):
                    push(value)

    def visit_import(self, node: ast.Import) -> None:
        for alias in node.names:
            place = alias if hasattr(alias, "lineno") else node
            self.require_module(alias.name, place)
            if alias.asname:
                self.bind(alias.asname, alias.name)
            else:
                root = alias.name.partition(".")[0]
                self.bind(root, root)

    def visit_import_from(self, node: ast.ImportFrom) -> None:
        if node.level:
            if self.rules.strict or self.rules.allow:
                self.refusals.deny_relative("." * node.level + (node.module or ""), node)
            return
        module = node.module or ""
        if not self.require_module(module, node, [alias.name for alias in node.names]):
            return
        for alias in node.names:
            place = alias if hasattr(alias, "lineno") else node
            if alias.name == "*":
                continue
            path = module + "." + alias.name
            if self.path_is_refused(path.split("."), place):
                continue
            self.bind(alias.asname or alias.name, path)
            if self.rules.strict:
                self.visit_attribute_name(alias.name, place)
                if alias.name in lists.NAMED_ACCESS and module == "operator":
                    self.named_access[alias.asname or alias.name] = lists.NAMED_ACCESS[alias.name]

    def require_module(self, name: str, place: Any, members: Sequence[str] = ()) -> bool:
        """Refuses a module that is blocked or not allowed. `members` are tried too: `from os import path` is
        os.path."""
        rules = self.rules
        parts = name.split(".")
        if self.path_is_refused(parts, place):
            return False
        if not rules.allow:
            return True
        if any(".".join(parts[:size]) in rules.allow for size in range(1, len(parts) + 1)):
            return True
        if members and all(name + "." + member in rules.allow for member in members):
            return True
        self.refusals.deny_import(name, place)
        return False

    def path_is_refused(self, parts: list[str], place: Any) -> bool:
        """A dotted path that passes through a blocked module or ends in a refused function, seen from its root."""
        rules = self.rules
        for index, part in enumerate(parts):
            path = ".".join(parts[: index + 1])
            # Libraries keep the modules they use as attributes: pathlib.os, random._os, json.decoder.scanner.sys.
            if path in rules.block or (
                index > 0 and (part.lstrip("_") in rules.leaks or (part[0] == "_" and part in rules.block))
            ):
                self.refusals.deny_import(path, place, path if path in rules.block else part)
                return True
            pair = parts[index - 1].lstrip("_") + "." + part if index else part
            if "." in path and (path in rules.calls or pair in rules.calls):
                self.refusals.deny_call(pair, place)
                return True
            if parts[0] == "builtins" and index == 1 and part in rules.names:
                self.refusals.deny_call(part, place)
                return True
            if pair in rules.block:
                self.refusals.deny_import(path, place, pair)
                return True
        return False

    def visit_dynamic_import(self, node: ast.Call) -> None:
        """importlib.import_module("os") and __import__("os") are imports too, where the name is written out."""
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
        if name in ("__import__", "import_module") and node.args:
            first = node.args[0]
            if type(first) is ast.Constant and type(first.value) is str:
                self.require_module(first.value, first)

    def bind(self, name: str, path: str) -> None:
        known = self.paths.setdefault(name, [])
        if path not in known and len(known) < 8:
            known.append(path)

    def follow_assignment(self, name: str, value: Any) -> None:
        suffix = []
        while type(value) is ast.Attribute and len(suffix) < 16:
            suffix.append(value.attr)
            value = value.value
        if type(value) is ast.Name and value.id in self.paths:
            for path in list(self.paths[value.id]):
                self.bind(name, ".".join([path] + suffix[::-1]))

    def visit_name(self, node: ast.Name) -> None:
        name = node.id
        if name in self.rules.names or (name in self.named_access and node not in self.checked):
            if type(node.ctx) is ast.Load:
                self.refusals.deny_call(name, node)
        elif self.rules.strict and name[:2] == "__" and name[-2:] == "__":
            loaded = type(node.ctx) is ast.Load
            if name in lists.BLOCKED_DUNDER_NAMES or (loaded and name not in lists.ALLOWED_DUNDER_NAMES):
                self.refusals.deny_call(name, node)

    def visit_chain(self, root: ast.AST, attributes: list[ast.Attribute]) -> None:
        strict = self.rules.strict
        before = None
        for node in attributes:
            name = node.attr
            if strict:
                if name in lists.BLOCKED_ATTRIBUTES or (name[:2] == "__" and name[-2:] == "__"):
                    self.visit_attribute_name(name, node)
                elif name in ("attrgetter", "methodcaller") and node not in self.checked:
                    self.refusals.deny_call(name, node)
                elif before is not None and name in lists.REACHING_MEMBERS and before.lstrip("_") in self.rules.leaks:
                    self.refusals.deny_import(before, node)
            before = name
        if type(root) is ast.Name:
            for path in self.paths.get(root.id, ()):
                parts = path.split(".")
                for node in attributes[:32]:
                    parts.append(node.attr)
                    if self.path_is_refused(parts, node):
                        return

    def visit_attribute_name(self, name: str, place: Any) -> None:
        if name in lists.BLOCKED_ATTRIBUTES:
            self.refusals.deny_call(name, place, "attribute")
        elif name[:2] == "__" and name[-2:] == "__" and name not in lists.ALLOWED_DUNDERS:
            self.refusals.deny_call(name, place, "attribute")

    def visit_call(self, node: ast.Call) -> None:
        function: Any = node.func
        name: Any = getattr(function, "id", None) or getattr(function, "attr", None)
        if type(function) is ast.Name:
            position = self.named_access.get(name)
        else:
            position = 0 if name in ("attrgetter", "methodcaller") else None
        if position is not None:
            self.visit_named_access(node, name, position)
        elif name in ("query", "eval") and type(function) is ast.Attribute and node.args:
            first = node.args[0]
            if (
                type(first) is ast.Constant
                and type(first.value) is str
                and guard_strings.is_reaching_query(first.value)
            ):
                self.refusals.deny_call(name, first, "table")
        for keyword in node.keywords:
            if keyword.arg == "allow_pickle" and getattr(keyword.value, "value", None) is not False:
                self.refusals.deny_call("allow_pickle", keyword if hasattr(keyword, "lineno") else node, "argument")

    def visit_named_access(self, node: ast.Call, name: str, position: int) -> None:
        wanted = node.args[position:] if name == "attrgetter" else node.args[position : position + 1]
        self.checked.add(node.func)
        starred = any(type(argument) is ast.Starred for argument in node.args[: position + 1])
        if starred or not wanted:
            self.refusals.deny_call(name, node, "unwritten")
            return
        for argument in wanted:
            if type(argument) is not ast.Constant or type(argument.value) is not str:
                self.refusals.deny_call(name, argument, "unwritten")
                continue
            for part in argument.value.split("."):
                self.visit_attribute_name(part, argument)

    def visit_string(self, node: ast.Constant) -> None:
        for name in guard_strings.dunder_names(str(node.value)):
            if name in lists.TELLING_STRINGS:
                self.refusals.deny_call(name, node, "string")
                return
