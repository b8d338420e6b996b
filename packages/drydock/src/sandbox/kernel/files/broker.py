"""The one process that still sees the host's files. Wardens ask it, over a socket that no code in the dock ever holds,
for three things: a mount of the user's directory, a mount of a shelf beside it, and a connection to the egress proxy.
It gives back a descriptor or a reason."""

from __future__ import annotations

import os
import socket

import linux
import plain_json as json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from shapes import Handlers, Json, Namespaces

MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4


def start(rootless: bool) -> tuple[int, socket.socket, int]:
    """(Its pid, the socket by which wardens ask, what it lives as long as.)"""
    requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    lifeline, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            linux.die_with_parent()
            os.close(held)
            requests.close()
            _serve(theirs, rootless, lifeline)
        finally:
            os._exit(1)
    os.close(lifeline)
    theirs.close()
    return pid, requests, held


def _serve(requests: socket.socket, rootless: bool, lifeline: int) -> NoReturn:
    """Runs until the fork server is gone. `requests` is one end of a packet socket that all wardens share."""
    import select

    namespaces = {}
    handlers = {
        "workspace": lambda message: _open_workspace(message, None if rootless else namespaces),
        "shelf": lambda message: _open_shelf(message, None if rootless else namespaces),
        "connect": lambda message: _connect(message["path"]),
    }
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    poll.register(lifeline, select.POLLIN)
    while True:
        if any(descriptor == lifeline for descriptor, _ in poll.poll()):
            os._exit(0)
        data, descriptors, _, _ = socket.recv_fds(requests, 65536, 1)
        if not data:
            os._exit(0)
        if descriptors:
            _answer(handlers, data, socket.socket(fileno=descriptors[0]))


def _answer(handlers: Handlers, data: bytes, reply: socket.socket) -> None:
    with reply:
        try:
            message = json.loads(data)
            descriptor, facts = handlers[message["op"]](message)
            socket.send_fds(reply, [json.dumps({"ok": True, **facts}).encode()], [descriptor])
            os.close(descriptor)
        except (OSError, ValueError, KeyError, TypeError) as error:
            reply.send(json.dumps({"ok": False, "reason": str(error), "errno": getattr(error, "errno", None)}).encode())


def _open_workspace(message: Json, namespaces: Namespaces | None) -> tuple[int, Json]:
    path = message["path"]
    return _seal(linux.clone_mount(path), os.stat(path), message["uid"], namespaces)


def _open_shelf(message: Json, namespaces: Namespaces | None) -> tuple[int, Json]:
    """The path is the real one: a link on it was put there since."""
    root = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        directory = linux.open_beneath(root, message["path"].lstrip("/"), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(root)
    try:
        return _seal(linux.clone_opened(directory), os.fstat(directory), message["uid"], namespaces)
    finally:
        os.close(directory)


def _seal(mount: int, owner: os.stat_result, inner: int, namespaces: Namespaces | None) -> tuple[int, Json]:
    """Read-only, and as root in the inner user's name: what only the directory's owner may read, the code may read."""
    try:
        namespace = -1
        if namespaces is not None:
            key = (owner.st_uid, owner.st_gid, inner)
            if key not in namespaces:
                namespaces[key] = _make_idmap(*key)
            namespace = namespaces[key]
        linux.set_mount_attributes(mount, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, namespace)
    except OSError:
        os.close(mount)
        raise
    return mount, {"device": owner.st_dev, "inode": owner.st_ino}


def _make_idmap(owner_uid: int, owner_gid: int, inner: int) -> int:
    """A user namespace in which the owner of the directory is the inner user; kept alive by its descriptor alone."""
    ready_read, ready_write = os.pipe()
    hold_read, hold_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(hold_write)
            linux.unshare(linux.CLONE_NEWUSER)
            os.write(ready_write, b"x")
            os.read(hold_read, 1)  # ends with us, however we end
        finally:
            os._exit(1)
    os.close(ready_write)
    os.close(hold_read)
    try:
        if os.read(ready_read, 1) != b"x":
            raise OSError(0, "a user namespace for the directory's owner could not be made")
        for name, outer in (("uid_map", owner_uid), ("gid_map", owner_gid)):
            with open("/proc/%d/%s" % (pid, name), "w") as file:
                file.write("%d %d 1" % (outer, inner))
        return os.open("/proc/%d/ns/user" % pid, os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(ready_read)
        os.close(hold_write)
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def _connect(path: str) -> tuple[int, Json]:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(path)
    return connection.detach(), {}


def ask(requests: socket.socket, message: Json) -> tuple[int, Json]:
    """The warden's side: one question, one answer, on a reply socket of its own."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        socket.send_fds(requests, [json.dumps(message).encode()], [theirs.fileno()])
        theirs.close()
        ours.settimeout(10)
        data, descriptors, _, _ = socket.recv_fds(ours, 65536, 1)
    answer = json.loads(data) if data else {"ok": False, "reason": "the broker is gone"}
    if not answer["ok"]:
        raise OSError(answer.get("errno") or 0, answer["reason"])
    return descriptors[0], answer
