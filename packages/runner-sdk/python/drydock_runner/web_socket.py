"""A client of WebSockets (RFC 6455) for texts, with what the standard library has.

connecting --> open --> closed     by a close of either side, the end of the stream, or a frame that breaks the rules

Extensions are not asked for. Frames of the client are masked, as the RFC wants it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import struct
import threading
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import urlsplit

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
NORMAL, PROTOCOL_ERROR, NOT_TEXT, NO_STATUS, LOST = 1000, 1002, 1003, 1005, 1006
CONNECT_SECONDS = 10
MAX_HEADER_BYTES = 16 * 1024


class Broken(ValueError):
    """The other side breaks the rules."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def connect(url: str, token: str) -> WebSocket:
    """Raises OSError or ValueError where the host can't be reached, or does not take the connection."""
    address = urlsplit(url)
    if address.scheme != "ws" or not address.hostname:
        raise ValueError(f"{url} is not an address like ws://127.0.0.1:1234/runner.")
    link = socket.create_connection((address.hostname, address.port or 80), CONNECT_SECONDS)
    try:
        key = base64.b64encode(os.urandom(16)).decode()
        source = link.makefile("rb")
        link.sendall(write_request(address.path or "/", address.netloc, key, token))
        check_answer(url, key, source)
        link.settimeout(None)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return WebSocket(link, source)
    except BaseException:
        link.close()
        raise


def write_request(path: str, host: str, key: str, token: str) -> bytes:
    if any(character in token + path for character in "\r\n "):
        raise ValueError("The token or the address holds a blank.")
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        f"Authorization: Bearer {token}",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def check_answer(url: str, key: str, source: BinaryIO) -> None:
    status = source.readline(MAX_HEADER_BYTES).decode("latin-1").split(" ", 2)
    if status[1:2] != ["101"]:
        reason = " ".join(status[1:]).strip() or "it closed it"
        raise ValueError(f"The host at {url} does not take this connection: {reason}.")
    headers = {}
    while (line := source.readline(MAX_HEADER_BYTES)) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    expected = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
    if headers.get("sec-websocket-accept") != expected or "sec-websocket-extensions" in headers:
        raise ValueError(f"{url} is not a WebSocket that this client understands.")


class WebSocket:
    """`send` may be called by any thread, `texts` by one."""

    def __init__(self, link: socket.socket, source: BinaryIO) -> None:
        self._link, self._source, self._lock = link, source, threading.Lock()
        self._is_closing = False
        self.close_code = LOST

    def __enter__(self) -> WebSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self._close(NORMAL)
        self._source.close()
        self._link.close()

    def send(self, text: bytes) -> None:
        """What comes after the end is dropped: nobody is left to read it."""
        try:
            self._send_frame(TEXT, text)
        except OSError:
            pass

    def texts(self, max_bytes: int) -> Iterator[bytes | None]:
        """The messages until the end; None for one that is too long."""
        try:
            yield from self._messages(max_bytes)
        except Broken as error:
            self._close(error.code)
        except OSError:
            pass

    def _messages(self, max_bytes: int) -> Iterator[bytes | None]:
        parts: list[bytes] | None = None
        size = 0
        while (frame := self._read_frame(max_bytes)) is not None:
            is_last, kind, payload, length = frame
            if kind == PING:
                self._send_frame(PONG, payload)
            elif kind in (TEXT, CONTINUATION):
                if (kind == TEXT) != (parts is None):
                    raise Broken(PROTOCOL_ERROR, "A message begins in the middle of another one.")
                parts, size = parts or [], size + length
                parts.append(payload if size <= max_bytes else b"")
                if is_last:
                    yield b"".join(parts) if size <= max_bytes else None
                    parts, size = None, 0
            elif kind == BINARY:
                raise Broken(NOT_TEXT, "Messages are text.")
            elif kind != PONG:
                raise Broken(PROTOCOL_ERROR, f"There are no frames of the kind {kind}.")

    def _read_frame(self, max_bytes: int) -> tuple[bool, int, bytes, int] | None:
        """None at the end. What is too long to be kept is read and dropped."""
        head = self._read(2)
        if head is None:
            return None
        is_last, kind, length = bool(head[0] & 0x80), head[0] & 0x0F, head[1] & 0x7F
        if head[0] & 0x70 or head[1] & 0x80:
            raise Broken(PROTOCOL_ERROR, "A frame is masked, or belongs to an extension.")
        if kind >= CLOSE and (length > 125 or not is_last):
            raise Broken(PROTOCOL_ERROR, "A frame of control is too long, or in parts.")
        if length > 125:
            more = self._read(2 if length == 126 else 8)
            if more is None:
                return None
            (length,) = struct.unpack(">H" if len(more) == 2 else ">Q", more)
        payload = self._read(length) if length <= max_bytes else self._skip(length)
        if payload is None:
            return None
        if kind == CLOSE:
            self.close_code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else NO_STATUS
            self._close(NORMAL)
            return None
        return is_last, kind, payload, length

    def _read(self, count: int) -> bytes | None:
        data = self._source.read(count)
        return data if len(data) == count else None

    def _skip(self, count: int) -> bytes | None:
        while count > 0:
            data = self._source.read(min(count, 65536))
            if not data:
                return None
            count -= len(data)
        return b""

    def _close(self, code: int) -> None:
        if self._is_closing:
            return
        self._is_closing = True
        try:
            self._send_frame(CLOSE, struct.pack(">H", code))
        except OSError:
            pass

    def _send_frame(self, kind: int, payload: bytes) -> None:
        length = len(payload)
        if length <= 125:
            size = struct.pack(">B", 0x80 | length)
        elif length < 65536:
            size = struct.pack(">BH", 0x80 | 126, length)
        else:
            size = struct.pack(">BQ", 0x80 | 127, length)
        mask = os.urandom(4)
        with self._lock:
            self._link.sendall(bytes([0x80 | kind]) + size + mask + apply_mask(payload, mask))


def apply_mask(payload: bytes, mask: bytes) -> bytes:
    """As one large number: byte by byte it would take seconds for a message of the largest size."""
    length = len(payload)
    whole = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(length, "big")
