import os
import signal
import time

signal.signal(signal.SIGUSR1, lambda number, frame: print("got", signal.Signals(number).name))
os.kill(os.getpid(), signal.SIGUSR1)
signal.signal(signal.SIGALRM, lambda *_: print("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.02)
time.sleep(0.2)
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGPIPE), signal.getsignal(signal.SIGCHLD))
