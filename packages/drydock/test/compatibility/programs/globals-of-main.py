print(sorted(name for name in globals() if name not in ("__annotations__", "__cached__")))
import __main__

__main__.added = 5
print(added, vars() is globals(), dir() == sorted(globals()))
