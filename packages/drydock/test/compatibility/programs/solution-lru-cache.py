from functools import cached_property, lru_cache, partial, reduce, singledispatch


@lru_cache(None)
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)


@singledispatch
def show(x):
    return "any"


@show.register
def _(x: int):
    return "int"


class C:
    @cached_property
    def once(self):
        print("computed")
        return 1


c = C()
print(ways(300), ways.cache_info(), show(1), show("a"), c.once + c.once, reduce(lambda a, b: a * b, range(1, 6)), partial(int, base=2)("101"))
