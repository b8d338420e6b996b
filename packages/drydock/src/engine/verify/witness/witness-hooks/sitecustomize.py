"""Stands before the sitecustomize that there would be otherwise, and hands over to it. HOOK is where the hook lies."""

import sys

try:
    with open(HOOK, encoding="utf-8") as file:
        code = compile(file.read(), "<witness hook.py>", "exec")
    exec(code, {"__name__": "witness"})
except Exception:
    pass
sys.path[:] = [path for path in sys.path if not HOOK.startswith(path + "/")]
del sys.modules["sitecustomize"]
try:
    import sitecustomize  # noqa: F401  (what it does is what it is imported for)
except ImportError as error:
    if error.name != "sitecustomize":
        raise
    # The import of this module ends well only if there is one of this name.
    sys.modules["sitecustomize"] = type(sys)("sitecustomize")
