"""The code process: locked by `steps.CODE_STEPS`, it waits for one request and becomes the requested program."""

from __future__ import annotations

import _signal
import _socket
import errno
import os
import signal
import sys

import linux
import plain_json as json
from attend import handover, way_out
from contain import steps
from files import observe
from frames import FORK, INPUT, LISTENER, PLAIN, REHEARSE, REQUEST, FrameReader, pack
from interpret import interpreter, program, stepper
from interpret.become_command import become_command
from interpret.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from attend.member import Member
    from shapes import CodeMember, Json, Socket

WARM_UP = "import sys\nx = [1]\nprint(x, 1)\nx"
# Straight from the system, here and below: what the modules on top of it make of a constant takes longer than the call.
LOOK = _socket.MSG_PEEK | _socket.MSG_WAITALL
# How a code process ends that could not be locked.
FAILED = 70
NO_RULES = {"mode": "open", "allow": [], "block": [], "calls": []}


class Channel:
    """The code's end of the socket to its warden."""

    def __init__(self, descriptor: int) -> None:
        self.socket = handover.as_socket(descriptor)
        self._reader = FrameReader()
        self._pid = os.getpid()

    def receive(self) -> tuple[bytes, bytes]:
        while True:
            frame = self._reader.next()
            if frame:
                return frame
            data = self.socket.recv(1 << 16)
            if not data:
                os._exit(0)
            self._reader.feed(data)

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        """Only the process that the warden started reports; a fork of the code's own stays silent."""
        if self.is_own():
            try:
                self.socket.sendall(pack(kind, payload))
            except OSError:
                pass  # the warden has stopped listening: it decides how this ended

    def give(self, kind: bytes, payload: bytes, descriptor: int) -> None:
        """A message that carries a descriptor along."""
        try:
            handover.give(self.socket, pack(kind, payload), [descriptor])
        except OSError:
            pass  # likewise

    def is_own(self) -> bool:
        return os.getpid() == self._pid

    def rest(self) -> bytes:
        """What was read beyond the last frame."""
        return self._reader.rest()

    def adopt(self) -> None:
        self._pid = os.getpid()


def main(member: Member) -> NoReturn:
    """Never returns: it raises the program that is to be executed, or ends."""
    try:
        member.conversation.enter_code(steps.CHANNEL)
        door = handover.Door(member)
        linux.close_all_but([steps.CHANNEL, *door.descriptors(), *member.own_descriptors()])
        _serve(member, Channel(steps.CHANNEL), door)
    except Program:
        raise
    except BaseException as error:  # whatever it is, this process must end here, and say so
        try:
            os.write(2, ("%s\n" % error).encode("utf-8", "backslashreplace"))
        finally:
            os._exit(FAILED)


def _serve(member: Member, channel: Channel, door: handover.Door) -> NoReturn:
    steps.enter(member.code_steps, member)
    if member.kind == "node":
        door.tell_ready()
        become_node(member, channel)
    if _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    # Plain runs are attended elsewhere: pid 1 sleeps until another kind of run comes.
    if not member.jobs:
        door.tell_ready()
    become(channel, *_take_request(channel, door, member))


def serve_again(member: Member, connection: Socket) -> NoReturn:
    """In a fork of a slot's pid 1, locked: only plain runs come here, and the lookout has all that it needs already."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    handover.greet(connection, member)
    if _await_request(connection, lambda: None) != PLAIN:
        os._exit(0)
    channel = Channel(steps.CHANNEL)
    become(channel, *_take_plain(channel, connection, member))


def become(channel: Channel, request: Json, code: bytes) -> NoReturn:
    if request["mode"] == "command":
        become_command(request, code)
    if request["mode"] == "session":
        stepper.serve(channel, request)
    raise Program(channel, request, code)


def _take_request(channel: Channel, door: handover.Door, member: Member) -> tuple[Json, bytes]:
    """A plain request is taken here straight away, with a copy to who attends the run: one hop less, and that one gets
    ready while the code compiles. Any other is the warden's to read. Either way the connection is closed here before a
    single line of the request's code runs."""
    connection = door.open()
    kind = _await_request(connection, lambda: member.jobs or door.tell_rehearse())
    door.hand_over(kind)
    if kind == PLAIN:
        return _take_plain(channel, connection, member)
    connection.close()
    _, payload = channel.receive()
    request = json.loads(payload)
    prepare(request, member)
    _, code = channel.receive()
    if request.get("observe"):
        _hand_over_listener(channel, aside=bool(request.get("aside")))
    if request.get("forks"):
        _open_fork_requests(channel, request["environment"])
    return request, code


def _await_request(connection: Socket, rehearse: Callable[[], object]) -> bytes:
    """Its kind."""
    head = connection.recv(5, LOOK)
    while head[4:] == REHEARSE:
        connection.recv(5)
        _warm_up()
        rehearse()
        head = connection.recv(5, LOOK)
    if len(head) < 5:
        os._exit(0)
    return head[4:]


def _take_plain(channel: Channel, connection: Socket, member: Member) -> tuple[Json, bytes]:
    host = Channel(connection.detach())
    _, payload = host.receive()
    message = json.loads(payload)
    if message.get("network"):
        way_out.give_port(channel, REQUEST, payload)
    else:
        channel.send(REQUEST, payload)
    request = message["code"]
    prepare(request, member)
    # The code comes when the run is on record; until then there was time to get ready.
    _, code = host.receive()
    channel.send(INPUT, host.rest())
    host.socket.close()
    return request, code


def _hand_over_listener(channel: Channel, aside: bool) -> None:
    """Where somebody observes this very process already, the kernel has no second listener: the warden hears that there
    is none. A run that has to leave processors to others does not start then."""
    try:
        if aside:
            observe.step_aside()
        listener = observe.install(keeps_processors=aside)
    except OSError as error:
        if aside or error.errno != errno.EBUSY:
            raise
        channel.socket.sendall(LISTENER)
        return
    handover.give(channel.socket, LISTENER, [listener])
    os.close(listener)


def _open_fork_requests(channel: Channel, environment: Json) -> None:
    """The program finds its end of the socket by the number in its environment."""
    theirs, own = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    channel.give(FORK, b"", theirs.fileno())
    theirs.close()
    number = own.detach()
    os.set_inheritable(number, True)
    environment["DRYDOCK_FORKS"] = "%d" % number


def _warm_up() -> None:
    """Runs the whole path once, into nothing: the pages it touches are copied before a request waits for them."""
    null = os.open("/dev/null", os.O_RDWR)
    streams = sys.stdin, sys.stdout, sys.stderr
    interpreter.open_streams(null, null)
    module = interpreter.new_main()
    code, _ = interpreter.compile_code(WARM_UP, "<warm>", NO_RULES)
    if code is not None:
        interpreter.run_code(code, module)
    interpreter.take_result(module)
    interpreter.flush()
    interpreter.set_streams(*streams)
    steps.limit_resources({})
    FrameReader().feed(b"")
    os.chdir("/work")
    os.close(null)


def prepare(request: Json, member: CodeMember) -> None:
    os.chdir(member.work)
    steps.limit_resources(request["limits"])
    # A command gets its environment when it is executed.
    if request["environment"] != member.environment and request["mode"] != "command":
        os.environ.clear()
        os.environ.update(request["environment"])
        # An interpreter that starts looks there first, and this one has started long ago.
        sys.path[:0] = program.python_path()
    if request.get("site"):
        _add_packages(request)
    _reseed()


def _add_packages(request: Json) -> None:
    """Packages of the project: after Python's own modules, before the packages of the system."""
    sys.path[:] = [path for path in sys.path if path not in request["site"]]
    at = next((at for at, path in enumerate(sys.path) if path.endswith("-packages")), len(sys.path))
    sys.path[at:at] = request["site"]
    if request.get("executable"):
        sys.executable = request["executable"]


def _reseed() -> None:
    """The fork server's children share its state: random numbers must not be shared. (Python's own generator is
    seeded anew by the fork itself.)"""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()


def become_node(member: CodeMember, channel: Channel) -> NoReturn:
    """A worker that waits inside Node itself, with the channel as descriptor 3. It sets no limits on itself:
    the warden does that from outside, with prlimit, when the request names them."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    os.set_inheritable(3, True)
    os.chdir(member.work)
    path = "/drydock/bin:/usr/local/bin:/usr/bin:/bin"
    environment = {"PATH": path, "HOME": "/home/dock", "LANG": "C.UTF-8", "TMPDIR": "/tmp"}
    words = ["node", "--no-warnings", "--experimental-vm-modules", member.worker]
    os.execve(member.node, words + (["network"] if member.is_for_network else []), environment)
