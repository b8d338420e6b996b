"""A live interpreter whose steps can be undone. Each step runs in a fork of the state before it:

    state k  --fork-->  state k+1 (runs the step; if it succeeds, it stays and waits for the next)
       \\__ sleeps; woken by the warden when the step failed or was rolled back: it is the current state again

What fork can't carry, running threads, is reported when a step starts from a state that has some."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

import clone
import linux
import plain_json as json
from contain import steps
from frames import FIGURE, FORK, NO_PROCESS, PASSED, READY, REPORT, SHED, STEP
from interpret import asking, interpreter, shadowed_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

    from shapes import CodeChannel, Json

_WAKE = signal.SIGUSR1


def serve(channel: CodeChannel, request: Json) -> NoReturn:
    sys.argv, sys.path = ["-c"], [""] + sys.path
    shadowed_modules.give_way([""])
    module = interpreter.new_main()
    channel.send(READY, b"%d" % os.getpid())
    while True:
        kind, payload = channel.receive()
        if kind == FORK:
            _shed_threads(channel) if payload == SHED else _go_to_fork_point(channel)
            continue
        if kind != STEP:
            os._exit(70)
        step = json.loads(payload)
        _, code = channel.receive()
        threads = _other_threads()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {_WAKE})
        # Asleep, this state can't be reached through /proc: no step rewrites what it would be rolled back to.
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
        try:
            pid = os.fork()
        except OSError:
            linux.prctl(linux.PR_SET_DUMPABLE, 1)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            channel.send(NO_PROCESS)
            continue
        if pid:
            _sleep_until_woken(pid)
            linux.prctl(linux.PR_SET_DUMPABLE, 1)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            channel.adopt()
            continue
        linux.prctl(linux.PR_SET_DUMPABLE, 1)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        channel.adopt()
        if step.get("input"):
            asking.open_for_step(channel, step["input"])
        else:
            channel.send(READY, b"%d" % os.getpid())
        _run_step(channel, module, step, code, threads)


def _shed_threads(channel: CodeChannel) -> None:
    """Libraries that calculate in threads (OpenBLAS, which numpy brings) end them when a process forks, and start them
    again when they need them."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass  # the code reaped it itself
    channel.send(READY)


def _go_to_fork_point(channel: CodeChannel) -> None:
    """The warden makes its copies there. A copy finds itself in a place of its own, and says that it is ready."""
    buffer = ctypes.create_string_buffer(8192)
    directory = _current_directory()
    try:
        is_copy = clone.stop_at_fork_point(ctypes.addressof(buffer)) == 1
    except OSError:
        return  # this process is not traced any more: the warden has given up
    if not is_copy:
        return
    try:
        os.chdir(directory)
    except OSError:
        os.chdir("/work")
    channel.adopt()
    channel.send(READY, b"%d" % os.getpid())


def _current_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "/work"  # it was deleted


def _sleep_until_woken(child: int) -> None:
    signal.sigwait({_WAKE})
    try:
        os.waitpid(child, 0)
    except ChildProcessError:
        pass  # the code reaped it itself


def _other_threads() -> list[str]:
    threading = sys.modules.get("threading")
    if threading is None:
        return []
    return [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]


def _run_step(channel: CodeChannel, module: ModuleType, step: Json, code: bytes, threads: list[str]) -> None:
    steps.limit_resources(step["limits"])
    filename = "<step %d>" % step["number"]
    compiled, report = interpreter.compile_code(code.decode("utf-8", "surrogatepass"), filename, step["guard"])
    status = 1
    if compiled is not None:
        if interpreter.is_guarded(step["guard"]):
            channel.send(PASSED, b"")
        module.__dict__.pop("result", None)
        status, report = interpreter.run_code(compiled, module)
        report["result"] = interpreter.take_result(module)
        for name, picture in interpreter.draw_figures():
            channel.send(FIGURE, name.encode() + b"\0" + picture)
    interpreter.flush()
    report["threadsLost"] = threads
    report["variables"] = _describe_variables(module)
    if status == 0:
        asking.end_step()
        report["alive"] = True  # last, where the warden looks for it
        channel.send(REPORT, json.dumps(report).encode())
        return
    channel.send(REPORT, json.dumps(report).encode())
    os._exit(status)


def _describe_variables(module: ModuleType) -> dict[str, str]:
    names = [name for name in module.__dict__ if not name.startswith("__")]
    return {name: type(module.__dict__[name]).__name__ for name in names[:200]}
