import sys

sys.stdout.write("y" * 1_500_000)
print(len("done"), file=sys.stderr)
