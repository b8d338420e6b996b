"""A run of Python, ready to be executed. It is raised like an exception, through everything that the fork server and
the code process have called so far, and executed where it arrives: below the code's own frame there is one of ours, and
not a dozen.

    try:
        ready.await_rest(eval(*ready.take()))
    except BaseException as error:
        ready.tell(error)
    ready.conclude()
"""

from __future__ import annotations

import os
import sys

import plain_json as json
from frames import FIGURE, PASSED, REPORT
from interpret import asking, interpreter, shadowed_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from shapes import CodeChannel, Json


class Program(BaseException):
    def __init__(self, channel: CodeChannel, request: Json, source: bytes) -> None:
        self._channel = channel
        self._module: Any
        self._code: Any  # both are let go of at the end
        sys.argv = [request.get("filename") or "-c"] + request.get("args", [])
        sys.path.insert(0, _directory_of(request.get("filename")))
        shadowed_modules.give_way([sys.path[0], *python_path()])
        self._module = interpreter.new_main(request.get("filename"))
        text = source.decode("utf-8", "surrogatepass")
        self._code, report = interpreter.compile_code(text, request.get("filename") or "<string>", request["guard"])
        self._end = 1, report
        if self._code is None:
            self.conclude()
        if request.get("asks"):
            asking.take_over_input(channel)
        if interpreter.is_guarded(request["guard"]):
            channel.send(PASSED, b"")

    def take(self) -> tuple[Any, Json]:
        return self._code, self._module.__dict__

    def await_rest(self, returned: Any) -> None:
        interpreter.await_rest(self._code, returned)
        self._end = interpreter.describe_end(None)

    def tell(self, error: BaseException) -> None:
        self._end = interpreter.describe_end(error)

    def conclude(self) -> NoReturn:
        """Ends the process."""
        status, report = self._end
        if self._code is not None:
            report["result"] = interpreter.take_result(self._module)
            for name, picture in interpreter.draw_figures():
                self._channel.send(FIGURE, name.encode() + b"\0" + picture)
        self._module = self._code = None
        interpreter.finish()
        self._channel.send(REPORT, json.dumps(report).encode())
        os._exit(status)


def python_path() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]


def _directory_of(filename: str | None) -> str:
    """Where a file's siblings are imported from: beside it, or here if it was never inside."""
    if not filename:
        return ""
    directory = os.path.dirname(os.path.abspath(filename))
    return directory if os.path.isdir(directory) else os.getcwd()
