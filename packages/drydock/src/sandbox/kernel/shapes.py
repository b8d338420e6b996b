"""Types that several packages share. Only type checkers import this module: at run time it would cost the start."""

from __future__ import annotations

from _socket import socket as Socket
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, Union

T = TypeVar("T")

# What JSON says; the host has checked its shape.
Json = dict[str, Any]
Limits = dict[str, Any]
Ending = dict[str, Any]
# (Name, step) each; a step takes the member.
Steps = Sequence[tuple[str, Callable[[Any], None]]]
# One of the steps of a rule of the system call filter: its kind, and what belongs to it.
Step = tuple[Any, ...]
# A file as it was looked at: its numbers, size and times. None: a directory.
Stamp = Union[tuple[int, ...], None]
Stamps = dict[str, Stamp]
# Path to (kind, mode, what).
Manifest = dict[str, tuple[str, int, Any]]
# (User, group, inner user) to the descriptor of a user namespace.
Namespaces = dict[tuple[int, int, int], int]
# From a request and its process to descriptors and facts.
Handlers = dict[str, Callable[[Json, int], tuple[Union[int, list[int]], Json]]]
# Of a system call that is observed: what it is, and which of its arguments are the path, the directory and the flags.
Call = tuple[str, int, Union[int, None], Union[int, None]]


class Meter(Protocol):
    def memory_bytes(self, most: float = ...) -> float: ...
    def cpu_ns(self) -> int: ...
    def peak_bytes(self) -> int: ...
    def exceeded(self) -> Ending | None: ...
    def out_of_memory(self) -> bool: ...
    def processes_refused(self) -> bool: ...


class FrameSource(Protocol):
    def receive(self) -> tuple[bytes, bytes]: ...


class CodeChannel(FrameSource, Protocol):
    def send(self, kind: bytes, payload: bytes = ...) -> None: ...
    def give(self, kind: bytes, payload: bytes, descriptor: int) -> None: ...
    def is_own(self) -> bool: ...
    def adopt(self) -> None: ...


class SystemCallFilter(Protocol):
    @property
    def program(self) -> Any: ...


class ContainedMember(Protocol):
    """A member as the steps of containment know it."""

    rootless: bool
    scratch: int
    disk_bytes: int
    filter: Any

    def kept_descriptors(self) -> list[int]: ...


class ConversingMember(Protocol):
    """A member as who closes all but its leash knows it."""

    conversation: Any


class TracedMember(Protocol):
    """A member as who looks for traces of runs knows it."""

    scratch: int
    traces: dict[str, int] | None
    built: bytes


class ForkMember(ContainedMember, Protocol):
    """The member of a fork, as its steps know it: directories of the session's scratch by their names, and open."""

    frozen_paths: dict[str, str]
    frozen: dict[str, int]
    has_workspace: bool


class TrialMember(Protocol):
    """The member of a place for trial forks, as its steps know it: the mounts that it begins from, and its limits."""

    disk_bytes: int
    base: int
    limits: list[int]
    own_network: bool


class BareContained(Protocol):
    """A member without namespaces, as its steps know it."""

    scratch: int
    fork_server: int
    base: str
    tools: list[tuple[str, str]]
    own_user: int | None
    readable: list[str]

    def leave(self) -> None: ...


class MountedMember(Protocol):
    """A member as who mounts its directories knows it."""

    scratch: int
    broker: Any
    inner_host_uid: int
    lower: int | None
    below: int | None
    rootless: bool
    terminal: int


class CodeEnds(Protocol):
    """The other ends of what a code process reads and writes."""

    out: int
    input: int | None

    def close_input(self) -> None: ...


class CodeMember(Protocol):
    """A member as its code process knows it when a request is there."""

    work: str
    node: str
    worker: str
    is_for_network: bool
    environment: Json | None


class AttendedMember(Protocol):
    """A member as who attends its run knows it."""

    scratch: int
    top: int
    way_out: Any

    def make_way_out(self, code: Any, network: Json | None = ...) -> Any: ...
    def end_everything(self, pid: int) -> int: ...
    def tell_more(self, request: Json, ending: Ending, attendance: Any) -> Json: ...
    def send_changes(self, connection: Socket, limit_bytes: int, skip: Iterable[str]) -> None: ...
