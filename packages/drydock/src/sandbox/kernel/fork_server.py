"""The fork server. It imports and warms up, makes the minimal root its own, and then only forks members. It never reads
a request: what one run says or does can't reach the memory that the next is forked from.

Started as: python3 -s fork_server.py CONFIG [INSTANCE RECORD], with an empty environment. On standard input one byte
asks for one member ('p' for Python, 'n' for Node, 'w' for a Node that is ready for the network); its end is our end. On
standard output it says once that it is ready, or why it can't be."""

# ruff: noqa: E402, I001  (what is imported when is the point of this file)
import gc
import os
import sys

gc.disable()  # what is imported stays: to look for garbage among it takes longer than to make it
from interpret import shadowed_modules  # noqa: F401  (first of all: it looks at what is imported so far)
import plain_json as json
from contain import own_executable

# Nothing of the configuration gets a name here: the code's frame lies on top of this module's.
own_executable.enter(json.loads(sys.argv[1])["directory"] + "/root", len(sys.argv) > 3)
from contain import group_maker

os.dup2(2, 3, inheritable=False)  # the number of the code's channel: nothing that a code process needs is found there

# A start in haste (for a single run) names its groups on the command line: they are made while the rest is imported.
helper = group_maker.GroupMaker(sys.argv[2], sys.argv[3]) if len(sys.argv) > 3 and os.geteuid() == 0 else None

import time

started = time.monotonic()
from attend.run_server import run
from attend.server import Server
from interpret.program import Program

session = None
if len(sys.argv) <= 3:  # one that is made for a single run never has a session
    from sessions import serving as session

try:
    run(Server(json.loads(sys.argv[1]), session, helper), started)
except Program as program:
    ready = program
try:
    ready.await_rest(eval(*ready.take()))
except BaseException as error:  # the code's own failure, whatever it is
    ready.tell(error)
ready.conclude()
