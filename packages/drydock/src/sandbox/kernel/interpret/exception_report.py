"""Describes an exception that the program did not catch. The exception may be of the program's own making: nothing
raises."""

from __future__ import annotations

import sys

from interpret.appearance import clean, cut, type_name
from interpret.time_limit import run_limited

TYPE_CHECKING = False
if TYPE_CHECKING:
    import traceback
    from collections.abc import Iterable
    from types import TracebackType
    from typing import Any

    from shapes import Json

MESSAGE_CHARS = 8 * 1024
TRACEBACK_CHARS = 64 * 1024
MAX_CHAIN = 10

_HERE = __file__[: __file__.rfind("/") + 1] or __file__
_excepthook = sys.__excepthook__


def _library() -> Any:
    """Loaded when something was raised: most runs never need it, and a fork server that is in a hurry starts
    without."""
    import traceback

    return traceback


def describe_exception(
    exc: BaseException, kernel_files: str | Iterable[str] = (), code_filenames: Iterable[str] = ()
) -> Json:
    """What is known of an exception: { type, bases, message, traceback, line?, column?, errno?, path?, module?, chain,
    syntax? }.

    Frames of files that begin with one of `kernel_files` (or lie in this directory) are ours and not shown.
    `code_filenames` are the names that the program was compiled under; without them, the outermost module's."""
    description = {"type": type_name(type(exc)), "bases": [], "message": "", "traceback": "", "chain": []}
    ours = (_HERE,) + ((kernel_files,) if isinstance(kernel_files, str) else tuple(kernel_files))
    names = set(code_filenames)
    for step in (_find_program, *_STEPS):
        run_limited(lambda step=step: step(description, exc, names, ours), lambda _: None)
    return description


def _find_program(_description: Json, exc: BaseException, names: set[str], ours: tuple[str, ...]) -> None:
    """The program is the outermost module body that is not ours: also under an event loop, where it is a coroutine."""
    for frame, _ in _library().walk_tb(_traceback_of(exc)):
        code = frame.f_code
        if not names and code.co_name == "<module>" and not code.co_filename.startswith(ours):
            names.add(code.co_filename)


def _add_bases(description: Json, exc: BaseException, _names: set[str], _ours: tuple[str, ...]) -> None:
    classes = type.__getattribute__(type(exc), "__mro__")[1:20]
    description["bases"] = [type_name(base) for base in classes if base not in (object, BaseException)]


def _add_message(description: Json, exc: BaseException, _names: set[str], _ours: tuple[str, ...]) -> None:
    description["message"] = "<the exception's __str__ failed>"
    text = clean(str.__str__(str(exc)))
    description["message"] = cut(text + _suggestion(exc, text), MESSAGE_CHARS)


def _suggestion(exc: BaseException, text: str) -> str:
    """Python's own "Did you mean", which until 3.12 only its error display knew."""
    if not issubclass(type(exc), (NameError, AttributeError, ImportError)):
        return ""
    if sys.version_info >= (3, 12):
        shown = "".join(_library().TracebackException(type(exc), exc, _traceback_of(exc)).format_exception_only())
    else:
        shown = _displayed(exc)
    _, marker, rest = shown.rpartition(". Did you mean: ")
    return clean(marker + rest.strip()) if marker and marker not in text and len(rest) < 200 else ""


def _displayed(exc: BaseException) -> str:
    class Sink:
        def __init__(self) -> None:
            self.parts = []

        def write(self, part: str) -> None:
            self.parts.append(part)

        def flush(self) -> None:
            pass

    sink, stderr = Sink(), sys.stderr
    sys.stderr = sink
    try:
        _excepthook(type(exc), exc, _traceback_of(exc))
    finally:
        sys.stderr = stderr
    return "".join(sink.parts)


def _add_chain(description: Json, exc: BaseException, _names: set[str], _ours: tuple[str, ...]) -> None:
    seen, error = {id(exc)}, _next_in_chain(exc)
    while error is not None and id(error) not in seen and len(description["chain"]) < MAX_CHAIN:
        seen.add(id(error))
        description["chain"].append(type_name(type(error)))
        error = _next_in_chain(error)


def _own(exc: BaseException, owner: type, name: str) -> Any:
    """What the exception really holds: past whatever its own class says."""
    return owner.__dict__[name].__get__(exc)


def _next_in_chain(exc: BaseException) -> BaseException | None:
    cause = _own(exc, BaseException, "__cause__")
    if cause is not None or _own(exc, BaseException, "__suppress_context__"):
        return cause
    return _own(exc, BaseException, "__context__")


def _traceback_of(exc: BaseException) -> TracebackType | None:
    return _own(exc, BaseException, "__traceback__")


def _add_place(description: Json, exc: BaseException, names: set[str], _ours: tuple[str, ...]) -> None:
    """The innermost frame of the program itself, be it below frames of libraries."""
    found = None
    for frame, line in _library().walk_tb(_traceback_of(exc)):
        if frame.f_code.co_filename in names:
            found = line
    if found is None:
        return
    description["line"] = found
    for summary in _library().extract_tb(_traceback_of(exc)):
        column = getattr(summary, "colno", None)
        if summary.filename in names and column is not None:
            description["column"] = column + 1


def _add_system_error(description: Json, exc: BaseException, _names: set[str], _ours: tuple[str, ...]) -> None:
    if not issubclass(type(exc), OSError):
        return
    number, path = _own(exc, OSError, "errno"), _own(exc, OSError, "filename")
    if type(number) is int:
        description["errno"] = number
    if type(path) is bytes:
        path = path.decode("utf-8", "replace")
    if type(path) is str:
        description["path"] = cut(clean(path), 4096)


def _add_module(description: Json, exc: BaseException, _names: set[str], _ours: tuple[str, ...]) -> None:
    if issubclass(type(exc), ImportError):
        name = _own(exc, ImportError, "name")
        if type(name) is str:
            description["module"] = cut(clean(name), 200)


def _add_syntax(description: Json, exc: BaseException, _names: set[str], _ours: tuple[str, ...]) -> None:
    """Only for text that could not be compiled: a SyntaxError that running code raised is an exception like others."""
    if "line" not in description and issubclass(type(exc), (RecursionError, MemoryError)):
        # Nothing of the program has run: it was the compiler that gave up.
        description["syntax"] = {"line": 1}
        description["message"] = "the code is too deeply nested, or too long, to be compiled"
        return
    if not issubclass(type(exc), SyntaxError):
        return
    filename, line = _own(exc, SyntaxError, "filename"), _own(exc, SyntaxError, "lineno")
    offset, text = _own(exc, SyntaxError, "offset"), _own(exc, SyntaxError, "text")
    filename = filename if type(filename) is str else "<unknown>"
    if type(line) is not int or ("line" in description and filename.startswith("<")):
        return
    syntax = {"file": cut(clean(filename), 4096), "line": line}
    if type(offset) is int and offset > 0:
        syntax["column"] = offset
    if type(text) is str:
        syntax["text"] = cut(clean(text.rstrip("\n")), 500)
    description["syntax"] = syntax
    message = _own(exc, SyntaxError, "msg")
    if type(message) is str:
        description["message"] = cut(clean(message), MESSAGE_CHARS)


def _add_traceback(description: Json, exc: BaseException, names: set[str], ours: tuple[str, ...]) -> None:
    description["traceback"] = "%s: %s\n" % (description["type"], description["message"])
    shown = _library().TracebackException(type(exc), exc, _traceback_of(exc), lookup_lines=False)
    _drop_frames(shown, names, ours)
    text = clean("".join(shown.format()))
    suggestion = description["message"].rpartition(". Did you mean: ")
    if suggestion[1] and suggestion[1] not in text:
        text = text.rstrip("\n") + suggestion[1] + suggestion[2] + "\n"
    if len(text) > TRACEBACK_CHARS:
        # The end of a traceback tells more than its beginning.
        text = "…" + text[-TRACEBACK_CHARS:]
    description["traceback"] = text


def _drop_frames(shown: traceback.TracebackException, names: set[str], ours: tuple[str, ...]) -> None:
    """Drops our own frames, and what stands before the program's first: the event loop that we ran it in."""
    todo, room = [shown], 50
    while todo and room > 0:
        room -= 1
        one = todo.pop()
        kept = [frame for frame in one.stack if not frame.filename.startswith(ours)]
        first = next((index for index, frame in enumerate(kept) if frame.filename in names), 0)
        one.stack = _library().StackSummary.from_list(kept[first:])
        todo.extend(other for other in (one.__cause__, one.__context__) if other is not None)
        todo.extend(getattr(one, "exceptions", None) or ())


_STEPS = (_add_bases, _add_message, _add_chain, _add_place, _add_system_error, _add_module, _add_syntax, _add_traceback)
