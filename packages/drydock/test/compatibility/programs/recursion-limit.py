import sys

print(sys.getrecursionlimit())


def depth(n):
    return 1 + depth(n + 1)


try:
    depth(0)
except RecursionError as error:
    print(error)
sys.setrecursionlimit(5000)
