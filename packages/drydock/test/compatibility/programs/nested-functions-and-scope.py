def make():
    count = 0

    def inc():
        nonlocal count
        count += 1
        return count

    return inc


a = make()
a(), a()
print(a(), [f() for f in [lambda i=i: i for i in range(3)]], [x for x in range(3) if x % 2])


class Scoped:
    size = 3
    items = [i for i in range(size)]


print(Scoped.items, (lambda: undefined_name)())
