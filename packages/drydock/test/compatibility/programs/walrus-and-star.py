if (n := len([1, 2, 3])) > 2:
    print(n)
first, *middle, last = range(5)
print(first, middle, last, [*middle, *"ab"], {**{"a": 1}, "b": 2})
print(*range(3), sep=",", end="!\n")
