"""Tells of each test that pytest collects and runs. Registered with each plugin manager, so that no option turns it
off."""

_session = {"active": False}
_RANK = ("skipped", "expected", "passed", "failed")


def patch_pytest_config(module):
    start = module.PytestPluginManager.__init__
    hookimpl = module.hookimpl

    def __init__(self, *args, **options):
        start(self, *args, **options)
        # A session inside of a test is that test's own business.
        if not _session["active"]:
            try:
                # Without a name, which a plugin of the workspace might have as well.
                self.register(_make_plugin(hookimpl))
            except Exception:
                pass

    module.PytestPluginManager.__init__ = __init__


def _outcome_of(report):
    if hasattr(report, "wasxfail"):
        return "expected" if report.skipped else "passed"
    return "failed" if report.failed else "skipped" if report.skipped else "passed"


_MOST_FILES = 500
_NOT_SEARCHED = (".", "node_modules", "venv", "build", "dist", "CVS", "_darcs", "__pycache__")


def _find_test_files(config):
    """What pytest would have looked at, had it come so far; nothing where it would have chosen among the tests."""
    import fnmatch
    import os

    options = config.known_args_namespace
    if getattr(options, "keyword", "") or getattr(options, "markexpr", "") or getattr(options, "collectonly", False):
        return []
    root = str(getattr(config, "rootpath", None) or config.rootdir)
    places = [str(place).partition("::")[0] for place in options.file_or_dir]
    places = places or [os.path.join(root, place) for place in config.getini("testpaths")] or [os.getcwd()]
    patterns = config.getini("python_files")
    found = [place for place in places if os.path.isfile(place)]
    for place in places:
        for directory, names, files in os.walk(place):
            names[:] = sorted(
                name for name in names if not name.startswith(_NOT_SEARCHED) and not name.endswith(".egg")
            )
            found += [
                os.path.join(directory, name)
                for name in sorted(files)
                if any(fnmatch.fnmatch(name, p) for p in patterns)
            ]
            if len(found) > _MOST_FILES:
                return []
    return found


def _make_plugin(hookimpl):
    phases = {}
    rerun = set()
    number = posix.urandom(4).hex()
    about = {}

    def locate(nodeid):
        """The test's id and file, as seen from the workspace rather than from pytest's root."""
        path, separator, rest = nodeid.partition("::")
        whole = normal(about["root"] + "/" + path if not path.startswith("/") else path)
        if is_temporary(whole):
            return None, None
        file = relative(whole)
        return (whole if file is None else file) + separator + rest, file

    def emit_ids(nodeids):
        pairs = [pair for pair in map(locate, nodeids) if pair[0] is not None]
        for at in range(0, len(pairs), 200):
            emit("ids", "pytest", pairs[at : at + 200])

    def finish(nodeid, outcome):
        test, file = locate(nodeid)
        if test is not None:
            emit("test", "pytest", test, outcome, file)
            if outcome == "passed" and nodeid in rerun:
                emit("retried", test)

    def tell_unstarted(config):
        """A conftest.py can't be imported, so nothing is collected: pytest begins, and never comes to its end."""
        emit("start", "pytest", number)
        for path in _find_test_files(config):
            file = relative(path)
            if file and not is_temporary(path):
                emit(
                    "broken",
                    "pytest",
                    file,
                    list(config.getini("python_functions")),
                    list(config.getini("python_classes")),
                )

    class Witness:
        @hookimpl(hookwrapper=True)
        def pytest_load_initial_conftests(self, early_config):
            outcome = yield
            try:
                if outcome.excinfo is not None:
                    tell_unstarted(early_config)
            except Exception:
                pass

        @hookimpl(tryfirst=True)
        def pytest_sessionstart(self, session):
            config = session.config
            about["root"] = str(getattr(config, "rootpath", None) or config.rootdir)
            # A worker of pytest-xdist: its reports come again from the process that leads.
            about["worker"] = hasattr(config, "workerinput")
            about["only collects"] = bool(getattr(config.option, "collectonly", False))
            _session["active"] = True
            if not about["worker"]:
                emit("start", "pytest", number)

        @hookimpl(hookwrapper=True)
        def pytest_collection_finish(self, session):
            yield
            look("take_modules")
            try:
                if not about["only collects"] and not about["worker"]:
                    emit_ids([item.nodeid for item in session.items])
            except Exception:
                pass

        @hookimpl(optionalhook=True)
        def pytest_xdist_node_collection_finished(self, node, ids):
            emit_ids(ids)

        @hookimpl(tryfirst=True)
        def pytest_collectreport(self, report):
            try:
                if report.failed and not about.get("only collects"):
                    _, file = locate(report.nodeid)
                    if file:
                        emit("broken", "pytest", file, about.get("functions", ()), about.get("classes", ()))
            except Exception:
                pass

        @hookimpl(tryfirst=True)
        def pytest_collection(self, session):
            try:
                about["functions"] = list(session.config.getini("python_functions"))
                about["classes"] = list(session.config.getini("python_classes"))
            except Exception:
                pass

        @hookimpl(tryfirst=True)
        def pytest_runtest_logreport(self, report):
            if report.when == "teardown":
                look("look_after_test")
                look("look_at_classes_after_test")
            try:
                if about.get("worker"):
                    return
                if report.when not in ("setup", "call", "teardown"):
                    finish(report.nodeid, _outcome_of(report))
                    return
                if report.when == "setup":
                    phases[report.nodeid] = []
                found = phases.setdefault(report.nodeid, [])
                found.append(report.outcome if report.outcome == "rerun" else _outcome_of(report))
                if report.when == "teardown":
                    del phases[report.nodeid]
                    # Setup and teardown pass for tests that are skipped or expected to fail, too.
                    telling = [outcome for outcome in found if outcome != "passed"]
                    if "rerun" in found:
                        rerun.add(report.nodeid)
                    else:
                        finish(report.nodeid, max(telling, key=_RANK.index) if telling else "passed")
            except Exception:
                pass

        @hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_sessionfinish(self, session):
            yield
            look("look_at_end")
            _session["active"] = False
            if not about.get("worker"):
                emit("end", "pytest", number)

    return Witness()
