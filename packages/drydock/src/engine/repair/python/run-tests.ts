import { COMPILED_CODE } from "../../source/compiled-code.ts";

/**
 * Part of the program in the sandbox: how tests are collected once and run one by one. Each runner has the same two
 * methods: `collect` gives the names of the tests, `run` runs some of them in their order and reports each.
 */
export const RUN_TESTS = String.raw`${COMPILED_CODE}
sys.path[:] = [entry for entry in sys.path if entry not in ("", ".")]
import ast, ctypes, gc, importlib, json, os, re, resource, runpy, select, shutil, signal, socket, stat, subprocess, tempfile, threading, time, types

request = json.loads(sys.stdin.buffer.read())
root = os.getcwd()
sys.dont_write_bytecode = True

class OutOfTime(BaseException):
    pass

def places_of(traceback):
    found = []
    while traceback is not None and len(found) < 200:
        found.append((traceback.tb_frame.f_code.co_filename, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found

class PytestRunner:
    def collect(self):
        import pytest
        from _pytest.config import _prepareconfig
        if request["run"] == "module":
            sys.path.insert(0, root)
        sys.argv = ["pytest"] + request["args"]
        config = _prepareconfig(request["args"] + ["-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=no", "--tb=no", "-q"], [self])
        config._do_configure()
        self.session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=self.session)
        try:
            config.hook.pytest_collection(session=self.session)
        except pytest.UsageError:
            self.session.testsfailed = 1
        self.items = {item.nodeid: item for item in self.session.items}
        self.errors = self.session.testsfailed
        return list(self.items)

    def pytest_runtest_makereport(self, item, call):
        """The ordinary report costs more than most tests: a description of the failure, which nobody reads here."""
        import pytest
        outcome, why = "passed", None
        if call.excinfo is not None:
            self.places = places_of(call.excinfo.tb)
            outcome, why = "failed", "failed"
            if isinstance(call.excinfo.value, pytest.skip.Exception):
                outcome, why = "skipped", (str(item.path), 0, "skipped")
        return pytest.TestReport(item.nodeid, item.location, dict.fromkeys(item.keywords, 1), outcome, why, call.when)

    def run(self, names, begin, note):
        from _pytest.runner import runtestprotocol
        items = [(name, self.items.get(name)) for name in names]
        for at, (name, item) in enumerate(items):
            if not begin(name):
                continue
            failed, self.places = item is None, []
            if item is not None:
                following = next((other for _, other in items[at + 1:] if other is not None), None)
                failed = any(report.outcome == "failed" for report in runtestprotocol(item, log=False, nextitem=following))
            if note(name, not failed, self.places) is False:
                return

class UnittestRunner:
    def collect(self):
        import unittest
        sys.path.insert(0, root)
        self.errors, self.cases = 0, {}
        def keep(suite):
            for each in suite:
                if isinstance(each, unittest.TestCase):
                    broken = type(each).__name__ == "_FailedTest"
                    self.errors += broken
                    if not broken:
                        self.cases[each.id()] = each
                else:
                    keep(each)
        class Keeper:
            def run(self, suite):
                keep(suite)
                return unittest.TestResult()
        sys.argv = ["python -m unittest"] + request["args"]
        unittest.main(module=None, argv=sys.argv, exit=False, testRunner=Keeper())
        return list(self.cases)

    def run(self, names, begin, note):
        import unittest
        chosen = [name for name in names if name in self.cases]
        for name in names:
            if name not in self.cases and begin(name) and note(name, False, []) is False:
                return
        class Stop(Exception):
            pass
        class Result(unittest.TestResult):
            def startTest(self, test):
                super().startTest(test)
                self.ok, self.places = True, []
                begin(test.id())
            def bad(self, err):
                self.ok = False
                self.places = places_of(err[2])
            def addError(self, test, err):
                self.bad(err)
                if type(test).__name__ == "_ErrorHolder":
                    for name in chosen:
                        note(name, False, self.places)
            def addFailure(self, test, err):
                self.bad(err)
            def addSubTest(self, test, subtest, err):
                if err is not None:
                    self.bad(err)
            def addUnexpectedSuccess(self, test):
                self.ok = False
            def stopTest(self, test):
                super().stopTest(test)
                if note(test.id(), self.ok, self.places) is False:
                    self.stop()
        suite = unittest.TestSuite([self.cases[name] for name in chosen])
        # What a suite forgets can't be run a second time in the same process.
        suite._cleanup = False
        suite.run(Result())

class ProgramRunner:
    errors = 0

    def collect(self):
        return ["program"]

    def run(self, names, begin, note):
        begin("program")
        places, name, args = [], request["name"], request["args"]
        sys.argv = [name] + args
        try:
            if request["run"] == "module":
                sys.path.insert(0, root)
                runpy.run_module(name, run_name="__main__", alter_sys=True)
            else:
                sys.path.insert(0, os.path.dirname(os.path.join(root, name)))
                runpy.run_path(os.path.join(root, name), run_name="__main__")
            status = 0
        except SystemExit as ending:
            status = ending.code
            places = places_of(ending.__traceback__)
        except BaseException as error:
            status = 1
            places = places_of(error.__traceback__)
            if isinstance(error, SyntaxError):
                places.append((error.filename, error.lineno))
        status = status & 0xFF if isinstance(status, int) else 0 if status is None else 1
        note("program", status == request["expected"], places)

class ShellRunner:
    errors = 0

    def collect(self):
        return ["command"]

    def run(self, names, begin, note):
        begin("command")
        with open("/tmp/drydock-output", "w+b") as output:
            ended = subprocess.run(["bash", "-c", request["shell"]], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
            output.seek(0)
            text = output.read(1 << 20).decode("utf-8", "replace")
        places = [(path, int(line)) for path, line in re.findall(r'(?:File "|\(|at |^|\s)([^\s"()]+?)"?(?:, line |:)(\d+)', text)]
        note("command", ended.returncode == request["expected"] and request["needle"] in text, places[-50:])

def make_runner():
    return {"pytest": PytestRunner, "unittest": UnittestRunner, "program": ProgramRunner, "shell": ShellRunner}[request["kind"]]()
`;
