class Registry(type):
    known = {}

    def __new__(mcs, name, bases, namespace, **kw):
        cls = super().__new__(mcs, name, bases, namespace, **kw)
        mcs.known[name] = cls.__module__
        return cls


class Base(metaclass=Registry):
    def __init_subclass__(cls, **kw):
        print("subclass", cls.__qualname__, kw)


class Child(Base, flag=True):
    pass


print(Registry.known)
