"""Drives the kernel the way Jupyter's own programs do, and prints what it saw as JSON.

drive-kernel.py KERNEL_NAME
"""

import json
import os
import signal
import sys
import time

from jupyter_client.manager import start_new_kernel


def run(client, code, on_output=None):
    """The messages that a cell published, by type, and its reply."""
    asked = client.execute(code)
    seen = []
    while True:
        message = client.get_iopub_msg(timeout=30)
        if message["parent_header"].get("msg_id") != asked:
            continue
        kind, content = message["msg_type"], message["content"]
        seen.append([kind, content])
        if on_output and kind == "stream":
            on_output()  # once: a second interrupt would be the next cell's
            on_output = None
        if kind == "status" and content["execution_state"] == "idle":
            break
    while True:
        reply = client.get_shell_msg(timeout=30)
        if reply["parent_header"].get("msg_id") == asked:
            return {"seen": seen, "reply": reply["content"]}


def children_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(word) for word in file.read().split()]


def is_gone(pid, seconds=10):
    deadline = time.monotonic() + seconds
    while os.path.exists("/proc/%d" % pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not os.path.exists("/proc/%d" % pid)


def pid_of(manager):
    return manager.provisioner.pid


manager, client = start_new_kernel(kernel_name=sys.argv[1])
told = {}
run(client, "x = 41\nprices = {'a': 1}")
told["interrupted"] = run(
    client, "x = 0\nprint('started', flush=True)\nimport time\ntime.sleep(60)", manager.interrupt_kernel
)
told["signalled"] = run(
    client,
    "x = 0\nprint('started', flush=True)\nimport time\ntime.sleep(60)",
    lambda: os.killpg(os.getpgid(pid_of(manager)), signal.SIGINT),
)
told["afterInterrupt"] = run(client, "x + 1")


def answer():
    """To the cell that waits, as a frontend does for a person."""
    told["asked"] = client.get_stdin_msg(timeout=30)["content"]
    client.input("Ada")


told["answered"] = run(client, "print('hello', input('who? '))", answer)
told["complete"] = client.complete("prices.ke", reply=True, timeout=30)["content"]
told["info"] = client.kernel_info(reply=True, timeout=30)["content"]

# Whoever does not know the key is not heard: the variable keeps its value.
key = client.session.key
client.session.key = b"wrong"
client.execute("x = 13")
client.session.key = key
told["afterUnsigned"] = run(client, "x")

before = pid_of(manager)
manager.restart_kernel()
client.wait_for_ready(timeout=60)
told["restarted"] = pid_of(manager) != before
told["afterRestart"] = run(client, "x")

# Killed without a word, it leaves nothing behind.
[drydock] = children_of(pid_of(manager))
manager.shutdown_kernel(now=True)
told["drydockIsGone"] = is_gone(drydock)
client.stop_channels()
print(json.dumps(told, default=str))
