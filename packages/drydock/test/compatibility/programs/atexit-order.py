import atexit
import sys

atexit.register(print, "first registered")
atexit.register(lambda: print("second registered", "sys" in globals()))
print("main")
sys.exit(2)
