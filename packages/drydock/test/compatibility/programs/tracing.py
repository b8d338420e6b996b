import sys
import traceback

lines = []
sys.settrace(lambda frame, event, arg: lines.append((event, frame.f_code.co_name)) if frame.f_code.co_name == "f" else None)


def f():
    return 1


f()
sys.settrace(None)
print(lines)
try:
    f.missing
except AttributeError:
    print(traceback.format_exc().splitlines()[-1])
