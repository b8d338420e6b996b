def counter(n):
    try:
        while n:
            got = yield n
            n = got if got is not None else n - 1
        return "finished"
    finally:
        print("closed")


g = counter(3)
print(next(g), g.send(2), next(g))
try:
    next(g)
except StopIteration as stop:
    print(stop.value)
h = counter(5)
next(h)
h.close()
print(list(zip(*[iter(range(6))] * 2)), sum(x * x for x in range(5)))
left_open = counter(9)
next(left_open)
