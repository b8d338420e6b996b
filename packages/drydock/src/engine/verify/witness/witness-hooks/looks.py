"""Tells what code of the workspace looks at on its own account: files that nobody named to it, frames, all objects."""


def _texts(value, deep=True):
    """Texts and paths that a value is, or holds."""
    kind = type(value)
    if kind is str:
        yield value
    elif kind is bytes:
        yield value.decode("utf-8", "surrogateescape")
    elif kind.__module__.partition(".")[0] == "pathlib":
        yield str(value)
    elif kind is list or kind is tuple:
        for each in value[:8]:
            yield from _texts(each, False)
    elif deep:
        try:
            for each in list(object.__getattribute__(value, "__dict__").values())[:32]:
                yield from _texts(each, False)
        except (AttributeError, TypeError):
            pass


_GIVEN_AT_MOST = 4
_asked = {}


def note_sought(file, by):
    """Tells which file of the workspace named this one, or a directory that holds it, to the code that opens it: "-"
    for the command line, None where nobody did. Only the first times count."""
    times = _asked.get((file, by), 0)
    if times < _GIVEN_AT_MOST:
        _asked[file, by] = times + 1
        _tell("sought", file, by, _find_giver(file))


def _find_giver(file):
    name = file.rpartition("/")[2]
    above = [WORKSPACE + "/" + file[:at] for at, letter in enumerate(file) if letter == "/"]

    def names(text):
        return len(text) < 4096 and (name and text.rpartition("/")[2] == name or "/" in text and normal(text) in above)

    giver, waits = None, False
    frame = sys._getframe(3)
    while frame is not None:
        code = frame.f_code
        own = None if code.co_filename.startswith("<") else _own(code.co_filename)
        if own is not None:
            if waits:
                giver = own
            # Where several hand it on, the first of them has named it.
            waits = code.co_name != "<module>" and any(names(text) for value in _given(frame) for text in _texts(value))
        frame = frame.f_back
    if giver is None and any(names(word) for word in sys.argv[1:]):
        return starter or "-"
    return giver


def _given(frame):
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    values = frame.f_locals
    return [values.get(each) for each in code.co_varnames[:count]]


def note_look(what, depth=2):
    """The code of the workspace that asks for frames or for all objects: from there it may get into its tests."""
    frame = sys._getframe(depth)
    # Code that was made while the program runs has no file: who runs it counts.
    while frame is not None and frame.f_code.co_filename.startswith("<") and "<frozen" not in frame.f_code.co_filename:
        frame = frame.f_back
    name = "<" if frame is None else frame.f_code.co_filename
    file = None if name.startswith("<") else _own(name)
    if file is not None:
        _tell("looked", what, file)
