"""Looks at each comparison that an operator of the workspace decides for somebody else, and tells of answers that hold
nothing that would say the same."""

import dis
import operator
import threading

_PLAIN = (int, float, complex, bool, str, bytes, type(None), list, tuple, set, frozenset, dict)
_MOST_PARTS, _MOST_DEPTH = 1000, 3
_APPLY = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "-": operator.sub,
    "+": operator.add,
}
_CONVERSIONS = ("__float__", "__int__", "__index__", "__complex__", "__str__", "__bytes__")
_NOTHING = ""
_mro = type.__dict__["__mro__"].__get__
_files = {}
_signs = {}
_waiting = {}
_kept = {}
_told = set()
_AS_PLAIN = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (list, lambda value: list(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: set(frozenset.__iter__(value))),
    (dict, lambda value: dict(dict.items(value))),
)


def _file_of_code(frame):
    code = frame.f_code
    if code not in _files:
        name = code.co_filename
        if name.startswith("<"):
            name = frame.f_globals.get("__file__")
        _files[code] = _own(name) if isinstance(name, str) else None
    return _files[code]


def _sign_of(frame):
    """The operator that a frame is about to apply; None where it calls something."""
    code = frame.f_code
    if code not in _signs:
        found = {}
        for each in dis.get_instructions(code):
            if each.opname == "COMPARE_OP":
                found[each.offset] = each.argrepr.replace("bool(", "").rstrip(")")
            elif each.opname == "CONTAINS_OP":
                found[each.offset] = "in"
            elif each.opname == "BINARY_OP":
                found[each.offset] = each.argrepr
            elif each.opname in ("BINARY_SUBTRACT", "BINARY_ADD"):
                found[each.offset] = "-" if each.opname.endswith("SUBTRACT") else "+"
        _signs[code] = found
    return _signs[code].get(frame.f_lasti)


def _own_sign(answer, code, sign):
    """By the name under which the class has it: 1 < answer asks the answer whether it is more."""
    for kind in _mro(type(answer)):
        for name, value in _namespace(kind).items():
            if name in _OPERATORS and _code_of(value) is code:
                return _OPERATORS[name]
    return sign


def _is_plain(value, left):
    left[0] -= 1
    if type(value) not in _PLAIN or left[0] < 0:
        return False
    if type(value) is dict:
        return all(_is_plain(key, left) and _is_plain(each, left) for key, each in value.items())
    if type(value) in (list, tuple, set, frozenset):
        return all(_is_plain(each, left) for each in value)
    return True


def _attributes_of(answer):
    if isinstance(answer, type):
        return dict(_namespace(answer))
    try:
        found = dict(object.__getattribute__(answer, "__dict__"))
    except AttributeError:
        found = {}
    for kind in _mro(type(answer)):
        slots = _namespace(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                found[name] = object.__getattribute__(answer, name)
            except AttributeError:
                pass
    return found


def _held(answer, place="value", depth=0):
    """What an answer holds, as plain values, by where it holds them."""
    if _is_plain(answer, [_MOST_PARTS]):
        yield place, answer
        return
    for kind, take in _AS_PLAIN:
        if kind in _mro(type(answer)):
            value = take(answer)
            if _is_plain(value, [_MOST_PARTS]):
                yield place, value
    if depth == 0:
        yield from _converted(answer, place)
    if depth < _MOST_DEPTH:
        for name, value in list(_attributes_of(answer).items())[:50]:
            yield from _held(value, "%s.%s" % (place, name), depth + 1)


def _converted(answer, place):
    """What it says that it is when it is asked by itself: the other side has no part in that."""
    for name in _CONVERSIONS:
        convert = next((found[name] for found in map(_namespace, _mro(type(answer))) if name in found), None)
        if convert is None or _code_of(convert) is None:
            continue
        try:
            value = convert(answer)
        except Exception:
            continue
        if _is_plain(value, [_MOST_PARTS]):
            yield "%s.%s" % (place, name), value


def _agrees(sign, value, other, result):
    """Whether a plain value says the same of the other side."""
    try:
        if sign == "in":
            folded = [each.casefold() if type(each) is str else each for each in (*value, other)]
            return bool(other in value) is bool(result) or (folded[-1] in folded[:-1]) is bool(result)
        plain = _APPLY[sign](value, other)
        return bool(plain) is bool(result) if sign in _COMPARING.values() else plain == result
    except Exception:
        return False


def _weigh(code, file, asker, answer, other, sign, held, result):
    if result is NotImplemented or result is None or sign not in ("in", *_APPLY):
        return
    if sign not in _COMPARING.values() and not _is_plain(result, [_MOST_PARTS]):
        return
    agreeing = {place for place, value in held if _agrees(sign, value, other, result)}
    # What is equal to nothing but its own kind need not hold anything.
    if sign in ("==", "!=", "in") and bool(result) is (sign == "!="):
        agreeing.add(_NOTHING)
    kept = _kept[code] = _kept.get(code, agreeing) & agreeing
    if not kept and code not in _told:
        _told.add(code)
        name = answer.__name__ if isinstance(answer, type) else type(answer).__name__
        emit("decided", name, file, asker)


def _asker_of(frame):
    """The nearest file of the workspace that had this compared."""
    while frame is not None:
        file = _file_of_code(frame)
        if file:
            return file
        frame = frame.f_back
    return None


def _is_own_kind(value):
    file = getattr(sys.modules.get(type(value).__module__), "__file__", None)
    return isinstance(file, str) and _own(file) is not None


def _enter(frame):
    file, back = _file_of_code(frame), frame.f_back
    if not file or back is None:
        return
    sign = _sign_of(back)
    asker = None if sign is None else _asker_of(back)
    if sign is None or asker == file:
        return
    code = frame.f_code
    given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    if code.co_flags & 4:
        given += frame.f_locals.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount], ())
    if len(given) > 1 and not _is_own_kind(given[1]):
        answer, other = given[:2]
        sign = _own_sign(answer, code, sign)
        _waiting[frame] = (code, file, asker, answer, other, sign, list(_held(answer)))


def _profile(frame, event, result):
    try:
        if event == "call":
            _enter(frame)
        elif event == "return" and frame in _waiting:
            _weigh(*_waiting.pop(frame), result)
    except Exception:
        pass


sys.setprofile(_profile)
threading.setprofile(_profile)
