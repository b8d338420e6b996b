"""Tells which of the tools that tests use are other objects by now than when they were loaded.

Tools are built-ins, functions of a few modules, and what unittest and pytest bring. In modules of the workspace it is
their own functions and classes, and names of built-ins that their source never binds. Adding a name replaces nothing.
"""

import atexit
import builtins

_TOOLS = (
    "math",
    "operator",
    "random",
    "unittest.case",
    "unittest.mock",
    "pytest",
    "_pytest.python_api",
    "_pytest.raises",
    "_pytest.outcomes",
    "_pytest.recwarn",
    "numpy.testing._private.utils",
    "pandas._testing.asserters",
)
_COMPARISONS = (
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__bool__",
    "__contains__",
    "__getattribute__",
)
_KINDS = (type(lambda: 0), type(len), type, type(sys))
_WRAPPERS = (staticmethod, classmethod, type(_import_own.__get__(0)))
_NAMES = frozenset(name for name in vars(builtins) if not name.startswith("_") and name != "copyright")
_MISSING = object()
# The first tests are looked at one by one; a run of thousands is not to pay for each.
_LOOKED_AT, _SOMETIMES, _MOST_PARSED = 50, 20, 100
_pictured = set()
_tools = []
_own_things = []
_replaced = set()
_counts = {"tests": 0, "parsed": 0}


def _code_of(value):
    # By its exact kind: a stand-in of unittest.mock has an attribute of any name.
    if type(value) in _WRAPPERS:
        value = value.__func__
    return value.__code__ if type(value) is _KINDS[0] else None


def _is_own(value):
    """Whether a hook put it there: all of them share these globals."""
    value = value.__func__ if type(value) in _WRAPPERS else value
    return type(value) is _KINDS[0] and value.__globals__ is globals()


def _place_of(value):
    """The file in which a function or class was written: it says who put it there, as a rule."""
    value = getattr(value, "func", value) if type(value).__name__ == "partial" else value
    code = _code_of(value)
    if code is not None:
        return None if code.co_filename.startswith("<") else code.co_filename
    kind = value if isinstance(value, type) else type(value)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file if isinstance(file, str) else None


def _take(entries, owner, label, names, holder=None):
    things = vars(owner)
    for name in names:
        value = things.get(name, _MISSING)
        entries.append((owner, name, value, _code_of(value), label % name, holder))


def _is_tool(name, value):
    return callable(value) and (not name.startswith("__") or name in ("__import__", "__build_class__"))


def _take_tools(module):
    name = module.__name__
    if name in _pictured:
        return
    _pictured.add(name)
    short = {"unittest.case": "unittest", "builtins": "builtins"}.get(name, name.lstrip("_"))
    _take(_tools, module, short + ".%s", [key for key, value in vars(module).items() if _is_tool(key, value)])
    for key, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == name and name != "builtins":
            methods = [each for each, method in vars(value).items() if callable(method) and each != "__class__"]
            _take(_tools, value, "%s.%s.%%s" % (short, key), methods)


def _note_tools(name, spec):
    if name not in _TOOLS or spec is None or name in _pictured:
        return
    try:
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            _take_tools(module)

        spec.loader.exec_module = exec_module
    except Exception:
        pass


def _own_modules():
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        own = _own(file) if isinstance(file, str) else None
        if own:
            yield module, own


def take_modules():
    """All modules of tests are loaded, and none of them has run."""
    try:
        del _own_things[:]
        for module, holder in _own_modules():
            names = [
                name for name, value in vars(module).items() if type(value) in _KINDS and not name.startswith("__")
            ]
            _take(_own_things, module, "%%s of %s" % holder, names, holder)
            for name in names:
                kind = vars(module)[name]
                if isinstance(kind, type) and kind.__module__ == module.__name__:
                    _take(_own_things, kind, "%s.%%s of %s" % (name, holder), _COMPARISONS, holder)
    except Exception:
        pass


def _tell_replaced(label, place, holder):
    if label not in _replaced:
        _replaced.add(label)
        own = None if place is None else _own(place)
        emit("replaced", label, own or place, program, holder)


def _differing(entries):
    """What is another object by now, and the file of that."""
    for owner, name, value, code, label, holder in entries:
        now = vars(owner).get(name, _MISSING)
        # What is no function has no code that could be another by now.
        if now is value and (code is None or _code_of(now) is code):
            continue
        place = None if now is _MISSING else _place_of(now)
        if not _is_own(now):
            yield label, place, holder


def _compare_own():
    for label, place, holder in _differing(_own_things):
        own = None if place is None else _own(place)
        if place is None or own and own != holder:
            _tell_replaced(label, place, holder)
    for module, holder in _own_modules():
        for name in _NAMES & vars(module).keys():
            value = vars(module)[name]
            place = _place_of(value)
            if (place is None or _own(place) != holder) and not _binds(module.__file__, name):
                _tell_replaced("%s of %s" % (name, holder), place, holder)


def _binds(file, name):
    """Whether a file's own source gives the name a value; true if unknown."""
    _counts["parsed"] += 1
    if _counts["parsed"] > _MOST_PARSED:
        return True
    try:
        ast = _import_own("ast")
        with open(file, "rb") as opened:
            tree = ast.parse(opened.read())
    except Exception:
        return True
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and (node.name == "*" or (node.asname or node.name).split(".")[0] == name):
            return True
        if name in (getattr(node, "name", None), getattr(node, "rest", None)):
            return True
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            return True
    return False


def look_after_test():
    """A test has ended, and all that it had torn down after it. Until the end, a library may hold a tool's place for
    tests."""
    _counts["tests"] += 1
    if _counts["tests"] > _LOOKED_AT and _counts["tests"] % _SOMETIMES:
        return
    try:
        for label, place, holder in _differing(_tools):
            if place is not None and _own(place):
                _tell_replaced(label, place, holder)
    except Exception:
        pass


def look_at_end():
    thread = get_ident()
    _busy.add(thread)
    try:
        for label, place, holder in _differing(_tools):
            _tell_replaced(label, place, holder)
        _compare_own()
    except Exception:
        pass
    finally:
        _busy.discard(thread)


_take_tools(builtins)
_take_tools(sys.modules.get("time") or __import__("time"))
observers.append(_note_tools)
atexit.register(look_at_end)
