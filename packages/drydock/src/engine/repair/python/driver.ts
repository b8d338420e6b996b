import { LIST_MODULES } from "../../source/list-modules.ts";
import { TREE_STATE } from "../../source/tree-state.ts";
import { LOADED } from "./loaded.ts";
import { RUN_TESTS } from "./run-tests.ts";
import { SURVEY } from "./survey.ts";
import { TRIALS } from "./trials.ts";

/**
 * Part of the program in the sandbox: child processes. Whatever a candidate does, it does it in a child that is ended with
 * all of its descendants, and files of the tree are put back after it.
 */
const CHILDREN = String.raw`
KEPT_BYTES = 64 << 20
BEAT_SECONDS = 0.5
# Whether this process tells the host that it goes on: the one that judges candidates does.
beats = True

def send(**words):
    os.write(report, (json.dumps(words) + "\n").encode())

def wait_for(handle, seconds):
    """Whether there is something to read. A candidate may stop this process: then the host gets no beats."""
    end = time.monotonic() + max(0, seconds)
    while True:
        left = max(0, end - time.monotonic())
        if select.select([handle], [], [], min(left, BEAT_SECONDS) if beats else left)[0]:
            return True
        if time.monotonic() >= end:
            return False
        if beats:
            send(beat=True)

def read_all(handle):
    os.lseek(handle, 0, 0)
    parts = []
    while True:
        part = os.read(handle, 1 << 20)
        if not part:
            return b"".join(parts).decode("utf-8", "replace")
        parts.append(part)

def list_descendants():
    """All of them, also those that left their process group: this process adopts orphans (see the subreaper below)."""
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/" + name + "/stat", "rb") as file:
                parent = int(file.read().rsplit(b")", 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(name))
    found, todo = set(), [os.getpid()]
    while todo:
        below = children.get(todo.pop(), [])
        found.update(below)
        todo += below
    return found

class Child:
    """A fork that can be waited for with a limit, and ended with all that it started."""
    def __init__(self, act):
        self.pid = os.fork()
        if self.pid == 0:
            self.become(act)
        self.handle = os.pidfd_open(self.pid)

    def become(self, act):
        status = 1
        try:
            os.setsid()
            null = os.open("/dev/null", os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            bytes = request["memoryMb"] << 20
            resource.setrlimit(resource.RLIMIT_DATA, (bytes, bytes))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            act()
            status = 0
        except BaseException as error:
            status = error.code if isinstance(error, SystemExit) and isinstance(error.code, int) else 1
        finally:
            os._exit(status & 0xFF)

    def wait(self, seconds):
        return wait_for(self.handle, seconds)

    def end(self):
        """How it ended: its status, or minus the signal."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass
        try:
            os.kill(self.pid, signal.SIGKILL)
        except OSError:
            pass
        os.close(self.handle)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

def end_strays(known):
    """Ends descendants that nobody waits for. Never other processes: without namespaces these are the user's."""
    for round in range(50):
        strays = list_descendants() - known
        if not strays:
            return
        for pid in strays:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass
        if round:
            time.sleep(0.002)

class Tree:
    """The files as they were, and what has become of them."""
    def __init__(self):
        self.facts = self.look()
        self.contents = {}
        # Whether tests or candidates have left anything behind so far.
        self.is_untidy = False
        total = 0
        for path in self.facts or {}:
            total += 0 if path.endswith("/") else os.lstat(path).st_size
            if total > KEPT_BYTES or not os.path.isfile(path) or os.path.islink(path):
                continue
            with open(path, "rb") as file:
                self.contents[path] = file.read()

    def look(self):
        return read_tree_state(root, (".git", "node_modules", "__pycache__"))

    def settle(self, paths):
        """What was written into these files is undone: they count as untouched."""
        for path in [os.path.join(root, path) for path in paths]:
            if self.facts is not None and path in self.facts:
                os.utime(path, ns=(self.facts[path][0],) * 2)

    def restore(self):
        """Puts back what a child changed, but in trees of too many files. False: it can't."""
        if self.facts is None:
            return True
        now = self.look()
        if now is None:
            return False
        self.is_untidy |= now != self.facts
        for path in sorted(now.keys() - self.facts.keys()):
            try:
                if path.endswith("/"):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)
            except FileNotFoundError:
                pass  # it went with its directory
            except OSError:
                return False
        for path, facts in self.facts.items():
            if now.get(path) == facts:
                continue
            if path not in self.contents and not path.endswith("/"):
                return False
            try:
                if path.endswith("/"):
                    os.makedirs(path, exist_ok=True)
                    os.chmod(path, facts[2] & 0o7777)
                    continue
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if path not in now or not os.access(path, os.W_OK):
                    if path in now:
                        os.chmod(path, 0o644)
                with open(path, "wb") as file:
                    file.write(self.contents[path])
                os.chmod(path, facts[2] & 0o7777)
                os.utime(path, ns=(facts[0], facts[0]))
            except OSError:
                return False
        return True
`;

const MAIN = `
def main():
    os.environ.update(request["environment"])
    sys.path[:0] = [entry for entry in request["environment"].get("PYTHONPATH", "").split(":") if entry]
    try:
        # Orphans of a candidate become ours, so that they can be ended.
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    except (OSError, AttributeError):
        pass
    if request["kind"] in ("pytest", "unittest"):
        importlib.import_module(request["kind"])
    for name in request.get("modules", []):
        if name not in sys.modules:
            try:
                importlib.import_module(name)
            except BaseException:
                pass
    gc.collect()
    gc.freeze()
    if request["job"] == "survey":
        survey()
    else:
        try_all()

report = os.dup(1)
os.set_inheritable(report, False)
try:
    main()
except Exception as error:
    import traceback
    send(unable="%s: %s" % (type(error).__name__, error), trace=traceback.format_exc()[-2000:])
`;

/** Surveys the tests, or tries candidates, in one sandbox. What it reports goes to standard output, a line each. */
export const REPAIR_DRIVER = RUN_TESTS + TREE_STATE + LIST_MODULES + CHILDREN + SURVEY + LOADED + TRIALS + MAIN;
