/**
 * Part of the program in the sandbox: candidates. A process that has collected the tests forks for each of them and puts
 * the new code into the functions that are loaded. Where that is not enough (a constant of the module, a default value, a
 * function that ran while the modules were loaded), the candidate's process loads everything anew.
 */
export const TRIALS = String.raw`
LATE, COLD = 77, 78
NEW_TEST_SECONDS = 1

def limit_time(seconds):
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)

def run_tests(loaded, output):
    """A line for each test that is known, and at last what became of the test files that could not be loaded."""
    failing, passing = request["failing"], request["passing"]
    places = {name: at for at, name in enumerate(failing + passing)}
    counts = {"fixed": 0, "broken": 0, "same": 0}
    errors = loaded.runner.errors
    if errors > request["errors"]:
        return
    def begin(name):
        limit_time(request["testSeconds"])
        return True
    def note(name, ok, _):
        at = places.get(name)
        if at is None:
            return True
        os.write(output, b"+%d\n" % at if ok else b"-%d\n" % at)
        if at < len(failing):
            counts["fixed" if ok else "same"] += 1
            return counts["fixed"] > 0 or counts["same"] < request["patience"]
        counts["broken"] += not ok
        return counts["broken"] < 3
    first = failing[:request["first"]]
    loaded.runner.run(first, begin, note)
    if (counts["fixed"] or errors < request["errors"]) and passing:
        loaded.runner.run(passing, begin, note)
    if len(first) < len(failing) and counts["fixed"] == len(first) and not counts["broken"]:
        loaded.runner.run(failing[len(first):], begin, note)
    ok = bad = 0
    if errors < request["errors"] and not counts["broken"]:
        ok, bad = run_new(loaded, {*places, *request["others"]})
    os.write(output, b"%s\n" % json.dumps([errors, ok, bad]).encode())

def run_new(loaded, known):
    """Tests that nobody knows yet: their file could not be loaded before."""
    counts = [0, 0]
    def begin(name):
        limit_time(max(request["testSeconds"], NEW_TEST_SECONDS))
        return True
    def note(name, ok, _):
        counts[0 if ok else 1] += 1
        return True
    loaded.runner.run([name for name in loaded.names if name not in known], begin, note)
    return counts

def start_job(loaded, output):
    if request["job"] == "calls":
        run_calls(loaded, output)
    else:
        run_tests(loaded, output)

def hot_child(loaded, texts, output, pipes):
    # Whoever holds these could answer for others.
    for handle in pipes:
        os.close(handle)
    # Collecting would touch, and so copy, every page of the parent.
    gc.disable()
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    if not loaded.patch(texts):
        os._exit(COLD)
    start_job(loaded, output)

def cold_child(output):
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, request["testSeconds"] + request["loadSeconds"] * 5)
    start_job(Loaded(), output)

def serve(requests, replies, output):
    """The process that has loaded the tests: forks for each candidate."""
    loaded = Loaded().prepare()
    os.write(replies, b"ready\n")
    while True:
        line = b""
        while not line.endswith(b"\n"):
            part = os.read(requests, 65536)
            if not part:
                os._exit(0)
            line += part
        candidate = request["candidates"][int(line)]
        texts = texts_of(candidate)
        child = Child(lambda: hot_child(loaded, texts, output, (requests, replies)))
        has_ended = child.wait(request["wallSeconds"])
        status = child.end()
        os.write(replies, b"%d\n" % (status if has_ended else LATE))

class Server:
    def __init__(self, output):
        self.requests, self.replies = os.pipe(), os.pipe()
        def act():
            global beats
            beats = False
            serve(self.requests[0], self.replies[1], output)
        self.child = Child(act)
        os.close(self.requests[0])
        os.close(self.replies[1])
        self.is_ready = self.read(request["loadSeconds"] * 10 + 5) == b"ready"

    def read(self, seconds):
        line, end = b"", time.monotonic() + seconds
        while not line.endswith(b"\n"):
            if not wait_for(self.replies[0], end - time.monotonic()):
                return None
            part = os.read(self.replies[0], 100)
            if not part:
                return None
            line += part
        return line[:-1]

    def ask(self, number):
        try:
            os.write(self.requests[1], b"%d\n" % number)
        except OSError:
            return None
        answer = self.read(request["wallSeconds"] * 2 + 1)
        return int(answer) if answer is not None and answer.lstrip(b"-").isdigit() else None

    def end(self):
        for handle in (self.requests[1], self.replies[0]):
            os.close(handle)
        self.child.end()

def try_all():
    for path in request["files"]:
        with open(os.path.join(root, path), "rb") as file:
            originals[path] = file.read()
    end = time.monotonic() + request["seconds"]
    link = open_forks()
    if link is None or not try_in_copies(link, end):
        try_side_by_side(end)

def may_be_hot():
    return request["kind"] in ("pytest", "unittest") and request["isHot"]

def try_in_copies(link, end):
    """False: the sandbox makes no copies of these processes."""
    way, is_proven = make_way(link), False
    try:
        for number, candidate in enumerate(request["candidates"]):
            if time.monotonic() > end:
                break
            send(begun=candidate["id"])
            try:
                said = way.try_one(number)
            except OSError as error:
                send(copies=False, reason=str(error))
                # What is left is tried in another sandbox, as well isolated as this one.
                return is_proven
            is_proven = is_proven or not send(copies=True)
            send(**said)
    finally:
        way.end()
    return True

def make_way(link):
    return CopyWay(link)

def try_side_by_side(end):
    """Candidates are forks of one process, and files are put back after each."""
    global output
    # Orphans of a candidate become ours, so that they can be ended.
    adopt_orphans()
    tree = Tree()
    since = time.monotonic()
    tree.restore()
    slow_look = time.monotonic() - since > 0.002
    output = make_file("results")
    scratch = Scratch()
    server, hot = None, may_be_hot()
    for number, candidate in enumerate(request["candidates"]):
        if time.monotonic() > end:
            break
        os.ftruncate(output, 0)
        os.lseek(output, 0, 0)
        send(begun=candidate["id"])
        if hot and server is None:
            server = Server(output)
            if not server.is_ready:
                hot = False
                server.end()
                server = None
            # What the tests made when they were loaded is used by all of them.
            scratch.keep()
        written = texts_of(candidate)
        put_texts(written)
        status = server.ask(number) if server else COLD
        if server and status is None:
            server.end()
            server, status = None, LATE
        if status == COLD:
            child = Child(lambda: cold_child(output))
            has_ended = child.wait(request["wallSeconds"] + request["loadSeconds"] * 5)
            status = child.end()
            status = status if has_ended else LATE
        is_clear = end_strays({server.child.pid} if server else set()) and scratch.clear()
        send(**read_result(candidate, status, read_all(output)[:most_said()]))
        put_texts({path: originals[path] for path in written})
        if not slow_look or tree.is_untidy or status != 0 or number % 25 == 0:
            tree.settle(written)
            is_clear = tree.restore() and is_clear
        # What is left of the candidates is tried in another sandbox.
        if not is_clear:
            break
    if server:
        server.end()
    scratch.end()

def put_text(path, text):
    place = os.path.join(root, path)
    try:
        with open(place, "r+b") as file:
            file.write(text)
            file.truncate()
    except OSError:
        with open(place, "wb") as file:
            file.write(text)

def most_said():
    """What an honest candidate says is shorter: a line for each test or call."""
    if request["job"] == "calls":
        return 4096 + 4096 * len(request["inputs"])
    return 4096 + 16 * (len(request["failing"]) + len(request["passing"]))

def read_result(candidate, status, text):
    late = status in (LATE, -signal.SIGPROF)
    if request["job"] == "calls":
        return dict(candidate=candidate["id"], results=text.splitlines())
    failing, passing, before = len(request["failing"]), len(request["passing"]), request["errors"]
    marks = read_marks(text)
    errors, ok, bad = read_counts(text) or (before, 0, 0)
    fixed, kept = sum(1 for at in marks if at < failing), sum(1 for at in marks if failing <= at < failing + passing)
    broken = passing - kept if fixed or errors < before else 0
    bad += failing - fixed + broken + errors
    # A file that loads now, and has no test in it, is no success where there is no other test.
    fixed += before - errors if ok + kept + fixed else 0
    return dict(candidate=candidate["id"], fixed=fixed, failing=bad, late=late)

def read_marks(text):
    """The tests that passed, by their places in the list: what was last said of each counts."""
    last = {int(digits): sign for sign, digits in re.findall(r"^([+-])(\d{1,9})$", text, re.MULTILINE | re.ASCII)}
    return [at for at, sign in last.items() if sign == "+"]

def read_counts(text):
    """None where the child did not come so far. It may have written anything."""
    try:
        said = json.loads(text.rstrip("\n").rsplit("\n", 1)[-1])
    except ValueError:
        return None
    return said if isinstance(said, list) and [type(each) for each in said] == [int] * 3 else None

def run_calls(loaded, output):
    """Calls functions with many inputs; each result is a line."""
    paths = {os.path.join(root, path): number for number, path in enumerate(request["files"])}
    # By the code that they had when they were loaded: the new one may have another name for nothing.
    functions = {(paths[code.co_filename], each.__qualname__): each for code, found in loaded.functions.items() for each in found}
    def late(number, frame):
        raise OutOfTime()
    signal.signal(signal.SIGPROF, late)
    for number, name, text in request["inputs"]:
        signal.setitimer(signal.ITIMER_PROF, request["testSeconds"], 0.1)
        try:
            result = call_one(functions.get((number, name)), text)
        except OutOfTime:
            result = "does not end"
        signal.setitimer(signal.ITIMER_PROF, 0)
        os.write(output, (json.dumps(result) + "\n").encode())

def call_one(function, text):
    if function is None:
        return "no function"
    args = ast.literal_eval(text)
    try:
        value = function(*args)
        if isinstance(value, types.GeneratorType):
            value = [each for each, _ in zip(value, range(500))]
        shown = repr(value)
    except (Exception, SystemExit) as error:
        return "raises " + type(error).__name__
    changed = repr(args)
    shown = re.sub(r"0x[0-9a-f]+", "0x", shown)[:500]
    return shown if changed == text else shown + ", arguments then " + changed[:300]
`;
