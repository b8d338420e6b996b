import typing
from typing import Generic, NamedTuple, Optional, Protocol, TypedDict, TypeVar

T = TypeVar("T")


class Node(Generic[T]):
    next: "Optional[Node]"
    value: T


class Movie(TypedDict, total=False):
    title: str


class Pair(NamedTuple):
    a: int
    b: str = "x"


class Closes(Protocol):
    def close(self) -> None: ...


def f(x: "list[Pair]", y: "int | None" = None) -> "Movie": ...


print(typing.get_type_hints(Node), typing.get_type_hints(f), Pair(1), Movie.__annotations__)
