import importlib
from pathlib import Path

Path("made.py").write_text("VALUE = 1\n")
importlib.invalidate_caches()
import made

Path("made.py").write_text("VALUE = 12345\n")
print(made.VALUE, importlib.reload(made).VALUE)
