"""Records which files of the workspace and which modules a Python process opens or imports, and which file of the
workspace did so.

The starter of a process is the file of the workspace that had it started: it counts as the reader of everything that
the process opens before any code of the workspace runs."""

from _thread import get_ident

_RUNNERS = ("/_pytest/", "/unittest/loader.py", "/unittest/main.py")
# These act for the code that calls them.
_AGENTS = ("/_pytest/assertion/rewrite.py", "/_pytest/outcomes.py", "/_pytest/monkeypatch.py", "/_pytest/pytester.py")
_MACHINERY = ("<frozen ", SETTINGS["hooks"] + "/")
# Test runners read them before they load anything.
_SETTINGS_FILES = (".toml", ".ini", ".cfg")
_ACCESS_MODE = 3
_OF_PROCESSES = ("/cmdline", "/mem", "/environ")
_seen = set()
_roles = {}
_IMPORTER = ("importer",)
_last_path = []
# The programs of a virtual environment are installed with its packages.
_VENV = None if sys.prefix == sys.base_prefix or relative(sys.prefix) is None else relative(sys.prefix) + "/"


def _own(path):
    """Like `relative`, but None for installed packages: they count neither as readers nor as read, wherever they
    are."""
    file = relative(path)
    if file is None or "site-packages/" in file or "node_modules/" in file:
        return None
    return None if _VENV is not None and file.startswith(_VENV) else file


def _role_of(filename):
    """What a frame of this file says: the reader is a path below the workspace, or a runner that has none; the import
    system is on the way; or nothing."""
    if filename.startswith("<frozen importlib") or filename.endswith("/_pytest/assertion/rewrite.py"):
        role = _IMPORTER
    elif filename.startswith(_MACHINERY) or filename.startswith("<"):
        role = None
    else:
        file = _own(filename)
        is_runner = any(part in filename for part in _RUNNERS) and not any(part in filename for part in _AGENTS)
        role = (file,) if file is not None or is_runner else None
    _roles[filename] = role
    return role


def _find_asker():
    """The nearest file of the workspace on the stack, and whether the import system is between it and us."""
    frame = sys._getframe(2)
    importing = False
    while frame is not None:
        filename = frame.f_code.co_filename
        role = _roles[filename] if filename in _roles else _role_of(filename)
        if role is _IMPORTER:
            importing = True
        elif role is not None:
            return role[0], importing
        frame = frame.f_back
    return starter, importing


def _tell(*line):
    if line not in _seen:
        _seen.add(line)
        emit(*line)


def _note_path():
    global _last_path  # noqa: PLW0603  (the hooks are one namespace, and have no other place)
    if sys.path == _last_path:
        return
    _last_path = list(sys.path)
    for entry in _last_path:
        if isinstance(entry, str):
            directory = relative(entry or ".")
            if directory is not None:
                _tell("path", directory)


def _note_module(name, spec):
    try:
        # To walk up the stack takes long, and so far nothing of the workspace can be on it.
        by = None if starter is None and is_clean() else _find_asker()[0]
        _note_path()
        found = None
        if spec is not None:
            found = spec.origin
            if spec.submodule_search_locations is not None and not spec.has_location:
                found = next(iter(spec.submodule_search_locations), found)
        at = found if spec is not None and found and found.startswith("/") else None
        inside = None if at is None else relative(at)
        if inside is not None:
            release()
        outside = "outside" if spec is not None and (at is None or _own(at) is None) else None
        _tell(
            "module",
            "python",
            name,
            by,
            inside if inside is not None else found or (None if spec is None else "built-in"),
            outside,
        )
    except Exception:
        pass


def _note_open(path, mode, flags):
    if isinstance(path, int) or isinstance(flags, int) and flags & _ACCESS_MODE == posix.O_WRONLY:
        return
    if mode and isinstance(mode, str) and mode[0] in "wax" and "+" not in mode:
        return
    text = path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else str(path)
    if text.startswith("/proc/") and text.endswith(_OF_PROCESSES):
        note_look("/proc/", 3)
    file = _own(text)
    if not file:
        return
    if not file.endswith(_SETTINGS_FILES):
        release()
    by, importing = _find_asker()
    if by != file and (file, by) != (program, starter):
        _tell("file", file, "import" if importing else "open", by)
        if by is not None and not importing:
            note_sought(file, by)


def _note_list(path):
    """A directory is listed: the names in it may be answers."""
    if isinstance(path, (str, bytes)) or hasattr(path, "__fspath__"):
        directory = _own(path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else str(path))
        by, importing = _find_asker() if directory else (None, False)
        if by is not None and not importing:
            note_sought(directory + "/", by)


def _note_start(words, directory):
    """A process is started. Its hook, if it has one, reads who started it; what it runs may have none."""
    by, _ = _find_asker()
    _name_starter(by)
    base = posix.getcwd() if directory is None else normal(str(directory))
    for word in words:
        text = word.decode("utf-8", "surrogateescape") if isinstance(word, bytes) else str(word)
        if len(text) < 4096 and "\0" not in text:
            path = text if text.startswith("/") else base + "/" + text
            file = _own(path)
            if file and _is_file(path):
                _tell("file", file, "run", by)


def _is_file(path):
    try:
        return posix.stat(path).st_mode & 0o170000 == 0o100000
    except (OSError, ValueError):
        return False


def _name_starter(by):
    place = "%s/starters/%d" % (REPORTS, posix.getpid())
    descriptor = posix.open(place + ".new", posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
    try:
        posix.write(descriptor, (by or "").encode("utf-8", "surrogateescape"))
    finally:
        posix.close(descriptor)
    posix.rename(place + ".new", place)


def _read(path):
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return posix.read(descriptor, 8192)
    finally:
        posix.close(descriptor)


def _find_starter():
    """Asks the nearest ancestor that has a hook."""
    pid = posix.getppid()
    while pid > 1:
        try:
            return _read("%s/starters/%d" % (REPORTS, pid)).decode("utf-8", "surrogateescape") or None
        except OSError:
            pass
        try:
            pid = int(_read("/proc/%d/stat" % pid).rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return None
    return None


def _find_program():
    """The script of the workspace that this process runs; None where it runs something else."""
    words = iter((_read("/proc/self/cmdline")).decode("utf-8", "surrogateescape").split("\0")[1:])
    for word in words:
        if word in ("-W", "-X", "--check-hash-based-pycs"):
            next(words, None)
        elif word.startswith("-") and word != "-":
            if not word.startswith("--") and ("c" in word or "m" in word):
                return None
        else:
            file = _own(word) if word else None
            return file if file and _is_file(word) else None
    return None


_busy = set()


_LOOKS = frozenset(("sys._getframe", "sys._current_frames", "gc.get_objects", "gc.get_referrers"))
_FRAMES = frozenset(("tb_frame", "gi_frame", "cr_frame", "ag_frame"))
_WATCHED_EVENTS = _LOOKS | {
    "open",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "object.__getattr__",
    "os.listdir",
    "os.scandir",
}


def _audit(event, args):
    if event not in _WATCHED_EVENTS or event == "object.__getattr__" and args[1] not in _FRAMES:
        return
    thread = get_ident()
    if thread in _busy:
        return
    _busy.add(thread)
    try:
        if event == "open":
            _note_open(*args[:3])
        elif event == "os.listdir" or event == "os.scandir":
            _note_list(args[0])
        elif event in _LOOKS:
            note_look(event.rpartition(".")[2])
        elif event == "object.__getattr__":
            note_look(args[1])
        elif event == "subprocess.Popen":
            _note_start(_words(args[1]), args[2])
        elif event == "os.system":
            _note_start(_words(args[0]), None)
        elif event == "os.spawn":
            _note_start(list(args[2]), None)
        else:
            _note_start([args[0]] + list(args[1]), None)
    except Exception:
        pass
    finally:
        _busy.discard(thread)


def _words(command):
    if isinstance(command, bytes):
        command = command.decode("utf-8", "surrogateescape")
    words = (
        command.split() if isinstance(command, str) else [command] if hasattr(command, "__fspath__") else list(command)
    )
    # A line for a shell: its words, as well as quotes allow.
    return [part.strip("'\"") for word in words if isinstance(word, str) for part in [word] + word.split()]


starter = _find_starter()
_name_starter(starter)
program = _find_program()
if program is None:
    hold()
else:
    _tell("file", program, "run", starter)
_note_path()
observers.append(_note_module)
sys.addaudithook(_audit)
