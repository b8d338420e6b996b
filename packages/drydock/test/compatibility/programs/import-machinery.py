import importlib
import importlib.util
import sys

module = importlib.import_module("json.decoder")
print(module.JSONDecoder.__name__, importlib.util.find_spec("no_such") is None, "guard" in sys.modules, "interpreter" in sys.modules, "frames" in sys.modules)
try:
    import guard
except ModuleNotFoundError as error:
    print(error)
