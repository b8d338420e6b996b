from __future__ import annotations


def f(x: Undefined) -> Missing:
    return x


print(f(1), f.__annotations__)
