"""The inner end of the way out: TCP on the sandbox's loopback, carried to the egress proxy's socket outside.

It decides nothing. It names the run to the proxy with its token, which the run never sees, and moves bytes. Each
connection is two flows, one each way; a flow reads only while its buffer has room, so that a slow reader slows its
writer down. A flow whose source ended closes the writing half of its sink once its buffer is empty; a connection is
over when both of its flows are.
"""

from __future__ import annotations

import selectors
import socket
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BUFFER_BYTES = 64 * 1024
MAX_CONNECTIONS = 64
# A connection with one finished flow and no traffic for this long is closed: its other end may never close it.
LINGER_SECONDS = 60.0
TICK_SECONDS = 1.0


class Flow:
    """Bytes from `source` to `sink`."""

    __slots__ = ("source", "sink", "buffer", "source_ended", "done")

    def __init__(self, source: socket.socket, sink: socket.socket, first: bytes = b"") -> None:
        self.source = source
        self.sink = sink
        self.buffer = bytearray(first)
        self.source_ended = False
        self.done = False

    def wants_read(self) -> bool:
        return not self.source_ended and len(self.buffer) < BUFFER_BYTES

    def wants_write(self) -> bool:
        return not self.done and len(self.buffer) > 0

    def read(self) -> None:
        try:
            data = self.source.recv(BUFFER_BYTES - len(self.buffer))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            self.buffer += data
        else:
            self.source_ended = True
            self.finish_if_drained()

    def write(self) -> None:
        try:
            sent = self.sink.send(self.buffer, socket.MSG_NOSIGNAL)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            # The sink takes no more. What comes the other way may still be on its way, so only this flow is over.
            self.buffer.clear()
            self.source_ended = True
            self.done = True
            return
        del self.buffer[:sent]
        self.finish_if_drained()

    def finish_if_drained(self) -> None:
        if self.source_ended and not self.buffer and not self.done:
            self.done = True
            try:
                self.sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass


class Connection:
    """A client inside, the proxy outside, and the two flows between them."""

    __slots__ = ("client", "host", "up", "down", "registered", "last_active")

    def __init__(self, client: socket.socket, host: socket.socket, opening: bytes) -> None:
        self.client = client
        self.host = host
        self.up = Flow(client, host, opening)
        self.down = Flow(host, client)
        self.registered = {client: 0, host: 0}
        self.last_active = time.monotonic()

    def handle(self, ready: Any, events: int) -> None:
        inward, outward = (self.up, self.down) if ready is self.client else (self.down, self.up)
        self.last_active = time.monotonic()
        if events & selectors.EVENT_READ and inward.wants_read():
            inward.read()
        if events & selectors.EVENT_WRITE and outward.wants_write():
            outward.write()

    def is_over(self, now: float) -> bool:
        if self.up.done and self.down.done:
            return True
        return (self.up.done or self.down.done) and now - self.last_active > LINGER_SECONDS

    def register(self, selector: selectors.BaseSelector) -> None:
        """Ask for just the events that can lead to progress; a socket that can make none must not wake the loop."""
        self._want(selector, self.client, self.up.wants_read(), self.down.wants_write())
        self._want(selector, self.host, self.down.wants_read(), self.up.wants_write())

    def _want(self, selector: selectors.BaseSelector, sock: socket.socket, read: bool, write: bool) -> None:
        events = (selectors.EVENT_READ if read else 0) | (selectors.EVENT_WRITE if write else 0)
        before = self.registered[sock]
        if events == before:
            return
        if not before:
            selector.register(sock, events, self)
        elif not events:
            selector.unregister(sock)
        else:
            selector.modify(sock, events, self)
        self.registered[sock] = events

    def close(self, selector: selectors.BaseSelector) -> None:
        for sock, events in self.registered.items():
            if events:
                try:
                    selector.unregister(sock)
                except (KeyError, ValueError, OSError):
                    pass
            sock.close()


def open_connection(
    listen_sock: socket.socket, connect_host: Callable[[], socket.socket], opening: bytes
) -> Connection | None:
    """Accept one client and reach the proxy for it. None when either fails; the client is then closed."""
    client = None
    host = None
    try:
        client, _ = listen_sock.accept()
        host = connect_host()
        client.setblocking(False)
        if client.family == socket.AF_INET:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        host.setblocking(False)
        return Connection(client, host, opening)
    except Exception:
        for sock in (client, host):
            if sock is not None:
                sock.close()
        return None


def serve(
    listen_sock: socket.socket, connect_host: Callable[[], socket.socket], token: bytes | None, leash: Any = None
) -> None:
    """Carry every connection made to `listen_sock`, for ever, or until something comes along `leash`, or that is torn.
    `connect_host()` gives a connected AF_UNIX socket. No token: another bridge follows, which names the run."""
    opening = b"DRYDOCK " + token + b"\n" if token is not None else b""
    listen_sock.setblocking(False)
    selector = selectors.DefaultSelector()
    if leash is not None:
        selector.register(leash, selectors.EVENT_READ, leash)
    connections = set()
    listening = False
    last_sweep = time.monotonic()
    while True:
        # At the cap, new clients wait in the kernel's queue.
        if listening != (len(connections) < MAX_CONNECTIONS):
            listening = not listening
            if listening:
                selector.register(listen_sock, selectors.EVENT_READ, None)
            else:
                selector.unregister(listen_sock)
        touched = set()
        for key, events in selector.select(TICK_SECONDS):
            connection = key.data
            if connection is leash is not None:
                return
            if connection is None:
                connection = open_connection(listen_sock, connect_host, opening)
                if connection is None:
                    # Out of descriptors, or the proxy is gone: do not spin on a queue that can't be served.
                    time.sleep(0.01)
                    continue
                connections.add(connection)
            else:
                try:
                    connection.handle(key.fileobj, events)
                except Exception:
                    connection.up.done = connection.down.done = True
            touched.add(connection)
        now = time.monotonic()
        if now - last_sweep >= TICK_SECONDS:
            last_sweep = now
            touched = set(connections)
        for connection in touched:
            try:
                over = connection.is_over(now)
                if not over:
                    connection.register(selector)
            except Exception:
                over = True
            if over:
                connections.discard(connection)
                connection.close(selector)
