# file
import inspect
import sys


def depth(n=1):
    try:
        return depth(n + 1)
    except RecursionError:
        return n


# One frame of the sandbox's own lies below.
print(len(inspect.stack()) <= 2, depth() >= sys.getrecursionlimit() - 3)
