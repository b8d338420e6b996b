import atexit


def fail():
    raise ValueError("at exit")


atexit.register(print, "called after the failing one")
atexit.register(fail)
print("main")
