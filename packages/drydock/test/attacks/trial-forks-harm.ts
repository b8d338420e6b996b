/** A module that candidates call: each function does harm, and `find_nothing` looks for traces of all of them. */
export const HARM = `import ctypes, os, shutil, signal, socket, sys, time

libc = ctypes.CDLL(None, use_errno=True)
KEY = 0x5EED
PLACES = ["/work", "/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~")]

def spread():
    for place in PLACES:
        try:
            with open(place + "/trace", "w") as file:
                file.write("harm")
        except OSError:
            pass

def leave_processes():
    """Daemons, one of them invisible in /proc, that go on writing and answering."""
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            libc.prctl(4, 0, 0, 0, 0)
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True:
                    spread()
                    for number in range(3, 20):
                        try:
                            os.write(number, b"-0\\n")
                        except OSError:
                            pass
                    time.sleep(0.001)
            os._exit(0)
    return 0

def write_everywhere():
    spread()
    with open("/work/test_calc.py", "w") as file:
        file.write("def test_act():\\n    raise SystemExit\\n")
    with open("/work/conftest.py", "w") as file:
        file.write("import os\\nos._exit(1)\\n")
    return 0

def delete_everything():
    for place in PLACES:
        for name in os.listdir(place):
            shutil.rmtree(place + "/" + name, ignore_errors=True)
            try:
                os.unlink(place + "/" + name)
            except OSError:
                pass
    return 0

def open_sockets():
    if os.fork() == 0:
        os.setsid()
        kept = []
        for family, address in ((socket.AF_UNIX, "\\0trace"), (socket.AF_INET, ("127.0.0.1", 18181))):
            each = socket.socket(family, socket.SOCK_STREAM)
            each.bind(address)
            each.listen()
            kept.append(each)
        time.sleep(1 << 20)
    time.sleep(0.05)
    return 0

def share_memory():
    segment = libc.shmget(KEY, 4096, 0o1666)
    libc.msgget(KEY, 0o1666)
    libc.semget(KEY, 1, 0o1666)
    queue = libc.mq_open(b"/trace", os.O_CREAT | os.O_RDWR, 0o666, None) if hasattr(libc, "mq_open") else -1
    return 0 * (segment + queue)

def kill_all():
    for pid in (os.getppid(), 1):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    os.kill(-1, signal.SIGKILL)
    return 0

def stop_all():
    for pid in (1, -1):
        try:
            os.kill(pid, signal.SIGSTOP)
        except OSError:
            pass
    return 0

def answer_for_others():
    words = b"".join(b'{"candidate": %d, "fixed": 0, "failing": 3, "late": false}\\n' % number for number in range(99))
    for number in range(60):
        try:
            os.write(number, b"-0\\n" + words + b"eF1z!")
        except OSError:
            pass
    for name in os.listdir("/proc"):
        try:
            for number in os.listdir("/proc/%s/fd" % name):
                with open("/proc/%s/fd/%s" % (name, number), "wb", buffering=0) as file:
                    file.write(words)
        except OSError:
            pass
    return 0

def forge_results():
    os.write(3, b"+0\\n+1\\n+2\\n[0, 9, 0]\\n" * 100)
    os._exit(0)

def patch_the_framework():
    sys.modules["_pytest.runner"].runtestprotocol = lambda *args, **names: []
    sys.modules["os"].write = lambda *args: 0
    return 0

def end_early():
    os._exit(77)

def fork_without_end():
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)

def fill_the_memory():
    kept = []
    while True:
        kept.append(bytearray(b"x") * (1 << 24))

def swell():
    while True:
        os.write(3, b"-0\\n" * (1 << 16))

def sleep_on():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
    time.sleep(1 << 20)

def enter_namespaces():
    for kind in ("mnt", "pid", "net", "ipc", "user"):
        for pid in ("1", "self"):
            try:
                handle = os.open("/proc/%s/ns/%s" % (pid, kind), os.O_RDONLY)
            except OSError:
                continue
            if libc.setns(handle, 0) == 0:
                return 3
    if libc.unshare(0x10000000) == 0 or libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0:
        return 3
    return 0

def trace_others():
    others = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    return 3 if any(libc.ptrace(16, pid, 0, 0) == 0 for pid in others) else 0

def find_nothing():
    traces = [place for place in PLACES if os.path.exists(place + "/trace")]
    traces += [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
    traces += [name for name in ("test_calc.py", "harm.py") if not os.path.exists("/work/" + name)]
    traces += ["conftest"] if os.path.exists("/work/conftest.py") else []
    for family, address in ((socket.AF_UNIX, "\\0trace"), (socket.AF_INET, ("127.0.0.1", 18181))):
        with socket.socket(family, socket.SOCK_STREAM) as each:
            traces += ["a socket"] if each.connect_ex(address) == 0 else []
    for name, words in (("shmget", (0, 0)), ("msgget", (0,)), ("semget", (0, 0))):
        traces += [name] if getattr(libc, name)(KEY, *words) >= 0 else []
    if hasattr(libc, "mq_open"):
        traces += ["a queue"] if libc.mq_open(b"/trace", os.O_RDWR) >= 0 else []
    if traces:
        raise RuntimeError("; ".join(traces))
    return 3
`;
