"""The fork server of members without namespaces. Two kinds of them: behind Landlock, for machines that give no
namespaces and an owner who accepts that level; and unconfined, for the owner who says so and the run that asks for it.

Started as: python3 -s bare_fork_server.py CONFIG, and spoken to like `fork_server.py`."""

# ruff: noqa: E402, I001  (what is imported when is the point of this file)
import gc
import os
import sys

gc.disable()  # what is imported stays: to look for garbage among it takes longer than to make it
from interpret import shadowed_modules  # noqa: F401  (first of all: it looks at what is imported so far)
import plain_json as json

os.dup2(2, 3, inheritable=False)  # the number of the code's channel: nothing that a code process needs is found there

import time

started = time.monotonic()
from attend.bare_server import BareServer
from attend.run_server import run
from interpret.program import Program

try:
    run(BareServer(json.loads(sys.argv[1]), None), started)
except Program as program:
    ready = program
try:
    ready.await_rest(eval(*ready.take()))
except BaseException as error:  # the code's own failure, whatever it is
    ready.tell(error)
ready.conclude()
