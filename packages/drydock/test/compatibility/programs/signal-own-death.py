import os
import signal

print("going", flush=True)
os.kill(os.getpid(), signal.SIGTERM)
