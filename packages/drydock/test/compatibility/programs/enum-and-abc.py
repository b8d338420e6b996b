import enum
from abc import ABC, abstractmethod


class Color(enum.Flag):
    RED = enum.auto()
    GREEN = enum.auto()


class Shape(ABC):
    @abstractmethod
    def area(self): ...


print(Color.RED | Color.GREEN, list(Color), Color(1), enum.IntEnum("E", "A B").B + 1)
Shape()
