/**
 * Part of the program in the sandbox: trial forks. Where the sandbox makes them, each candidate runs in a copy of a process
 * that has loaded what candidates need. The copy is in namespaces and a process tree of its own, on layers of its own over
 * the files, and ends with all that it did: it reaches neither this program nor the next candidate. What a candidate says
 * comes out of a pipe that is its alone.
 */
export const COPIES = String.raw`
FORKS = os.environ.pop("DRYDOCK_FORKS", None)
ANSWER = 3
COPY_SECONDS = 30

def fork_point(buffer):
    """The warden of the sandbox makes the copy here. True in the copy."""
    python = ctypes.pythonapi
    address = ctypes.c_ulong()
    libc.prctl(40, ctypes.byref(address), 0, 0, 0)
    python.PyOS_BeforeFork()
    returned = libc.syscall(308, -1, 0, buffer, ctypes.c_void_p(address.value))
    if returned != 1:
        python.PyOS_AfterFork_Parent()
        return False
    python.PyOS_AfterFork_Child()
    try:
        offset, size = (ctypes.c_long.in_dll(libc, name).value for name in ("__rseq_offset", "__rseq_size"))
        libc.pthread_self.restype = ctypes.c_ulong
        libc.syscall(334, ctypes.c_void_p(libc.pthread_self() + offset), max(size & 0xFFFFFFFF, 32), 0, ctypes.c_uint(0x53053053))
    except ValueError:
        pass  # a C library without them
    return True

def await_candidates(link, load, act):
    """The process that is copied. Libraries that calculate in threads end them where a process forks."""
    os.dup2(link.fileno(), ANSWER)
    os.closerange(ANSWER + 1, 1 << 16)
    link.detach()
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, ANSWER)
    loaded = load()
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    link.send(b"ready")
    buffer = ctypes.create_string_buffer(8192)
    while True:
        number = link.recv(64)
        if not number:
            os._exit(0)
        if fork_point(buffer):
            # Its sockets without a name in the file system are out of reach as well, where the kernel has that.
            enter_domain()
            # Collecting would touch, and so copy, every page of the original.
            gc.disable()
            os.chdir(root)
            act(loaded, request["candidates"][int(number)])
            os._exit(0)

class Network:
    """Copies share the network of the sandbox, which is empty: a network of its own is a third of what a copy costs. From
    the first one on that leaves something there (a port that is taken for a minute more), each has its own."""
    def __init__(self):
        self.is_own, self.before = False, self.read()

    def read(self):
        try:
            with open("/proc/net/sockstat") as four, open("/proc/net/sockstat6") as six:
                return re.findall(r"(?:inuse|orphan|tw) (\d+)", four.read() + six.read())
        except OSError:
            return []

    def look(self):
        # One of its own has no way to the hosts that the policy allows.
        self.is_own = not request["hasHosts"] and (self.is_own or self.read() != self.before)

class Copies:
    """Of a process that serves candidates at the other end of a socket. link: to the sandbox."""
    # What the sandbox has to know of the process.
    kind = b""

    def __init__(self, link, serve):
        self.link = link
        self.own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.child = Child(lambda: serve(theirs))
        theirs.close()
        self.own.setblocking(False)
        self.is_ready = wait_for(self.own.fileno(), request["loadSeconds"] * 10 + 5) and self.own.recv(64) == b"ready"

    def hear(self, wanted, count=0):
        if not wait_for(self.link.fileno(), COPY_SECONDS):
            raise OSError("the sandbox does not answer")
        message, descriptors, _, _ = socket.recv_fds(self.link, 600, 2)
        if message[:1] != wanted or len(descriptors) != count:
            for each in descriptors:
                os.close(each)
            raise OSError(message[1:].decode("utf-8", "replace") or "the sandbox makes no copies")
        return message[1:], descriptors

    def ask(self, number, seconds):
        """(How it ended, what it said.) OSError: there was no copy."""
        words = b"F%d%s%s" % (self.child.pid, self.kind, b"N" if network.is_own else b"")
        socket.send_fds(self.link, [words], [self.own.fileno()])
        self.hear(b"z")
        self.own.send(b"%d" % number)
        _, (said, copy) = self.hear(b"r", 2)
        try:
            text, is_late = self.listen(said, copy, time.monotonic() + seconds)
        finally:
            os.close(said)
            os.close(copy)
            self.link.send(b"E")
            status = os.waitstatus_to_exitcode(int(self.hear(b"e")[0]))
        network.look()
        return LATE if is_late else status, text

    def listen(self, said, copy, end):
        """All that comes until it ends. Processes that it has left behind may hold the pipe: nobody waits for them."""
        os.set_blocking(said, False)
        parts, left, waited, is_over = [], most_said(), [said, copy], False
        beat = time.monotonic() + BEAT_SECONDS
        while left > 0 and waited:
            try:
                part = os.read(said, min(left, 1 << 16))
                parts.append(part)
                left -= len(part)
                if part:
                    continue
                # How it ended is known when it has ended, which is a moment later.
                waited = [] if is_over else [copy]
            except BlockingIOError:
                pass
            if is_over:
                break
            seconds = end - time.monotonic()
            if waited and (seconds <= 0 or self.is_spent(copy)):
                return b"".join(parts), True
            is_over = copy in select.select(waited, [], [], min(max(seconds, 0), BEAT_SECONDS))[0]
            if not is_over and time.monotonic() > beat:
                beat = time.monotonic() + BEAT_SECONDS
                send(beat=True)
        return b"".join(parts), False

    def is_spent(self, copy):
        """Whether it has used up the time of the processor that it may use. Those of Python look for themselves."""
        return False

    def end(self):
        self.own.close()
        self.child.end()

def open_forks():
    """The link to the sandbox; None where it makes no copies."""
    if FORKS is None:
        return None
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, int(FORKS))
    link.set_inheritable(False)
    return link

def put_texts(texts):
    for path, text in texts.items():
        put_text(path, text)

network = Network()

def hot_copy(loaded, candidate):
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    texts = texts_of(candidate)
    put_texts(texts)
    if not loaded.patch(texts):
        os._exit(COLD)
    start_job(loaded, ANSWER)

def cold_copy(_, candidate):
    put_texts(texts_of(candidate))
    cold_child(ANSWER)

class CopyWay:
    """Tries each candidate in a copy. Those in which new code can't be put into loaded functions load everything anew."""
    def __init__(self, link):
        self.link, self.hot, self.cold = link, None, None

    def try_one(self, number):
        """What is to be said of it."""
        status, text = self.run_one(number, may_be_hot())
        return read_result(request["candidates"][number], status, text.decode("utf-8", "replace"))

    def run_one(self, number, is_hot):
        if is_hot:
            if self.hot is None:
                self.hot = Copies(self.link, lambda link: await_candidates(link, lambda: Loaded().prepare(), hot_copy))
            if self.hot.is_ready:
                status, text = self.hot.ask(number, request["wallSeconds"])
                if status != COLD:
                    return status, text
        if self.cold is None:
            self.cold = Copies(self.link, lambda link: await_candidates(link, lambda: None, cold_copy))
        if not self.cold.is_ready:
            raise OSError("the process to copy did not start")
        return self.cold.ask(number, request["wallSeconds"] + request["loadSeconds"] * 5)

    def end(self):
        for copies in (self.hot, self.cold):
            if copies is not None:
                copies.end()
`;
