"""A run of Python, ready to be executed. It is raised like an exception, through everything that the fork server and
the code process have called so far, and executed where it arrives: below the code's own frame there is one of ours, and
not a dozen.

    try:
        ready.await_rest(eval(*ready.take()))
    except BaseException as error:
        ready.tell(error)
    ready.conclude()
"""

import os
import sys

import plain_json as json
from frames import FIGURE, PASSED, REPORT
from interpret import interpreter, shadowed_modules


class Program(BaseException):
    def __init__(self, channel, request, source):
        self._channel = channel
        sys.argv = [request.get("filename") or "-c"] + request.get("args", [])
        sys.path.insert(0, _directory_of(request.get("filename")))
        shadowed_modules.give_way([sys.path[0], *python_path()])
        self._module = interpreter.new_main(request.get("filename"))
        text = source.decode("utf-8", "surrogatepass")
        self._code, report = interpreter.compile_code(text, request.get("filename") or "<string>", request["guard"])
        self._end = 1, report
        if self._code is None:
            self.conclude()
        if interpreter.is_guarded(request["guard"]):
            channel.send(PASSED, b"")

    def take(self):
        return self._code, self._module.__dict__

    def await_rest(self, returned):
        interpreter.await_rest(self._code, returned)
        self._end = interpreter.describe_end(None)

    def tell(self, error):
        self._end = interpreter.describe_end(error)

    def conclude(self):
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


def python_path():
    return [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]


def _directory_of(filename):
    """Where a file's siblings are imported from: beside it, or here if it was never inside."""
    if not filename:
        return ""
    directory = os.path.dirname(os.path.abspath(filename))
    return directory if os.path.isdir(directory) else os.getcwd()
