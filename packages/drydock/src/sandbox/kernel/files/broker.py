"""The one process that still sees the host's files. Wardens ask it, over a socket that no code in the dock ever
holds, for four things: a mount of the user's directory, a mount of another directory beside it, the home of a program
that is wrapped, and a control group for a fork. Bridges ask it, over a socket of their own, for connections to the
egress proxy, and get nothing else. It gives back descriptors or a reason."""

from __future__ import annotations

import os
import socket
import struct

import linux
import plain_json as json
from contain.fork_groups import ForkGroups

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from contain.cgroups import Groups
    from shapes import Handlers, Json, Namespaces

MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4


MOST_DESCRIPTORS = 16
_CREDENTIALS = struct.Struct("3i")  # process, user, group


def start(rootless: bool, groups: Groups | None, egress: str) -> tuple[int, socket.socket, socket.socket, int]:
    """(Its pid, the sockets by which wardens ask and by which bridges do, what it lives as long as.) `egress` is the
    directory in which the proxy's socket lies."""
    requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ways, of_bridges = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    lifeline, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            linux.die_with_parent()
            os.close(held)
            requests.close()
            ways.close()
            connect: Handlers = {"connect": lambda message, _: _connect(message["path"], egress)}
            _serve({theirs: _handlers(rootless, groups), of_bridges: connect}, lifeline)
        finally:
            os._exit(1)
    os.close(lifeline)
    theirs.close()
    of_bridges.close()
    return pid, requests, ways, held


def _handlers(rootless: bool, groups: Groups | None) -> Handlers:
    namespaces = {}
    handlers: Handlers = {
        "workspace": lambda message, _: open_workspace(message, None if rootless else namespaces),
        "mount": lambda message, _: open_mount(message, None if rootless else namespaces),
        "home": lambda message, _: open_mount(message, None if rootless else namespaces, is_writable=True),
    }
    if groups is not None:
        of_forks = ForkGroups(groups)
        handlers["group"] = lambda message, _: of_forks.give()
        handlers["attach"] = lambda message, pid: ([], {"done": of_forks.attach(message["group"], pid)})
    return handlers


def _serve(asked: dict[socket.socket, Handlers], lifeline: int) -> NoReturn:
    """Runs until the fork server is gone. Each socket is one end of a packet socket that all who ask by it share."""
    import select

    by_number = {requests.fileno(): (requests, handlers) for requests, handlers in asked.items()}
    room = socket.CMSG_SPACE(struct.calcsize("i")) + socket.CMSG_SPACE(_CREDENTIALS.size)
    poll = select.poll()
    for requests in asked:
        requests.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        poll.register(requests, select.POLLIN)
    poll.register(lifeline, select.POLLIN)
    while True:
        ready = [descriptor for descriptor, _ in poll.poll()]
        if lifeline in ready:
            os._exit(0)
        for requests, handlers in (by_number[descriptor] for descriptor in ready):
            data, ancillary, _, _ = requests.recvmsg(65536, room)
            if not data:
                os._exit(0)
            reply, pid = None, 0
            for _, kind, value in ancillary:
                if kind == socket.SCM_RIGHTS:
                    reply = socket.socket(fileno=struct.unpack("i", value)[0])
                elif kind == socket.SCM_CREDENTIALS:
                    pid = _CREDENTIALS.unpack(value)[0]
            if reply is not None:
                _answer(handlers, data, pid, reply)


def _answer(handlers: Handlers, data: bytes, pid: int, reply: socket.socket) -> None:
    """`pid` is who asks, in the kernel's words, or whom a warden asks for: one of its own."""
    with reply:
        try:
            message = json.loads(data)
            found, facts = handlers[message["op"]](message, pid)
        except (OSError, ValueError, KeyError, TypeError) as error:
            _send(reply, {"ok": False, "reason": str(error), "errno": getattr(error, "errno", None)}, [])
            return
        if not isinstance(found, int):
            _send(reply, {"ok": True, **facts}, found)
            return
        try:
            _send(reply, {"ok": True, **facts}, [found])
        finally:
            os.close(found)


def _send(reply: socket.socket, message: Json, descriptors: Sequence[int]) -> None:
    try:
        socket.send_fds(reply, [json.dumps(message).encode()], descriptors)
    except OSError:
        pass  # who asked is gone, and with it its run: the others still need this process


def open_workspace(message: Json, namespaces: Namespaces | None) -> tuple[int, Json]:
    path = message["path"]
    return _seal(linux.clone_mount(path), os.stat(path), message["uid"], namespaces)


def open_mount(message: Json, namespaces: Namespaces | None, is_writable: bool = False) -> tuple[int, Json]:
    """The path is the real one: a link on it was put there since."""
    root = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        directory = linux.open_beneath(root, message["path"].lstrip("/"), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(root)
    try:
        owner = os.fstat(directory)
        if is_writable and namespaces is not None and owner.st_uid == 0:
            # Whatever is made there belongs to its owner: a program that anybody may start as root, too.
            raise PermissionError("a directory of root's is not given to a run for writing")
        return _seal(linux.clone_opened(directory), owner, message["uid"], namespaces, is_writable)
    finally:
        os.close(directory)


def _seal(
    mount: int, owner: os.stat_result, inner: int, namespaces: Namespaces | None, is_writable: bool = False
) -> tuple[int, Json]:
    """Read-only unless it is a home, and as root in the inner user's name: what only the directory's owner may read,
    the code may read."""
    try:
        namespace = -1
        if namespaces is not None:
            key = (owner.st_uid, owner.st_gid, inner)
            if key not in namespaces:
                namespaces[key] = _make_idmap(*key)
            namespace = namespaces[key]
        readonly = 0 if is_writable else MOUNT_ATTR_RDONLY
        linux.set_mount_attributes(mount, readonly | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, namespace)
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


def _connect(path: str, egress: str) -> tuple[int, Json]:
    if os.path.dirname(path) != egress:
        raise PermissionError("no socket of the egress proxy: %s" % path)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(path)
    return connection.detach(), {}


def ask(requests: socket.socket, message: Json) -> tuple[int, Json]:
    """The warden's side, for one descriptor."""
    descriptors, answer = ask_for(requests, message)
    return descriptors[0], answer


def ask_for(requests: socket.socket, message: Json, pid: int | None = None) -> tuple[list[int], Json]:
    """The warden's side: one question, one answer, on a reply socket of its own. `pid` is a process of the warden's
    that the question is about."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", theirs.fileno()))]
        if pid is not None:
            who = _CREDENTIALS.pack(pid, os.getuid(), os.getgid())
            ancillary.append((socket.SOL_SOCKET, socket.SCM_CREDENTIALS, who))
        requests.sendmsg([json.dumps(message).encode()], ancillary)
        theirs.close()
        ours.settimeout(10)
        data, descriptors, _, _ = socket.recv_fds(ours, 65536, MOST_DESCRIPTORS)
    answer = json.loads(data) if data else {"ok": False, "reason": "the broker is gone"}
    if not answer["ok"]:
        raise OSError(answer.get("errno") or 0, answer["reason"])
    return descriptors, answer
