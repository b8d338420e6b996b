import sys

sys.excepthook = lambda kind, value, trace: print("hooked", kind.__name__, value)
raise ValueError("x")
