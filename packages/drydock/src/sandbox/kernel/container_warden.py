"""Pid 1 of a container: the warden of its one run. It is started by the engine, with an attendant at the other end of
its standard input and output. The code process is a fork of it, and ends here as the program that is to be executed."""

# ruff: noqa: E402, I001  (what is imported when is the point of this file)
import gc

gc.disable()  # what is imported stays: to look for garbage among it takes longer than to make it
from interpret import shadowed_modules  # noqa: F401  (first of all: it looks at what is imported so far)
from container import inside
from interpret.program import Program

try:
    inside.main()
except Program as program:
    ready = program
try:
    ready.await_rest(eval(*ready.take()))
except BaseException as error:  # the code's own failure, whatever it is
    ready.tell(error)
ready.conclude()
