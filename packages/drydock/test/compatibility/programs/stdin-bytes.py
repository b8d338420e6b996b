# stdin: 1 2 3\n4
import os
import sys

print(sys.stdin.fileno(), sys.stdin.buffer.read(2), os.read(0, 3) or b"")
