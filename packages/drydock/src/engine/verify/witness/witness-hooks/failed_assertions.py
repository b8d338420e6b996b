"""Tells of assertions of tests that fail below a call of other code of the workspace: should the test pass all the
same, that code suppressed the failure."""

_MOST_FRAMES = 200
_CONSTANT = ("assert False", "assert 0", "assert None")
_failures = set()


def _note_failed(frame):
    try:
        holder = None
        for _ in range(_MOST_FRAMES):
            if frame is None:
                return
            name = frame.f_code.co_filename
            file = None if name.startswith("<") else _own(name)
            frame = frame.f_back
            if not file or file == holder:
                continue
            if holder is None:
                holder = file
                continue
            if (file, holder) not in _failures:
                _failures.add((file, holder))
                emit("caught", file, holder)
            return
    except Exception:
        pass


def _watch_pytest(module):
    explain = module._format_explanation

    def _format_explanation(explanation):
        # What can only fail is meant to fail, if it is ever reached.
        if explanation not in _CONSTANT:
            _note_failed(sys._getframe(1))
        return explain(explanation)

    module._format_explanation = _format_explanation


def _watch_unittest(module):
    describe = module.TestCase._formatMessage

    def _formatMessage(self, *args, **options):
        _note_failed(sys._getframe(1))
        return describe(self, *args, **options)

    module.TestCase._formatMessage = _formatMessage


_WATCHED = {"_pytest.assertion.rewrite": _watch_pytest, "unittest.case": _watch_unittest}


def _note_assertions(name, spec):
    if name not in _WATCHED or spec is None:
        return
    try:
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            try:
                _WATCHED[name](module)
            except Exception:
                pass

        spec.loader.exec_module = exec_module
    except Exception:
        pass


observers.append(_note_assertions)
