"""Turns what a program left behind, a value or an exception, into JSON that the host can read.

Everything here handles objects of the program's own making: their `__repr__`, `__str__` or properties may raise, hang, lie or
answer with megabytes. So nothing is asked of a value beyond its real type where that is enough, whatever is asked is
fenced, and no function of this file raises.
"""
import json
import signal
import sys
import threading
import traceback

REPR_CHARS = 64 * 1024
MESSAGE_CHARS = 8 * 1024
TRACEBACK_CHARS = 64 * 1024
MAX_DEPTH = 100
MAX_CHAIN = 10
# How long a program's own __repr__ or __str__ may take before it is given up.
PATIENCE_SECONDS = 2.0

_HERE = __file__[: __file__.rfind("/") + 1] or __file__
_excepthook = sys.__excepthook__
_SCALARS = (bool, int, float, str)


class _TooLarge(Exception):
    pass


class _GaveUp(BaseException):
    """Raised by the alarm; no Exception, so that a program's `except Exception` does not swallow it."""


class _Alarm:
    """Interrupts what runs after `arm` when PATIENCE_SECONDS have passed, where signals can be had (the main thread).

    It repeats, for code that swallows the first. What no Python signal can interrupt is left to the run's deadline.
    """

    def __init__(self):
        self.active = False
        self.handler = self.timer = None

    def arm(self):
        if threading.current_thread() is threading.main_thread():
            self.handler = signal.signal(signal.SIGALRM, self.ring)
            self.active = True
            self.timer = signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS, 0.05)

    def ring(self, _signal, _frame):
        if self.active:
            raise _GaveUp()

    def disarm(self):
        if self.handler is not None:
            self.active = False
            signal.setitimer(signal.ITIMER_REAL, *(self.timer or (0,)))
            signal.signal(signal.SIGALRM, self.handler)


def _patiently(task, otherwise):
    """task(), or what `otherwise` makes of its failure; nothing that the program's objects do gets out of here."""
    alarm = _Alarm()
    try:
        alarm.arm()
        outcome = task()
    except BaseException as error:
        outcome = otherwise(error)
    while True:
        try:
            alarm.disarm()
            return outcome
        except _GaveUp:  # It rang between two instructions; the next ring is far.
            continue
        except BaseException:
            return outcome


def jsonable(value, limit_bytes=1024 * 1024):
    """`value` as JSON text of at most `limit_bytes`: as it is where JSON can say it, else as { type, repr }."""
    text = _patiently(lambda: _dump(_Converter(limit_bytes).convert(value, 0)), lambda _: None)
    if text is not None and len(text.encode("utf-8")) <= limit_bytes:
        return text
    return _patiently(lambda: _shortened(value, limit_bytes), lambda _: "null")


def _shortened(value, limit_bytes):
    shown = _described(value)
    while True:
        text = _dump(shown)
        excess = len(text.encode("utf-8")) - limit_bytes
        if excess <= 0:
            return text
        if not shown["repr"]:
            return "null"
        kept = min(len(shown["repr"]) // 2, max(0, len(shown["repr"]) - excess - 1))
        shown["repr"] = shown["repr"][:kept]
        shown["truncated"] = True


def _dump(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class _Converter:
    def __init__(self, limit_bytes):
        # A shared list inside a shared list can be exponentially larger than it looks: the budget ends the walk.
        self.room = limit_bytes
        self.path = set()

    def convert(self, value, depth):
        kind = type(value)
        self.room -= 2
        if self.room < 0:
            raise _TooLarge()
        if value is None or kind is bool:
            return value
        if issubclass(kind, str):
            text = _clean(str.__str__(value))
            self.room -= len(text)
            return text
        if issubclass(kind, int):
            number = int.__add__(value, 0)
            self.room -= number.bit_length() // 4
            return number if _has_digits(number) else self.describe(value)
        if issubclass(kind, float) and not _is_numpy(kind):
            number = float.__add__(value, 0.0)
            return number if number - number == 0 else self.describe(value)
        if issubclass(kind, (dict, list, tuple)):
            return self.convert_container(value, kind, depth)
        if _is_numpy(kind):
            plain = kind.item(value)
            if type(plain) in _SCALARS and not (type(plain) is float and plain - plain != 0):
                return self.convert(plain, depth)
        return self.describe(value)

    def convert_container(self, value, kind, depth):
        if depth >= MAX_DEPTH or id(value) in self.path:
            return self.describe(value)
        self.path.add(id(value))
        try:
            if not issubclass(kind, dict):
                items = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
                return [self.convert(item, depth + 1) for item in items]
            converted = {}
            for key, item in dict.items(value):
                name = _key(key)
                if name is None:
                    return self.describe(value)
                self.room -= len(name)
                converted[name] = self.convert(item, depth + 1)
            return converted
        finally:
            self.path.discard(id(value))

    def describe(self, value):
        shown = _described(value)
        self.room -= len(shown["repr"]) + len(shown["type"])
        return shown


def _key(key):
    kind = type(key)
    if issubclass(kind, str):
        return _clean(str.__str__(key))
    if key is None or kind is bool:
        return {None: "null", True: "true", False: "false"}[key]
    if kind is int:
        return str(key) if _has_digits(key) else None
    if kind is float:
        return float.__repr__(key) if key - key == 0 else None
    if _is_numpy(kind):
        plain = kind.item(key)
        return _key(plain) if type(plain) in _SCALARS else None
    return None


def _has_digits(number):
    """CPython refuses to print integers beyond some thousands of digits; this one is printable."""
    try:
        int.__repr__(number)
        return True
    except ValueError:
        return False


def _is_numpy(kind):
    """A scalar of numpy, without importing numpy: who has one has imported it."""
    generic = getattr(sys.modules.get("numpy"), "generic", None)
    return type(generic) is type and issubclass(kind, generic)


def _described(value):
    return {"type": type_name(type(value)), "repr": _repr(value)}


def type_name(kind):
    """`pandas.core.frame.DataFrame`, `set`: read from the type itself, past whatever its metaclass says."""
    try:
        module = type.__getattribute__(kind, "__module__")
        name = type.__getattribute__(kind, "__qualname__")
        if type(module) is not str or module == "builtins":
            return _clean(name)
        return _clean("%s.%s" % (module, name))
    except BaseException:
        return "object"


def _repr(value):
    try:
        pieces = []
        _preview(value, pieces, [REPR_CHARS], set())
        text = "".join(pieces)
    except _GaveUp:
        return "<repr failed: it took longer than %g s>" % PATIENCE_SECONDS
    except BaseException as error:
        return _clean("<repr failed: %s>" % _one_line(error))
    return _clean(text if len(text) <= REPR_CHARS else text[:REPR_CHARS] + "…")


def _one_line(error):
    name = type_name(type(error))
    try:
        return _cut("%s: %s" % (name, str.__str__(str(error))), 200)
    except _GaveUp:
        raise
    except BaseException:
        return name


def _preview(value, pieces, room, path):
    """Python's own repr, except that built-in containers are written only as far as there is room for them."""
    kind = type(value)
    brackets = _BRACKETS.get(kind)
    if brackets is None or not value or id(value) in path or len(path) > 50:
        text = brackets[0] + "..." + brackets[1] if brackets is not None and value else _plain_repr(value)
        pieces.append(text)
        room[0] -= len(text)
        return
    path.add(id(value))
    pieces.append(brackets[0])
    for index, item in enumerate(value):
        if room[0] <= 0:
            pieces.append("…")
            break
        if index:
            pieces.append(", ")
        room[0] -= 2
        _preview(item, pieces, room, path)
        if kind is dict:
            pieces.append(": ")
            _preview(value[item], pieces, room, path)
    pieces.append("," + brackets[1] if kind is tuple and len(value) == 1 else brackets[1])
    path.discard(id(value))


_BRACKETS = {list: "[]", tuple: "()", dict: "{}", set: "{}", frozenset: ("frozenset({", "})")}


def _plain_repr(value):
    kind = type(value)
    if kind is int and not _has_digits(value):
        return hex(value)
    if kind in (str, bytes, bytearray) and len(value) > REPR_CHARS:
        value = value[:REPR_CHARS]
    return str.__str__(repr(value))


def _clean(text):
    """Text that UTF-8 can carry: lone surrogates become U+FFFD."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def describe_exception(exc, kernel_files=(), code_filenames=()):
    """What is known of an exception: { type, bases, message, traceback, line?, column?, errno?, path?, module?, chain, syntax? }.

    Frames of files that begin with one of `kernel_files` (or lie in this directory) are ours and not shown. `code_filenames`
    are the names that the program was compiled under; without them, the outermost module's.
    """
    description = {"type": type_name(type(exc)), "bases": [], "message": "", "traceback": "", "chain": []}
    ours = (_HERE,) + ((kernel_files,) if isinstance(kernel_files, str) else tuple(kernel_files))
    names = set(code_filenames)
    for step in (_find_program, *_STEPS):
        _patiently(lambda: step(description, exc, names, ours), lambda _: None)
    return description


def _find_program(_description, exc, names, ours):
    """The program is the outermost module body that is not ours: also under an event loop, where it is a coroutine."""
    for frame, _ in traceback.walk_tb(_traceback_of(exc)):
        code = frame.f_code
        if not names and code.co_name == "<module>" and not code.co_filename.startswith(ours):
            names.add(code.co_filename)


def _add_bases(description, exc, _names, _ours):
    classes = type.__getattribute__(type(exc), "__mro__")[1:20]
    description["bases"] = [type_name(base) for base in classes if base not in (object, BaseException)]


def _add_message(description, exc, _names, _ours):
    description["message"] = "<the exception's __str__ failed>"
    text = _clean(str.__str__(str(exc)))
    description["message"] = _cut(text + _suggestion(exc, text), MESSAGE_CHARS)


def _suggestion(exc, text):
    """Python's own "Did you mean", which until 3.12 only its error display knew."""
    if not issubclass(type(exc), (NameError, AttributeError, ImportError)):
        return ""
    if sys.version_info >= (3, 12):
        shown = "".join(traceback.TracebackException(type(exc), exc, _traceback_of(exc)).format_exception_only())
    else:
        shown = _displayed(exc)
    _, marker, rest = shown.rpartition(". Did you mean: ")
    return _clean(marker + rest.strip()) if marker and marker not in text and len(rest) < 200 else ""


def _displayed(exc):
    class Sink:
        def __init__(self):
            self.parts = []

        def write(self, part):
            self.parts.append(part)

        def flush(self):
            pass

    sink, stderr = Sink(), sys.stderr
    sys.stderr = sink
    try:
        _excepthook(type(exc), exc, _traceback_of(exc))
    finally:
        sys.stderr = stderr
    return "".join(sink.parts)


def _add_chain(description, exc, _names, _ours):
    seen, error = {id(exc)}, _next_in_chain(exc)
    while error is not None and id(error) not in seen and len(description["chain"]) < MAX_CHAIN:
        seen.add(id(error))
        description["chain"].append(type_name(type(error)))
        error = _next_in_chain(error)


def _next_in_chain(exc):
    cause = BaseException.__cause__.__get__(exc)
    if cause is not None or BaseException.__suppress_context__.__get__(exc):
        return cause
    return BaseException.__context__.__get__(exc)


def _traceback_of(exc):
    return BaseException.__traceback__.__get__(exc)


def _add_place(description, exc, names, _ours):
    """The innermost frame of the program itself, be it below frames of libraries."""
    found = None
    for frame, line in traceback.walk_tb(_traceback_of(exc)):
        if frame.f_code.co_filename in names:
            found = line
    if found is None:
        return
    description["line"] = found
    for summary in traceback.extract_tb(_traceback_of(exc)):
        if summary.filename in names and getattr(summary, "colno", None) is not None:
            description["column"] = summary.colno + 1


def _add_system_error(description, exc, _names, _ours):
    if not issubclass(type(exc), OSError):
        return
    number, path = OSError.errno.__get__(exc), OSError.filename.__get__(exc)
    if type(number) is int:
        description["errno"] = number
    if type(path) is bytes:
        path = path.decode("utf-8", "replace")
    if type(path) is str:
        description["path"] = _cut(_clean(path), 4096)


def _add_module(description, exc, _names, _ours):
    if issubclass(type(exc), ImportError):
        name = ImportError.name.__get__(exc)
        if type(name) is str:
            description["module"] = _cut(_clean(name), 200)


def _add_syntax(description, exc, _names, _ours):
    """Only for text that could not be compiled: a SyntaxError that running code raised is an exception like others."""
    if "line" not in description and issubclass(type(exc), (RecursionError, MemoryError)):
        # Nothing of the program has run: it was the compiler that gave up.
        description["syntax"] = {"line": 1}
        description["message"] = "the code is too deeply nested, or too long, to be compiled"
        return
    if not issubclass(type(exc), SyntaxError):
        return
    filename, line = SyntaxError.filename.__get__(exc), SyntaxError.lineno.__get__(exc)
    offset, text = SyntaxError.offset.__get__(exc), SyntaxError.text.__get__(exc)
    filename = filename if type(filename) is str else "<unknown>"
    if type(line) is not int or ("line" in description and filename.startswith("<")):
        return
    syntax = {"file": _cut(_clean(filename), 4096), "line": line}
    if type(offset) is int and offset > 0:
        syntax["column"] = offset
    if type(text) is str:
        syntax["text"] = _cut(_clean(text.rstrip("\n")), 500)
    description["syntax"] = syntax
    message = SyntaxError.msg.__get__(exc)
    if type(message) is str:
        description["message"] = _cut(_clean(message), MESSAGE_CHARS)


def _add_traceback(description, exc, names, ours):
    description["traceback"] = "%s: %s\n" % (description["type"], description["message"])
    shown = traceback.TracebackException(type(exc), exc, _traceback_of(exc), lookup_lines=False)
    _drop_frames(shown, names, ours)
    text = _clean("".join(shown.format()))
    suggestion = description["message"].rpartition(". Did you mean: ")
    if suggestion[1] and suggestion[1] not in text:
        text = text.rstrip("\n") + suggestion[1] + suggestion[2] + "\n"
    if len(text) > TRACEBACK_CHARS:
        # The end of a traceback tells more than its beginning.
        text = "…" + text[-TRACEBACK_CHARS:]
    description["traceback"] = text


def _drop_frames(shown, names, ours):
    """Drops our own frames, and what stands before the program's first: the event loop that we ran it in."""
    todo, room = [shown], 50
    while todo and room > 0:
        room -= 1
        one = todo.pop()
        kept = [frame for frame in one.stack if not frame.filename.startswith(ours)]
        first = next((index for index, frame in enumerate(kept) if frame.filename in names), 0)
        one.stack = traceback.StackSummary.from_list(kept[first:])
        todo.extend(other for other in (one.__cause__, one.__context__) if other is not None)
        todo.extend(getattr(one, "exceptions", None) or ())


_STEPS = (_add_bases, _add_message, _add_chain, _add_place, _add_system_error, _add_module, _add_syntax, _add_traceback)


def _cut(text, size):
    return text if len(text) <= size else text[:size] + "…"
