import io
import sys

keep, sys.stdout = sys.stdout, io.StringIO()
print("captured")
text, sys.stdout = sys.stdout.getvalue(), keep
print("was", repr(text), sys.stdout is sys.__stdout__, sys.stdout.fileno(), sys.stdout.isatty(), sys.stdout.name, sys.stdout.mode)
