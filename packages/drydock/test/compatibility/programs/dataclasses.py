from dataclasses import asdict, dataclass, field, replace


@dataclass(order=True, frozen=True)
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list, compare=False)


a = Point(1, 2, ["a"])
assert replace(a, x=3) > a
print(a, asdict(a), hash(Point(1)) == hash(Point(1)))
try:
    a.x = 5
except Exception as error:
    print(type(error).__name__, error)
