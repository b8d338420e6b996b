# stdin: one\ntwo\nthrée
import sys

for number, line in enumerate(sys.stdin):
    print(number, repr(line))
print(sys.stdin.isatty(), sys.stdin.encoding, sys.stdin.closed)
