import atexit
import os
import sys

atexit.register(print, "exit function", flush=True)
sys.stdout.flush()
if os.fork() == 0:
    print("child", flush=True)
else:
    os.wait()
    print("parent", flush=True)
