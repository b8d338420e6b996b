import { COMPILED_CODE } from "../../source/compiled-code.ts";
import { HANDED_OVER } from "../../source/handed-over.ts";
import { LIST_MODULES } from "../../source/list-modules.ts";
import { TREE_STATE } from "../../source/tree-state.ts";

/**
 * Runs many mutants in one sandbox: a fork of a process that has imported the test runner, for each of them. It gives up,
 * and says so, where forks could find something else than separate runs do: where a file of the tree has the name of a
 * module that is loaded already, or where the run itself changes files. A fork that takes long is set aside, while the
 * next mutants run: most such mutants never end. What it reports goes to standard output, a line each.
 */
export const PYTHON_DRIVER = String.raw`${COMPILED_CODE}
sys.path[:] = [entry for entry in sys.path if entry not in ("", ".")]
import atexit, gc, importlib, json, os, resource, runpy, select, signal, stat, tempfile, threading, time

request = json.loads(sys.stdin.buffer.read())
root = os.getcwd()
MAX_ASIDE = 4
LOOK_SECONDS = 0.05
${TREE_STATE}${LIST_MODULES}${HANDED_OVER}
def send(**words):
    os.write(report, (json.dumps(words) + "\n").encode())

def look():
    return read_tree_state(root, (".git", "node_modules"))

def shadowed(files):
    """Modules that the tree would provide, but that are loaded from elsewhere already."""
    packages = {os.path.dirname(path) for path in files if os.path.basename(path) == "__init__.py"}
    names = {os.path.basename(path) for path in packages if os.path.dirname(path) not in packages}
    for path in files:
        name, ending = os.path.splitext(os.path.basename(path))
        if ending == ".py" and (request["run"] == "script" or os.path.dirname(path) not in packages):
            names.add(name)
    return sorted(names & {name.split(".")[0] for name in sys.modules} - {"__main__"})

def start_program():
    name, args = request["name"], request["args"]
    if request["run"] == "pytest":
        import pytest
        sys.argv = ["pytest"] + args
        return pytest.console_main()
    if request["run"] == "module":
        sys.path.insert(0, root)
        sys.argv = [name] + args
        return runpy.run_module(name, run_name="__main__", alter_sys=True) and 0
    sys.path.insert(0, os.path.dirname(os.path.join(root, name)))
    sys.argv = [name] + args
    return runpy.run_path(name, run_name="__main__") and 0

def status_of_program():
    try:
        status = start_program()
    except SystemExit as ending:
        status = ending.code
    except BaseException:
        return 1
    return status & 0xFF if isinstance(status, int) else 0 if status is None else 1

class Fork:
    def __init__(self, modules=None):
        self.since = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            self.become_program(modules)
        self.handle = os.pidfd_open(self.pid)

    def become_program(self, modules):
        os.setsid()
        null = os.open("/dev/null", os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        os.close(report)
        bytes = request["memoryMb"] << 20
        resource.setrlimit(resource.RLIMIT_DATA, (bytes, bytes))
        sys.dont_write_bytecode = modules is None
        status = status_of_program()
        if modules is not None:
            os.write(modules, json.dumps(list_modules()).encode())
        try:
            threading._shutdown()
            atexit._run_exitfuncs()
        finally:
            os._exit(status)

    def has_ended(self, seconds):
        return bool(select.select([self.handle], [], [], max(0, self.since + seconds - time.monotonic()))[0])

    def taken(self):
        """Processor time in seconds; 0 where nobody can tell."""
        try:
            with open("/proc/%d/stat" % self.pid) as file:
                fields = file.read().rpartition(") ")[2].split(" ")
            return (int(fields[11]) + int(fields[12])) / 100
        except OSError:
            return 0

    def end(self):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass
        os.close(self.handle)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

def run_untouched():
    names = make_file("modules")
    fork = Fork(names)
    has_ended = fork.has_ended(request["baselineSeconds"])
    seconds = time.monotonic() - fork.since
    status = fork.end()
    os.lseek(names, 0, 0)
    text = os.read(names, 1 << 20)
    os.close(names)
    return status if has_ended else None, seconds, json.loads(text or b"[]")

def preload(names):
    for name in names:
        if name not in sys.modules:
            try:
                importlib.import_module(name)
            except BaseException:
                pass

def try_mutant(mutant, number, seconds):
    """The exit status, or the fork itself where it has not ended so far."""
    path = os.path.join(root, mutant["path"])
    with open(path, "rb") as file:
        original = file.read()
    facts = os.stat(path)
    with open(path, "r+b") as file:
        file.write(original[:mutant["start"]] + mutant["replacement"].encode() + original[mutant["end"]:])
        file.truncate()
    # Compiled code is looked up by the time of the source, in seconds.
    moment = facts.st_mtime_ns + (number + 1) * 1000000000
    os.utime(path, ns=(moment, moment))
    try:
        fork = Fork()
        return fork.end() if fork.has_ended(seconds) else fork
    finally:
        with open(path, "r+b") as file:
            file.write(original)
            file.truncate()
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))

def settle(mutant, fork, seconds):
    """Whatever it says now, the file is no longer the mutant: only that it never ends is a finding."""
    wall, cpu = seconds * 3 + 2, seconds * 5 + 0.5
    has_ended = fork.has_ended(0)
    while not has_ended and time.monotonic() < fork.since + wall and fork.taken() < cpu:
        has_ended = fork.has_ended(time.monotonic() - fork.since + LOOK_SECONDS)
    fork.end()
    if has_ended:
        send(mutant=mutant["id"], odd=True)
    else:
        send(mutant=mutant["id"], killed=True)

def main():
    os.environ.update(request["environment"])
    sys.path[:0] = [entry for entry in request["environment"].get("PYTHONPATH", "").split(":") if entry]
    if request["uses"]:
        importlib.import_module(request["uses"])
    before = look()
    if before is None:
        return send(unable="the tree has too many files")
    names = shadowed(before)
    if names:
        return send(unable="the tree has files with the names of loaded modules: " + ", ".join(names[:5]))
    end = time.monotonic() + request["seconds"]
    status, seconds, modules = run_untouched()
    if status != request["expected"]:
        return send(unable="without a mutant it ended with status %s" % status)
    if look() != before:
        return send(unable="it changes files of the tree")
    preload(modules)
    gc.collect()
    gc.freeze()
    send(untouchedMs=round(seconds * 1000))
    aside = []
    for number, mutant in enumerate(request["mutants"]):
        if time.monotonic() > end:
            break
        send(begun=mutant["id"])
        result = try_mutant(mutant, number, seconds * 3 + 0.1)
        if isinstance(result, Fork):
            os.setpriority(os.PRIO_PROCESS, result.pid, 19)
            aside.append((mutant, result))
            if len(aside) >= MAX_ASIDE:
                settle(*aside.pop(0), seconds)
        else:
            send(mutant=mutant["id"], killed=result != request["expected"])
        if look() != before:
            break
    for mutant, fork in aside:
        settle(mutant, fork, seconds)

report = os.dup(1)
os.set_inheritable(report, False)
try:
    main()
except Exception as error:
    send(unable="%s: %s" % (type(error).__name__, error))
`;
