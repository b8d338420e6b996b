"""Runs Python the way `python3 -c` does, and tells what came of it. Everything here runs inside the dock, with nothing
left to protect but the faithfulness of what the code sees."""

from __future__ import annotations

import _ast as ast
import atexit
import gc
import io
import os
import sys
import types

from interpret import guard, lazy_module, results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, ModuleType
    from typing import Any

    from shapes import Json

LAST = "__drydock_last__"
RESULT_LIMIT = 1 << 20
CO_COROUTINE = 0x80
_KERNEL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def open_streams(out: int, err: int) -> None:
    """Lines appear while the code runs."""
    set_streams(
        _open_stream(0, "r", "<stdin>", "surrogateescape"),
        _open_stream(out, "w", "<stdout>", "surrogateescape"),
        _open_stream(err, "w", "<stderr>", "backslashreplace"),
    )


def set_streams(stdin: Any, stdout: Any, stderr: Any) -> None:
    sys.stdin = sys.__stdin__ = stdin
    sys.stdout = sys.__stdout__ = stdout
    sys.stderr = sys.__stderr__ = stderr


def open_input(raw: Any) -> io.TextIOWrapper:
    """A stream like standard input, over another source."""
    return _wrap(raw, "r", "<stdin>", "surrogateescape")


def _open_stream(descriptor: int, mode: str, name: str, errors: str) -> io.TextIOWrapper:
    return _wrap(io.FileIO(descriptor, mode, closefd=False), mode, name, errors)


def _wrap(raw: Any, mode: str, name: str, errors: str) -> io.TextIOWrapper:
    raw.name = name
    buffer = io.BufferedReader(raw) if mode == "r" else io.BufferedWriter(raw)
    stream = io.TextIOWrapper(buffer, "utf-8", errors, line_buffering=mode == "w")
    stream.mode = mode  # pyright: ignore[reportAttributeAccessIssue]  (the interpreter sets it on its own streams, too)
    return stream


def new_main(filename: str | None = None) -> ModuleType:
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = sys.modules["builtins"]
    module.__dict__["__annotations__"] = {}
    if filename:
        module.__dict__["__file__"] = filename
    sys.modules["__main__"] = module
    return module


_sources = {}


def _give_sources(linecache: ModuleType) -> None:
    linecache.cache.update(_sources)


def keep_source(filename: str, source: str) -> None:
    """Where tracebacks look for the lines of a program that lies in no file."""
    entry = (len(source), None, [line + "\n" for line in source.splitlines()], filename)
    if "linecache" not in sys.modules:
        lazy_module.stand_in("linecache", _give_sources)
    known = sys.modules["linecache"].__dict__.get("cache")
    if known is None:
        _sources[filename] = entry
    else:
        known[filename] = entry


def compile_code(source: str, filename: str, rules: Json) -> tuple[CodeType | None, Json]:
    """(code, {}), or (None, report) where the guard or the parser says no. The last expression's value is kept under
    a name of ours: one code object keeps line numbers, and lets `await` stand anywhere at the top."""
    keep_source(filename, source)
    try:
        tree = compile(source, filename, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        if rules["mode"] != "off":
            violation = guard.check(tree, rules, source)
            if violation:
                return None, {"outcome": "exception", "guard": {**violation, "file": filename}}
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = tree.body[-1]
            place = {each: getattr(last, each) for each in last._attributes}  # noqa: SLF001  (documented, in spite of its name)
            tree.body[-1] = ast.Assign([ast.Name(LAST, ast.Store(), **place)], last.value, **place)
        return compile(tree, filename, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True), {}
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        if isinstance(error, ValueError) and not isinstance(error, SyntaxError):
            error = SyntaxError(str(error), (filename, 1, 1, None))
        print_exception(error)
        return None, {"outcome": "exception", "exception": results.describe_exception(error, _KERNEL)}


def is_guarded(rules: Json) -> bool:
    return rules["mode"] != "off" and guard.compile_rules(rules) is not None


def run_code(code: CodeType, module: ModuleType) -> tuple[int, Json]:
    """Executes; returns (exit status, report). The report only adds detail: the process's real exit status decides."""
    try:
        await_rest(code, eval(code, module.__dict__))
    except BaseException as error:  # the code's own failure, whatever it is
        return describe_end(error)
    return describe_end(None)


def await_rest(code: CodeType, returned: Any) -> None:
    """What code with an `await` at its top gives back is still to be run."""
    if code.co_flags & CO_COROUTINE:
        import asyncio

        asyncio.run(returned)


def describe_end(error: BaseException | None) -> tuple[int, Json]:
    """(Exit status, report) of code that ended with this, or with nothing."""
    if error is None:
        return 0, {"outcome": "ok"}
    if isinstance(error, SystemExit):
        status = _exit_status(error.code)
        return status, {"outcome": "ok" if status == 0 else "exit"}
    print_exception(error)
    return 1, {"outcome": "exception", "exception": results.describe_exception(error, _KERNEL)}


def _exit_status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def print_exception(error: BaseException) -> None:
    """As the interpreter would print it: through the code's own hook, without our frames."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_KERNEL):
        trace = trace.tb_next
    error = error.with_traceback(trace)
    try:
        sys.stdout.flush()
        sys.excepthook(type(error), error, trace)
    except BaseException:
        try:
            import traceback

            traceback.print_exception(type(error), error, trace, file=sys.__stderr__)
        except BaseException:
            os.write(2, b"the exception could not be printed\n")


def take_result(module: ModuleType) -> str:
    """The variable `result` if set, else the value of the last expression, as JSON text."""
    names = module.__dict__
    value = names.pop(LAST, None)
    if "result" in names:
        value = names["result"]
    return results.jsonable(value, RESULT_LIMIT)


def draw_figures() -> Iterator[tuple[str, bytes]]:
    """Open matplotlib figures as PNG, by name."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in pyplot.get_fignums()[:32]:
        picture = io.BytesIO()
        try:
            pyplot.figure(number).savefig(picture, format="png")
        except BaseException as error:
            print("figure %d could not be drawn: %s" % (number, error), file=sys.stderr)
            continue
        yield "figure-%d.png" % number, picture.getvalue()
    pyplot.close("all")


def finish() -> None:
    """What the interpreter does at its end, in its order: threads are waited for, exit functions run, garbage dies,
    then the main module with everything that is left in it. To be called once: the standard library remembers that
    it was. The caller must not hold the module any more."""
    threading = sys.modules.get("threading")
    for step in (
        lambda: threading and threading._shutdown(),  # noqa: SLF001  (what the interpreter itself calls at its end)
        atexit._run_exitfuncs,  # noqa: SLF001  (likewise)
        flush,
        gc.collect,
        lambda: sys.modules.pop("__main__", None) and None,
        gc.collect,
        flush,
    ):
        try:
            step()
        except BaseException as error:
            print_exception(error)


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass  # the code closed it, or the reader is gone
