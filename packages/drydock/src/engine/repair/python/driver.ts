import { HANDED_OVER } from "../../source/handed-over.ts";
import { LIST_MODULES } from "../../source/list-modules.ts";
import { TREE_STATE } from "../../source/tree-state.ts";
import { COPIES } from "./copies.ts";
import { DOMAIN } from "./domain.ts";
import { LOADED } from "./loaded.ts";
import { RUN_TESTS } from "./run-tests.ts";
import { SURVEY } from "./survey.ts";
import { TRIALS } from "./trials.ts";

/**
 * Part of the program in the sandbox: child processes. Whatever a candidate does, it does it in a child that is ended with
 * all of its descendants, and files of the tree are put back after it.
 */
export const CHILDREN = String.raw`
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

MOST_BYTES = 64 << 20

def read_all(handle):
    """What children wrote; one of them may have made it endless."""
    os.lseek(handle, 0, 0)
    parts, left = [], MOST_BYTES
    while left > 0:
        part = os.read(handle, min(left, 1 << 20))
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts).decode("utf-8", "replace")

class Child:
    """A fork that can be waited for with a limit, and ended with all that it started."""
    def __init__(self, act):
        self.pid = os.fork()
        if self.pid == 0:
            self.become(act)
        self.handle = os.pidfd_open(self.pid)

    def become(self, act):
        global report
        status = 1
        try:
            os.setsid()
            if report is not None:
                os.close(report)
                report = None
            null = os.open("/dev/null", os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            # Node reserves more than it uses, and has a limit of its own.
            if request["memoryMb"] > 0:
                bytes = request["memoryMb"] << 20
                resource.setrlimit(resource.RLIMIT_DATA, (bytes, bytes))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            enter_domain()
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

class Scratch:
    """Where files for a while are made: what one candidate leaves there is not for the next, and would add up."""
    def __init__(self):
        own = tempfile.mkdtemp(prefix="drydock-tests-")
        os.environ["TMPDIR"] = tempfile.tempdir = own
        sys.pycache_prefix = os.path.join(own, "pycache")
        # Elsewhere these may be the user's, and files in them somebody else's.
        with open("/proc/self/mounts") as mounts:
            private = {line.split()[1] for line in mounts if line.startswith("scratch ")}
        usual = {"/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~")}
        self.places = [own, *sorted((usual & private) - {root})]
        self.keep()

    def look(self):
        return {os.path.join(place, name) for place in self.places for name in os.listdir(place)}

    def keep(self):
        self.kept = self.look()

    def clear(self):
        """False: something can't be removed."""
        try:
            for path in self.look() - self.kept:
                if os.path.isdir(path) and not os.path.islink(path):
                    shutil.rmtree(path)
                else:
                    os.unlink(path)
        except (OSError, RecursionError):
            return False
        return True

    def end(self):
        shutil.rmtree(self.places[0], ignore_errors=True)

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
        return read_tree_state(root, (".git", "node_modules"))

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
        adopt_orphans()
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
export const REPAIR_DRIVER =
  RUN_TESTS + TREE_STATE + LIST_MODULES + DOMAIN + HANDED_OVER + CHILDREN + SURVEY + LOADED + COPIES + TRIALS + MAIN;
