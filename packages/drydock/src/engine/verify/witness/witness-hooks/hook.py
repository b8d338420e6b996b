"""Loaded into every Python process of a check, by a .pth file or as sitecustomize. SETTINGS holds what the driver
chose.

Nothing here may raise, and nothing of it is in sys.modules: the code under test neither sees nor replaces it by
accident. What is not needed by every process is loaded when it is: tests are reported by reporters that load with their
runner."""

import posix
import sys
from importlib import _bootstrap, _bootstrap_external

WORKSPACE = SETTINGS["workspace"]
REPORTS = SETTINGS["reports"]
TEMPORARY = SETTINGS["temporary"]
MOST_BYTES = 16 << 20
_INSIDE = WORKSPACE.rstrip("/") + "/"
_REPORTERS = {
    "_pytest.config": "report_pytest.py",
    "unittest.case": "report_unittest.py",
    "unittest.suite": "report_unittest.py",
}


def _import_own(name):
    """A module of Python itself, whatever PYTHONPATH puts before it."""
    kept = sys.path[:]
    sys.path[:] = [path for path in kept if path.startswith((sys.base_prefix, sys.base_exec_prefix))]
    try:
        return __import__(name)
    finally:
        sys.path[:] = kept


_quote = _import_own("_json").encode_basestring_ascii
_report = {"pid": None, "path": None, "bytes": 0, "holder": None, "descriptor": None, "file": None}


def _encode(value):
    if value is None:
        return "null"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_encode, value)) + "]"
    return _quote(str(value))


def emit(*fields):
    """Appends one line to this process's report."""
    try:
        pid = posix.getpid()
        if _report["pid"] != pid:
            if _report["pid"] is not None:
                release()
            _report.update(pid=pid, path="%s/%d-%s.jsonl" % (REPORTS, pid, posix.urandom(6).hex()), bytes=0)
        line = (_encode(fields) + "\n").encode()
        if _report["bytes"] > MOST_BYTES:
            return
        _report["bytes"] += len(line)
        if _report["bytes"] > MOST_BYTES:
            line = b'["truncated"]\n'
        descriptor = _open_report()
        try:
            posix.write(descriptor, line)
        finally:
            if descriptor != _report["descriptor"]:
                posix.close(descriptor)
    except Exception:
        pass


def _open_report():
    """Opened each time, since the code under test may close any descriptor; before there is such code, once."""
    if _is_held():
        return _report["descriptor"]
    descriptor = posix.open(_report["path"], posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
    if is_clean():
        _report.update(descriptor=descriptor, file=_identify(descriptor))
    return descriptor


def _identify(descriptor):
    about = posix.fstat(descriptor)
    return about.st_dev, about.st_ino


def _is_held():
    """Whether the descriptor is still ours: somebody may have closed it, and its number be another file's by now."""
    try:
        return _report["descriptor"] is not None and _identify(_report["descriptor"]) == _report["file"]
    except OSError:
        return False


def hold():
    """What runs from here on is the runner's and libraries', which tell of hundreds of modules."""
    _report["holder"] = posix.getpid()


def is_clean():
    """Whether no code of the workspace has been loaded yet."""
    return _report["holder"] == posix.getpid()


def release():
    """Code of the workspace is about to be loaded: it finds no descriptor of ours. Nor does a forked process."""
    if _report["holder"] is not None:
        if _is_held():
            posix.close(_report["descriptor"])
        _report.update(holder=None, descriptor=None, file=None)


def normal(path):
    """An absolute path without `.` and `..`; the module os.path is not used, since tests replace its functions."""
    if path.startswith("/") and "/." not in path and "//" not in path and not path.endswith("/"):
        return path
    if not path.startswith("/"):
        path = posix.getcwd() + "/" + path
    parts = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def relative(path):
    """The path below the workspace, "" for the workspace itself; None outside of it."""
    path = normal(path)
    if path == WORKSPACE:
        return ""
    return path[len(_INSIDE) :] if path.startswith(_INSIDE) else None


def is_temporary(path):
    """Tests of test tools make and run tests of their own there: those are not the check's."""
    return relative(path) is None and normal(path).startswith(TEMPORARY + "/")


def load(name):
    """A name that is no path is nothing that coverage would count."""
    with open(SETTINGS["hooks"] + "/" + name, encoding="utf-8") as file:
        source = file.read()
    exec(compile(source, "<witness %s>" % name, "exec"), globals())


def look(name):
    """Asks the part that compares the tests' tools; it is loaded for records only."""
    call = globals().get(name)
    if call is not None:
        call()


_find_spec = _bootstrap._find_spec
_loaded = set()
observers = []


def _report_with(spec, name):
    """Has the reporter patch the module as soon as it is executed."""
    execute = spec.loader.exec_module

    def exec_module(module):
        execute(module)
        try:
            del spec.loader.exec_module
            file = _REPORTERS[name]
            if file not in _loaded:
                _loaded.add(file)
                load(file)
            globals()["patch_" + name.strip("_").replace(".", "_")](module)
        except Exception:
            pass

    spec.loader.exec_module = exec_module


def find_spec(name, path, target=None):
    spec = None
    try:
        spec = _find_spec(name, path, target)
    finally:
        for observe in observers:
            observe(name, spec)
    if name in _REPORTERS and spec is not None:
        try:
            _report_with(spec, name)
        except Exception:
            pass
    return spec


_cache_from_source = _bootstrap_external.cache_from_source
_INSTALLED = sys.base_prefix.rstrip("/") + "/lib"


def cache_from_source(path, debug_override=None, *, optimization=None):
    """Checks do not use compiled code that lies in the tree. That of Python itself and its packages they may use: to
    compile these anew takes longer than most checks."""
    plain = debug_override is None and optimization is None and type(path) is str
    if plain and path.startswith(_INSTALLED) and path.endswith(".py") and relative(path) is None:
        directory, _, name = path.rpartition("/")
        level = sys.flags.optimize
        ending = ".opt-%d" % level if level else ""
        return "%s/__pycache__/%s.%s%s.pyc" % (directory, name[:-3], sys.implementation.cache_tag, ending)
    return _cache_from_source(path, debug_override, optimization=optimization)


def _leave_no_trace():
    for path in (SETTINGS["hooks"], SETTINGS["userSite"] % sys.version_info[:2]):
        while path in sys.path:
            sys.path.remove(path)
        sys.path_importer_cache.pop(path, None)


try:
    _leave_no_trace()
    if SETTINGS["record"]:
        load("looks.py")
        load("record.py")
        load("stacks.py")
        load("tools.py")
        load("failed_assertions.py")
        load("operators.py")
    if SETTINGS["decisions"]:
        load("decisions.py")
    _bootstrap._find_spec = find_spec
    if sys.pycache_prefix is not None:
        _bootstrap_external.cache_from_source = cache_from_source
except Exception:
    pass
