/**
 * Part of the program in the sandbox that tries candidates of JavaScript and TypeScript in trial forks: what it does
 * otherwise than with Python. The process that is copied is Node. It has loaded the test runner, and no code of the project: each
 * copy writes its candidate's files, runs the tests, and says in one line how they did.
 */
export const NODE_COPIES = `
def exec_node(link):
    os.dup2(link.fileno(), ANSWER)
    os.set_inheritable(ANSWER, True)
    link.detach()
    os.environ.update(request["environment"], UV_USE_IO_URING="0", NODE_NO_WARNINGS="1")
    flags = ["--single-threaded", "--v8-pool-size=0", "--disable-sigusr1", "--max-old-space-size=%d" % request["nodeMb"]]
    os.execvp("node", ["node", *flags, "-e", request["zygote"], "file://" + root + "/", root + "/", request_place])

class NodeCopies(Copies):
    kind = b"R"

    def is_spent(self, copy):
        """By the kernel's word: nothing in the copy can look while it is in a loop."""
        try:
            with open("/proc/self/fdinfo/%d" % copy) as facts:
                pid = re.search(r"^Pid:\\t(\\d+)$", facts.read(), re.MULTILINE).group(1)
            with open("/proc/%s/stat" % pid) as stat:
                spent = sum(int(each) for each in stat.read().rsplit(")", 1)[1].split()[11:13])
        except (OSError, AttributeError):
            return False
        return spent * 10 > request["copyMs"]

class NodeWay:
    def __init__(self, link):
        self.copies = NodeCopies(link, exec_node)

    def try_one(self, number):
        if not self.copies.is_ready:
            raise OSError("the process to copy did not start")
        status, text = self.copies.ask(number, request["copyMs"] * 6 / 1000 + 3)
        candidate = request["candidates"][number]["id"]
        lines = text.decode("utf-8", "replace").splitlines()
        if request["job"] == "calls":
            return dict(candidate=candidate, results=lines)
        said = read_said(lines[-1] if lines else "")
        if said is None:
            return dict(candidate=candidate, fixed=0, failing=len(request["failing"]) + 1, late=status == LATE)
        return dict(candidate=candidate, fixed=said[0], failing=said[1], late=bool(said[2]))

    def end(self):
        self.copies.end()

def read_said(line):
    """None where it did not come so far. It may have written anything."""
    try:
        said = json.loads(line)
    except ValueError:
        return None
    is_said = isinstance(said, list) and len(said) == 3 and all(type(each) is int and 0 <= each < 1 << 30 for each in said)
    return said if is_said else None

def make_way(link):
    return NodeWay(link)

def main():
    global request_place
    handle, request_place = tempfile.mkstemp(prefix="drydock-request-")
    with open(handle, "w") as file:
        json.dump({key: value for key, value in request.items() if key != "zygote"}, file)
    link = open_forks()
    if link is None or not try_in_copies(link, time.monotonic() + request["seconds"]):
        send(copies=False)

report = os.dup(1)
os.set_inheritable(report, False)
try:
    main()
except Exception as error:
    send(copies=False, reason="%s: %s" % (type(error).__name__, error))
`;
