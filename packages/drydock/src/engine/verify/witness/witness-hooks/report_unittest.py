"""Tells of each test that unittest runs, whatever class collects the results: the result object itself is listened
to."""

import _thread

_EVENTS = {
    "addSuccess": "passed",
    "addError": "failed",
    "addFailure": "failed",
    "addSkip": "skipped",
    "addExpectedFailure": "expected",
    "addUnexpectedSuccess": "failed",
}
_ORDER = ("skipped", "expected", "passed", "failed")
# Per thread: how deep in suites, the running test's outcomes, and the ids of each class and module of the outermost
# suite.
_threads = {}


class _Thread:
    def __init__(self):
        self.depth, self.outcomes, self.groups, self.number = 0, None, {}, None


def _this_thread():
    return _threads.setdefault(_thread.get_ident(), _Thread())


def _is_pytest(result):
    return type(result).__module__.startswith("_pytest") or globals().get("_session", {}).get("active", False)


def _place(module_name):
    module = sys.modules.get(module_name)
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) else None


def _locate(test):
    """Id and file of a test; no id where it is a test that another test made."""
    test = getattr(test, "test_case", test)
    kind = type(test)
    if hasattr(test, "_dt_test"):
        path, name = test._dt_test.filename, test._dt_test.name
    elif hasattr(test, "_testFunc"):
        path, name = test._testFunc.__code__.co_filename, test._testFunc.__qualname__
    else:
        path, name = _place(kind.__module__), "%s.%s" % (kind.__qualname__, getattr(test, "_testMethodName", "runTest"))
    if path is None:
        return "%s::%s" % (kind.__module__, name), None
    if is_temporary(path):
        return None, None
    file = relative(path)
    return "%s::%s" % (kind.__module__ if file is None else file, name), file


def _finish(test, outcome):
    place, file = _locate(test)
    if place is not None:
        emit("test", "unittest", place, outcome, file)


def _is_failed_import(test):
    return type(test).__name__ == "_FailedTest" and type(test).__module__ == "unittest.loader"


def _tell_broken(name):
    """A module that could not be imported. Its name may be the last part only, the rest of it is on the command
    line."""
    names = [word for word in sys.argv[1:] if word == name or word.endswith("." + name) or ("." + name + ".") in word]
    for dotted in [name] + names:
        for directory in sys.path:
            path = normal((directory or ".") + "/" + dotted.replace(".", "/"))
            for candidate in (path + ".py", path + "/__init__.py"):
                file = relative(candidate)
                try:
                    posix.stat(candidate)
                except OSError:
                    continue
                if file is not None:
                    emit("broken", "unittest", file, ["test"], [])
                    return


def _group(thread, test, key):
    thread.groups.setdefault(key, []).append(test)


def _walk(suite, thread, pairs):
    for test in getattr(suite, "_tests", None) or ():
        if test is None:
            continue
        if hasattr(test, "_tests"):
            _walk(test, thread, pairs)
        elif _is_failed_import(test):
            _tell_broken(test._testMethodName)
        else:
            place, file = _locate(test)
            if place is None:
                continue
            pairs.append((place, file))
            kind = type(test)
            _group(thread, (place, file), "%s.%s" % (kind.__module__, kind.__qualname__))
            _group(thread, (place, file), kind.__module__)


def _tell_group(thread, holder, outcome):
    """What sets up or tears down a class or a module failed, or was skipped: so are all tests of it."""
    name = str(getattr(holder, "description", "")).partition("(")[2].rstrip(")")
    for place, file in thread.groups.get(name, ()):
        emit("test", "unittest", place, outcome, file)


def _note(test, outcome):
    thread = _this_thread()
    if type(test).__name__ == "_ErrorHolder":
        _tell_group(thread, test, outcome)
    elif _is_failed_import(test):
        pass
    elif thread.outcomes is not None:
        thread.outcomes.append(outcome)
    else:
        _finish(test, outcome)


def _listen(result):
    """Gives the result object methods of its own. Returns what undoes that; None where somebody listens already."""
    if result is None or "addSuccess" in getattr(result, "__dict__", {"addSuccess": 1}):
        return None
    added = []

    def wrap(name, call, outcome_of):
        def method(test, *args, **options):
            try:
                outcome = outcome_of(args)
                if outcome:
                    _note(test, outcome)
            except Exception:
                pass
            return call(test, *args, **options)

        setattr(result, name, method)
        added.append(name)

    for name, outcome in _EVENTS.items():
        if hasattr(result, name):
            wrap(name, getattr(result, name), lambda args, outcome=outcome: outcome)
    if hasattr(result, "addSubTest"):
        wrap("addSubTest", result.addSubTest, lambda args: "failed" if args[-1] is not None else None)
    return lambda: [result.__dict__.pop(name, None) for name in added]


def _begin(thread, result, suite):
    thread.number = posix.urandom(4).hex()
    thread.groups = {}
    pairs = []
    if suite is not None:
        _walk(suite, thread, pairs)
    emit("start", "unittest", thread.number)
    for at in range(0, len(pairs), 200):
        emit("ids", "unittest", pairs[at : at + 200])


def _run_outermost(thread, result, suite, run):
    undo = None
    try:
        undo = _listen(result)
        _begin(thread, result, suite)
        look("take_modules")
    except Exception:
        pass
    thread.depth += 1
    try:
        value = run()
        look("look_at_end")
        emit("end", "unittest", thread.number)
        return value
    finally:
        thread.depth -= 1
        if undo:
            undo()


def patch_unittest_suite(module):
    def patch(kind):
        original = kind.__dict__.get("run")

        def run(self, result, *args, **options):
            thread = _this_thread()
            if thread.depth or thread.outcomes is not None or _is_pytest(result):
                return original(self, result, *args, **options)
            return _run_outermost(thread, result, self, lambda: original(self, result, *args, **options))

        kind.run = run

    patch(module.BaseTestSuite)
    patch(module.TestSuite)


def patch_unittest_case(module):
    original = module.TestCase.run

    def run_one(thread, self, result):
        thread.outcomes = []
        try:
            return original(self, result)
        finally:
            outcomes, thread.outcomes = thread.outcomes, None
            look("look_after_test")
            look("look_at_classes_after_test")
            if outcomes and not _is_failed_import(self):
                try:
                    _finish(self, max(outcomes, key=_ORDER.index))
                except Exception:
                    pass

    def run(self, result=None):
        thread = _this_thread()
        if thread.outcomes is not None or _is_pytest(result) or result is None:
            return original(self, result)
        if thread.depth:
            return run_one(thread, self, result)
        return _run_outermost(thread, result, None, lambda: run_one(thread, self, result))

    module.TestCase.run = run
