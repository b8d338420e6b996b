import sys

print("out")
print("err", file=sys.stderr)
sys.stderr.write("last words\n")
