"""The way out of a run: the port by which its code reaches the network. Most code never does, so that the port is all
there is until somebody connects.

    port open -> somebody connects -> the host names the run's token -> a bridge serves -> gone with the run

Of a plain run the code process opens the port, before it reads foreign code, and gives it away with the request. The
token goes from the host to who attends the run and from there to the bridge: the code process never has it."""

from __future__ import annotations

import _socket
import os
import select
import socket

import linux
import plain_json as json
from attend import bridge, handover
from files import broker
from frames import WAY_OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from attend.code_handle import CodeHandle
    from attend.host import Host
    from attend.member import Member
    from shapes import CodeChannel, Json, Socket

PROXY_PORT = 3128


def open_port() -> int:
    """In the network namespace of the run."""
    port = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    port.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    port.bind(("127.0.0.1", PROXY_PORT))
    port.listen(64)
    return port.detach()


def give_port(channel: CodeChannel, kind: bytes, payload: bytes) -> None:
    """In the code process, which keeps nothing of it."""
    port = open_port()
    channel.give(kind, payload, port)
    os.close(port)


class WayOut:
    """As who attends the run holds it. `start` has a bridge serve the port; `network` is by what the proxy knows the
    run, where that came with the request."""

    is_used = False

    def __init__(self, code: CodeHandle, start: Callable[[int, Json], None], network: Json | None = None) -> None:
        self._code, self._start, self._network = code, start, network

    def fileno(self) -> int:
        return -1 if self._code.port is None else self._code.port

    def look(self) -> None:
        """When the code has ended: who connected last may have come and gone unseen."""
        if self._code.port is not None:
            poll = select.poll()
            poll.register(self._code.port, select.POLLIN)
            self.is_used = self.is_used or bool(poll.poll(0))

    def on_connection(self, host: Host) -> None:
        self.is_used = True
        if self._network is None:
            host.send(WAY_OUT)
        else:
            self._try(self._network)

    def on_answer(self, payload: bytes) -> None:
        if self.is_used:
            self._try(json.loads(payload))

    def _try(self, network: Json) -> None:
        try:
            self.open(network)
        except OSError:
            pass  # the code has taken up all processes that there may be: its connection is refused

    def open(self, network: Json) -> None:
        """OSError: there is no bridge. Either way nobody else is let in here."""
        if self._code.port is not None:
            try:
                self._start(self._code.port, network)
            finally:
                self._code.close_port()


def start_bridge(member: Member, port: int, network: Json) -> None:
    """In pid 1: a process of its own."""
    pid = os.fork()
    if pid == 0:
        try:
            linux.close_all_but([port, member.ways.fileno()])
            _serve(port, member.ways, network, None)
        finally:
            os._exit(0)
    member.bridge = pid


def lend(leash: Socket, ways: Socket, port: int, network: Json) -> None:
    """In the lookout: has pid 1, which has nothing else to do in this run, become the bridge."""
    handover.give(leash, WAY_OUT + json.dumps(network).encode(), [port, ways.fileno()])


def become_bridge(leash: Socket, message: bytes, descriptors: Sequence[int]) -> NoReturn:
    """In pid 1, locked: until the run is over. It never goes back, and the slot ends with it."""
    linux.drop_capabilities()
    linux.close_all_but([leash.fileno(), *descriptors])
    port, ways = descriptors
    _serve(port, socket.socket(fileno=ways), json.loads(message[len(WAY_OUT) :]), leash)
    os._exit(0)


def _serve(port: int, ways: socket.socket, network: Json, leash: Socket | None) -> None:
    def connect() -> socket.socket:
        descriptor, _ = broker.ask(ways, {"op": "connect", "path": network["socket"]})
        return socket.socket(fileno=descriptor)

    bridge.serve(socket.socket(fileno=port), connect, network["token"].encode(), leash)
