"""Names the tests of a Python file that could not be imported, from its syntax tree: ids, or their first parts."""

import ast
from fnmatch import fnmatchcase


def _matches(name, patterns):
    return any(
        name.startswith(pattern) or any(c in pattern for c in "*?[") and fnmatchcase(name, pattern)
        for pattern in patterns
    )


def _definitions(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node
        for part in ("body", "orelse", "handlers", "finalbody"):
            if isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler)):
                yield from _definitions(getattr(node, part, []))


def _is_test_case(node):
    return any(ast.unparse(base).endswith("TestCase") for base in node.bases)


def name_tests(runner, source, functions, classes):
    tree = ast.parse(source)
    return list(dict.fromkeys(_name_all(tree.body, runner, (), functions or ["test"], classes or ["Test"])))


def _name_all(body, runner, outer, functions, classes):
    for node in _definitions(body):
        if not isinstance(node, ast.ClassDef):
            if _matches(node.name, functions) and (runner == "pytest" or outer):
                yield "::".join(outer + (node.name,)) if runner == "pytest" else ".".join(outer + (node.name,))
        elif runner == "unittest" or _is_test_case(node):
            yield from _name_all(node.body, runner, outer + (node.name,), ["test"], classes)
        elif _matches(node.name, classes):
            yield from _name_all(node.body, runner, outer + (node.name,), functions, classes)
