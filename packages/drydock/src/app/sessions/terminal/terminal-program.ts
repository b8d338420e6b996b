/**
 * The code of a step that is a terminal: bash on a pty, until it is left. Keys come as lines of JSON over standard input, what the
 * screen shows goes to standard output as it is, and what the host has to know to standard error. It leaves by itself before a
 * limit would undo the step. Its own names go with its last line: the session's variables stay as they are.
 */
export const TERMINAL_PROGRAM = String.raw`# A terminal of this session
def _terminal():
    import base64, fcntl, json, os, select, signal, struct, subprocess, sys, termios, time

    window, most_keys = 128 << 10, 1 << 20
    enter = "import fcntl,os,termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp('bash', ['bash', '-i'])"
    waiting = bytearray()

    def messages():
        data = os.read(0, 65536)
        if not data:
            return None
        waiting.extend(data)
        lines = bytes(waiting).split(b"\n")
        waiting[:] = lines.pop()
        return [json.loads(line) for line in lines]

    def tell(message):
        os.write(2, json.dumps(message).encode() + b"\n")

    def show(data):
        while data:
            data = data[os.write(1, data) :]

    def resize(size):
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", size["rows"], size["columns"], 0, 0))

    def end_all(session):
        for name in os.listdir("/proc"):
            try:
                with open("/proc/%s/stat" % name) as file:
                    if int(file.read().rsplit(")", 1)[1].split()[3]) == session:
                        os.kill(int(name), signal.SIGKILL)
            except (OSError, IndexError, ValueError):
                pass

    first = []
    while not first:
        first = messages()
        if first is None:
            return
    setup = first.pop(0)
    deadline, room = time.monotonic() + setup["seconds"], setup["bytes"]
    master, slave = os.openpty()
    resize(setup)
    os.set_blocking(master, False)
    environment = dict(os.environ, TERM="xterm-256color")
    shell = subprocess.Popen(
        [sys.executable, "-c", enter], env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    tell({"ready": True})
    keys, credit, why = bytearray(), window, None
    try:
        while True:
            for message in first:
                if "keys" in message:
                    keys += base64.b64decode(message["keys"])
                elif "taken" in message:
                    credit += message["taken"]
                else:
                    resize(message)
            first = []
            reads = [0] if credit <= 0 else [0, master]
            left = deadline - time.monotonic()
            if left <= 0 or room <= 0 or len(keys) > most_keys:
                why = "time" if left <= 0 else "output" if room <= 0 else "keys"
                break
            ready, writable, _ = select.select(reads, [master] if keys else [], [], min(left, 5))
            if writable:
                try:
                    del keys[: os.write(master, keys[:4096])]
                except BlockingIOError:
                    pass
            if 0 in ready:
                first = messages()
                if first is None:
                    break
            if master in ready:
                try:
                    data = os.read(master, min(32768, room))
                except BlockingIOError:
                    continue
                except OSError:
                    break
                credit, room = credit - len(data), room - len(data)
                show(data)
    finally:
        os.close(master)
        try:
            shell.wait(0.5)
        except subprocess.TimeoutExpired:
            pass
        end_all(shell.pid)
        tell({"status": shell.wait(), "why": why})


globals().pop("_terminal")()`;
