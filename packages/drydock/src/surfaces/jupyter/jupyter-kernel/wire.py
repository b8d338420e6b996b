"""Carries Jupyter's messages between its sockets and Drydock's kernel, and does nothing else: no message is understood
here, and no code of anybody's is executed. Jupyter starts it, with the Python that Jupyter itself runs on; it starts
Drydock.

    Jupyter --ZeroMQ, signed--> wire.py --JSON, one message a line--> drydock jupyter kernel --> sandbox

    wire.py CONNECTION_FILE COMMAND...
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import signal
import subprocess
import sys
import threading

try:
    import zmq
except ImportError:
    sys.exit("drydock: %s has no pyzmq. Start this kernel from the Python that Jupyter runs on." % sys.executable)

DELIMITER = b"<IDS|MSG>"
PARTS = ("header", "parent_header", "metadata", "content")
CHANNELS = {"shell": zmq.ROUTER, "control": zmq.ROUTER, "stdin": zmq.ROUTER, "iopub": zmq.PUB}
LOOK_FOR_PARENT_MS = 1000


class Signer:
    def __init__(self, connection):
        scheme = connection.get("signature_scheme", "hmac-sha256")
        self._digest = getattr(hashlib, scheme.partition("-")[2])
        self._key = connection["key"].encode()

    def sign(self, parts):
        if not self._key:
            return b""
        signature = hmac.new(self._key, digestmod=self._digest)
        for part in parts:
            signature.update(part)
        return signature.hexdigest().encode()

    def is_signed(self, signature, parts):
        return hmac.compare_digest(signature, self.sign(parts))


def decode(channel, frames, signer):
    """A message as the line that Drydock reads; None if it is broken, or if its sender does not know the key."""
    try:
        split = frames.index(DELIMITER)
        parts = frames[split + 2 : split + 6]
        if len(parts) != 4 or not signer.is_signed(frames[split + 1], parts):
            return None
        message = {name: json.loads(part) for name, part in zip(PARTS, parts)}
    except (ValueError, IndexError):
        return None
    message["channel"] = channel
    message["identities"] = [base64.b64encode(frame).decode() for frame in frames[:split]]
    return json.dumps(message).encode() + b"\n"


def encode(message, signer):
    parts = [json.dumps(message[name]).encode() for name in PARTS]
    identities = [base64.b64decode(frame) for frame in message["identities"]]
    return identities + [DELIMITER, signer.sign(parts)] + parts


def bind(context, kind, connection, name):
    socket = context.socket(kind)
    socket.linger = 1000
    separator = "-" if connection["transport"] == "ipc" else ":"
    address = "%s://%s%s%d" % (connection["transport"], connection["ip"], separator, connection[name + "_port"])
    socket.bind(address)
    return socket


def echo(socket):
    """The heartbeat has a thread of its own: it beats however busy the rest is."""
    try:
        zmq.proxy(socket, socket)
    except zmq.ZMQError:
        socket.close()  # the end


def feed(lines, stream):
    """Writes apart from the reading, so that neither side ever waits for the other to read."""
    try:
        while True:
            line = lines.get()
            if line is None:
                break
            stream.write(line)
            stream.flush()
        # At the end of its input Drydock closes the session and ends.
        stream.close()
    except OSError:
        pass  # it has ended already


def main(connection_file, command):
    with open(connection_file) as file:
        connection = json.load(file)
    signer = Signer(connection)
    # A signal for the whole group would also reach the processes of the sandbox. Drydock alone knows what an interrupt
    # means.
    drydock = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    signal.signal(signal.SIGINT, lambda *_: drydock.send_signal(signal.SIGINT))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    context = zmq.Context()
    sockets = {name: bind(context, kind, connection, name) for name, kind in CHANNELS.items()}
    heartbeat = bind(context, zmq.ROUTER, connection, "hb")
    threading.Thread(target=echo, args=(heartbeat,), daemon=True).start()
    lines = queue.SimpleQueue()
    threading.Thread(target=feed, args=(lines, drydock.stdin), daemon=True).start()
    try:
        carry(sockets, drydock.stdout.fileno(), lines, signer)
    finally:
        lines.put(None)
        for socket in sockets.values():
            socket.close()
        context.term()  # waits until the last messages are on their way
    return drydock.wait()


def carry(sockets, output, lines, signer):
    poller = zmq.Poller()
    names = {socket: name for name, socket in sockets.items() if name != "iopub"}
    for socket in names:
        poller.register(socket, zmq.POLLIN)
    poller.register(output, zmq.POLLIN)
    parent = os.getppid() if os.environ.get("JPY_PARENT_PID") else None
    rest = b""
    while parent is None or os.getppid() == parent:
        for ready, _ in poller.poll(LOOK_FOR_PARENT_MS):
            if ready != output:
                line = decode(names[ready], ready.recv_multipart(), signer)
                if line is not None:
                    lines.put(line)
                continue
            chunk = os.read(output, 1 << 20)
            if not chunk:
                return
            *complete, rest = (rest + chunk).split(b"\n")
            for line in complete:
                message = json.loads(line)
                sockets[message["channel"]].send_multipart(encode(message, signer))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
