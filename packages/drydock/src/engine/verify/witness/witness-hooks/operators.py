"""Tells of classes of the workspace with operators of their own: an answer of such a class may judge itself."""

_ARITHMETIC = "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow".split()
_COMPARING = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in"}
_SIGNS = {**_COMPARING, "sub": "-", "add": "+"}
# By these, numpy asks an operand what its own functions say of it.
_DISPATCHED = ["array_ufunc", "array_function"]
_OPERATORS = {"__%s__" % name: _SIGNS.get(name, name) for name in ["class", *_SIGNS, *_ARITHMETIC, *_DISPATCHED]}
_HEAP_TYPE = 1 << 9
_SCANNED_TESTS = 20
_namespace = type.__dict__["__dict__"].__get__
_examined = set()


def _holder_of(value, kind):
    """The file of the workspace in which an operator was written."""
    code = _code_of(value)
    name = None if code is None else code.co_filename
    if code is not None and name.startswith("<"):
        name = value.__globals__.get("__file__")
    if code is None:
        name = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return _own(name) if isinstance(name, str) else None


def _last_line(code):
    return max([line for _, _, line in code.co_lines() if line] + [code.co_firstlineno])


def _examine(kind):
    things = _namespace(kind)
    for name in _OPERATORS.keys() & things.keys():
        file = _holder_of(things[name], kind)
        if file:
            code = _code_of(things[name])
            lines = (code.co_firstlineno, _last_line(code)) if code else (0, 0)
            emit("operator", kind.__name__, file, name, *lines)


def look_at_classes():
    """A class that a function makes for itself is gone before long: the first tests are looked at one by one."""
    try:
        waiting, visited = [object], set()
        while waiting:
            for kind in type.__subclasses__(waiting.pop()):
                if id(kind) in visited:
                    continue
                visited.add(id(kind))
                waiting.append(kind)
                if id(kind) not in _examined and kind.__flags__ & _HEAP_TYPE:
                    _examined.add(id(kind))
                    _examine(kind)
    except Exception:
        pass


def look_at_classes_after_test():
    if _counts["tests"] <= _SCANNED_TESTS:
        look_at_classes()


atexit.register(look_at_classes)
