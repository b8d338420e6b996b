# file
def fibonacci(n):
    """
    >>> [fibonacci(i) for i in range(8)]
    [0, 1, 1, 2, 3, 5, 8, 13]
    >>> fibonacci(-1)
    Traceback (most recent call last):
    ValueError: negative
    """
    if n < 0:
        raise ValueError("negative")
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


import doctest

print(doctest.testmod())
