/** The part of the program inside a box that runs others: code, terminals, and processes that last. */
export const PROCESSES_PROGRAM = String.raw`
import fcntl, select, signal, struct, termios, time, tty

HEAD, TAIL = 24000, 12000
WINDOW = 128 << 10
INTERPRETER = r'''
import ast, builtins, json, os, sys, traceback
requests, answers = os.fdopen(int(sys.argv[1]), "r"), os.fdopen(int(sys.argv[2]), "w")
names = {"__name__": "__main__", "__builtins__": builtins}
for line in requests:
    code, ok = json.loads(line)["code"], True
    try:
        tree = ast.parse(code, "<exec>")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<exec>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<exec>", "eval"), names)
            if value is not None:
                print(repr(value))
    except SystemExit as error:
        ok = not error.code
    except BaseException as error:
        ok = False
        frames = error.__traceback__ and error.__traceback__.tb_next
        traceback.print_exception(type(error), error, frames)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    answers.write(json.dumps({"ok": ok}) + "\n")
    answers.flush()
'''
ENTER = "import fcntl,os,sys,termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
to_host = threading.Lock()


def tell(message):
    data = json.dumps(message).encode() + b"\n"
    with to_host:
        while data:
            data = data[os.write(1, data) :]


class Captured:
    """The beginning and the end of an output, however long it is."""

    def __init__(self):
        self.head, self.tail, self.total = b"", b"", 0

    def add(self, data):
        self.total += len(data)
        room = HEAD - len(self.head)
        self.head += data[:room]
        if len(data) > room:
            self.tail = (self.tail + data[max(room, 0) :])[-TAIL:]

    def text(self):
        left = self.total - len(self.head) - len(self.tail)
        note = "\n[%d bytes left out]\n" % left if left > 0 else ""
        return self.head.decode("utf-8", "replace") + note + self.tail.decode("utf-8", "replace"), left > 0


def end(process):
    """The process and all of its session: a shell gives each of its jobs a group of its own."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name) as file:
                session = int(file.read().rsplit(")", 1)[1].split()[3])
            if session == process.pid:
                os.kill(int(name), signal.SIGKILL)
        except (OSError, IndexError, ValueError):
            pass
    process.wait()


def follow(process, output, until, is_done):
    """Collects output until the work is done, and nothing of it is left in the pipe."""
    captured, deadline, done = Captured(), time.monotonic() + until, False
    while True:
        ready, _, _ = select.select([output], [], [], 0 if done else 0.05)
        data = os.read(output, 65536) if ready else b""
        captured.add(data)
        if ready and not data:
            try:
                process.wait(max(deadline - time.monotonic(), 0))
                return captured, False
            except subprocess.TimeoutExpired:
                end(process)
                return captured, True
        if not ready and done:
            return captured, False
        done = done or is_done()
        if not done and time.monotonic() > deadline:
            end(process)
            return captured, True


running = {}


def run_bash(code, timeout, token):
    process = subprocess.Popen(["bash", "-c", code], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    running[token] = process
    output = process.stdout.fileno()
    captured, late = follow(process, output, timeout, lambda: process.poll() is not None)
    process.stdout.close()
    return captured, late, process.returncode


class Interpreter:
    """Python whose variables stay from one call to the next."""

    def __init__(self):
        self.process = None

    def start(self):
        asks, self.ask = os.pipe()
        self.answer, answers = os.pipe()
        words = [sys.executable, "-u", "-c", INTERPRETER, str(asks), str(answers)]
        self.process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=(asks, answers), start_new_session=True)
        os.close(asks)
        os.close(answers)

    def stop(self):
        if self.process:
            end(self.process)
            self.process.stdout.close()
            os.close(self.ask)
            os.close(self.answer)
        self.process = None

    def run(self, code, timeout, token):
        if self.process and self.process.poll() is not None:
            self.stop()
        if not self.process:
            self.start()
        running[token] = self.process
        data = json.dumps({"code": code}).encode() + b"\n"
        threading.Thread(target=os.write, args=(self.ask, data), daemon=True).start()
        is_done = lambda: bool(select.select([self.answer], [], [], 0)[0])
        captured, late = follow(self.process, self.process.stdout.fileno(), timeout, is_done)
        answer = os.read(self.answer, 4096) if not late and is_done() else b""
        lost = late or not answer
        if lost:
            self.stop()
        return captured, late, (0 if answer and json.loads(answer.split(b"\n")[0])["ok"] else 1), lost


interpreter = Interpreter()
one_at_a_time = threading.Lock()


def do_exec(language, code, timeout, token):
    lost = False
    with one_at_a_time:
        try:
            if language == "python":
                captured, late, status, lost = interpreter.run(code, timeout, token)
            else:
                captured, late, status = run_bash(code, timeout, token)
        finally:
            running.pop(token, None)
    text, is_cut = captured.text()
    return {"output": text, "cut": is_cut, "bytes": captured.total, "status": status, "late": late, "lost": lost}


def do_interrupt(token):
    """Ends the code of one call, and nothing else in the box."""
    if token in running:
        end(running[token])
    return {}


class Stream:
    """A process that lasts. It is read only as far as the host has taken what came before."""

    def __init__(self, id, process, source, sink, notes=None):
        self.id, self.process, self.source, self.sink = id, process, source, sink
        self.credit, self.room = WINDOW, threading.Condition()
        self.notes = b""
        if notes is not None:
            self.reader = threading.Thread(target=self.read_notes, args=(notes,), daemon=True)
            self.reader.start()
        threading.Thread(target=self.carry, daemon=True).start()

    def read_notes(self, notes):
        while data := os.read(notes, 4096):
            self.notes = (self.notes + data)[-4000:]

    def carry(self):
        while True:
            with self.room:
                while self.credit <= 0:
                    self.room.wait()
            try:
                data = os.read(self.source, 32768)
            except OSError:
                data = b""
            if not data:
                break
            with self.room:
                self.credit -= len(data)
            tell({"stream": self.id, "data": base64.b64encode(data).decode()})
        try:
            status = self.process.wait(2)
        except subprocess.TimeoutExpired:
            end(self.process)
            status = self.process.returncode
        streams.pop(self.id, None)
        tell({"stream": self.id, "ended": status, "notes": self.notes.decode("utf-8", "replace")})

    def taken(self, size):
        with self.room:
            self.credit += size
            self.room.notify()


streams = {}


def resize(descriptor, columns, rows):
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def do_terminal(id, columns, rows):
    master, slave = os.openpty()
    resize(slave, columns, rows)
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen([sys.executable, "-c", ENTER, "bash", "-i"], cwd=ROOT, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    streams[id] = Stream(id, process, master, master)
    return {}


def do_start(id, command):
    try:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    except OSError as error:
        raise Refused("missing", "%s can't be started: %s." % (command[0], error.strerror))
    streams[id] = Stream(id, process, process.stdout.fileno(), process.stdin.fileno(), process.stderr.fileno())
    return {}


def find(id):
    if id not in streams:
        raise Refused("missing", "It has ended.")
    return streams[id]


def do_feed(id, data):
    sink, left = find(id).sink, base64.b64decode(data)
    while left:
        left = left[os.write(sink, left) :]
    return {}


def do_end_input(id):
    find(id).process.stdin.close()
    return {}


def do_resize(id, columns, rows):
    resize(find(id).sink, columns, rows)
    return {}


def do_taken(id, size):
    if id in streams:
        streams[id].taken(size)
    return {}


def do_end(id):
    if id in streams:
        end(streams[id].process)
    return {}
`;
