import sys


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


print(down(960), sys.getrecursionlimit())
